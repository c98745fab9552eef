// The script that CI runs: a suite that fails makes it fail.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/project.ts';
import { repository } from '../support/repositoryFiles.ts';

/** Runs the script with a fake npm, for which `bad` fails, and without installing anything. */
function runCi(...suites: string[]) {
  const bin = join(temporaryFolder(), 'bin');
  mkdirSync(bin);
  const programs = {
    npm: 'case "$*" in ci) ;; *bad) echo "1 passed, 1 failed in 2 s"; exit 3 ;; *audit) echo "audit: not checked" ;; *) echo "2 passed, 0 failed in 1 s" ;; esac',
    'apt-get': '',
  };
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${code}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { status, stdout } = spawnSync('bash', [`${repository}.ci/run`, ...suites], { env, encoding: 'utf8' });
  return {
    status,
    end: stdout
      .replaceAll(/ after \d+ s/g, '')
      .split('\n')
      .slice(suites.length),
  };
}

test.skipIf(process.platform === 'win32')('fails if any suite fails, and runs the others', () => {
  expect(runCi('good', 'bad', 'fine')).toEqual({
    status: 1,
    end: [
      ...['npm run good: passed', '2 passed, 0 failed in 1 s'],
      ...['npm run bad: FAILED', '1 passed, 1 failed in 2 s'],
      ...['npm run fine: passed', '2 passed, 0 failed in 1 s', ''],
    ],
  });
  expect(runCi('good').status).toBe(0);
});

test.skipIf(process.platform === 'win32')('repeats at the end what was not audited', () => {
  expect(runCi('audit')).toEqual({ status: 0, end: ['npm run audit: passed', 'audit: not checked', ''] });
});

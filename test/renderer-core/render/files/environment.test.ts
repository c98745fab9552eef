// No program that reads files of a project has the user's keys in its environment.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../../../renderer-core/capture/findBrowser.ts';
import { embeddedProgram, isLibrary } from '../../../../renderer-core/media/ffmpeg.ts';
import { findFfmpeg } from '../../../../renderer-core/media/findFfmpeg.ts';
import { runProgram } from '../../../support/program.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';

/** A program that writes its environment to `log` and then becomes `command`. */
function logged(path: string, log: string, command: string, variables: Record<string, string> = {}): string {
  const set = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(path, `#!/bin/sh\nexport -p >> '${log}'\n${set.join('')}exec ${command} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

test('the browser and ffmpeg get no keys', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'log');
  const browser = await findBrowser({ env: process.env });
  const { path } = await findFfmpeg({ env: process.env });
  const ffmpeg = isLibrary(path) ? `'${process.execPath}' '${embeddedProgram}' '${path}'` : `'${path}'`;
  const root = project({ 'index.html': composition('<p>Hello</p>', { duration: 0.2 }) });
  const { status, stderr } = await runProgram(['render', root, '--output', join(folder, 'out.mp4')], {
    FRAMEWORK_BROWSER: logged(join(folder, 'browser'), log, `'${browser.path}'`, browser.env),
    FRAMEWORK_FFMPEG: logged(join(folder, 'ffmpeg'), log, ffmpeg),
    AWS_SECRET_ACCESS_KEY: 'hidden-1',
    SERVICE_API_KEY: 'hidden-2',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const seen = readFileSync(log, 'utf8');
  expect(seen.match(/^(?:export|declare -x) PATH=/gm)?.length).toBeGreaterThan(1);
  expect(seen).not.toContain('hidden');
});

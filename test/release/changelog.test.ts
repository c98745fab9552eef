// The changelog and the version of a release. Its files are created in release.test.ts.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/project.ts';
import { repository as root } from '../support/repositoryFiles.ts';
import { needPrograms } from '../support/systemPrograms.ts';

const run = promisify(execFile);

beforeEach((context) => needPrograms(context, 'git'));

const publication = {
  ...{ publisher: 'example', name: 'videos', repository: 'https://example.com/code' },
  ...{ bugs: 'https://example.com/bugs', homepage: 'https://example.com', sponsor: null },
};

/** Releases `level` of a package with version 0.1.0, whose files are not created. Returns its version, and its changelog with `(date)` for all dates. */
async function release(level: string, sections: string) {
  const folder = temporaryFolder();
  const text = (path: string) => readFileSync(join(folder, path), 'utf8');
  mkdirSync(join(folder, 'scripts'));
  for (const path of ['scripts/release.mjs', 'scripts/publication.mjs'])
    await copyFile(join(root, path), join(folder, path));
  const files = {
    'scripts/artifacts.mjs': 'export const createArtifacts = async () => "release";',
    'package.json': '{ "name": "a", "version": "0.1.0" }',
    'publication.json': JSON.stringify(publication),
    'package-lock.json': '{ "name": "a", "version": "0.1.0", "lockfileVersion": 3, "packages": {} }',
    'CHANGELOG.md': `# Changelog\n\n${sections}`,
  };
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'All files');
  await run(process.execPath, ['scripts/release.mjs', level], { cwd: folder });
  const { version } = JSON.parse(text('package.json'));
  return { version, changelog: text('CHANGELOG.md').replaceAll(/\(\d{4}-\d{2}-\d{2}\)/g, '(date)') };
}

test.each([
  ['the first version', '0.1.0', '## 0.1.0\n\n- A.\n', '0.1.0', '## 0.1.0 (date)\n\n- A.\n'],
  [
    'unreleased entries',
    'patch',
    '## Unreleased\n\n- B.\n\n## 0.1.0 (2026-12-01)\n\n- A.\n',
    '0.1.1',
    '## 0.1.1 (date)\n\n- B.\n\n## 0.1.0 (date)\n\n- A.\n',
  ],
])('dates the section of %s', async (_what, level, sections, version, expected) => {
  expect(await release(level, sections)).toEqual({ version, changelog: `# Changelog\n\n${expected}` });
});

test.each([
  ['a changelog without entries', 'patch', '## Unreleased\n\n## 0.1.0 (2026-12-01)\n\n- A.\n'],
  ['a version that is released', '0.1.0', '## 0.1.0 (2026-12-01)\n\n- A.\n'],
])('refuses %s', async (_what, level, sections) => {
  await expect(release(level, sections)).rejects.toMatchObject({
    code: 2,
    stderr: 'CHANGELOG.md has no entries under "## Unreleased": describe the changes first.\n',
  });
});

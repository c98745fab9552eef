// What VS Code runs after it has removed the extension.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { storageNote } from '../../client/storageNote.ts';
import { temporaryFolder } from '../support/project.ts';

/** Uninstalls an extension whose note names a folder. Returns whether the folder still exists. */
function isKept(folder: string, note: string | undefined): boolean {
  const root = temporaryFolder();
  const [extension, stored] = [join(root, 'extension'), join(root, folder)];
  for (const one of [extension, join(stored, 'programs')]) mkdirSync(one, { recursive: true });
  writeFileSync(join(extension, 'package.json'), JSON.stringify({ publisher: 'Studio', name: 'videos' }));
  if (note !== undefined) writeFileSync(join(extension, storageNote), JSON.stringify({ folder: join(root, note) }));
  const program = join(extension, 'dist/uninstall.cjs');
  buildSync({ entryPoints: ['client/uninstall.ts'], outfile: program, bundle: true, platform: 'node', format: 'cjs' });
  execFileSync(process.execPath, [program]);
  return existsSync(stored);
}

test.each([
  ['deletes the storage of the extension', 'globalStorage/studio.videos', 'globalStorage/studio.videos', false],
  ['keeps another folder', 'globalStorage/other.videos', 'globalStorage/other.videos', true],
  ['keeps a folder that is not in the storage', 'films/studio.videos', 'films/studio.videos', true],
  ['does nothing if the extension was never started', 'globalStorage/studio.videos', undefined, true],
])('%s', (_, folder, note, expected) => {
  expect(isKept(folder, note)).toBe(expected);
});

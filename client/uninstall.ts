// VS Code runs this program after it has removed the extension: it deletes what the extension has downloaded and stored.
import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storageNote } from './storageNote.ts';

const extension = dirname(__dirname);

try {
  const read = (name: string) => JSON.parse(readFileSync(join(extension, name), 'utf8'));
  const { folder } = read(storageNote);
  const { publisher, name } = read('package.json');
  // Nothing else must be deleted, whatever the note says.
  const isOurs =
    basename(folder) === `${publisher}.${name}`.toLowerCase() && basename(dirname(folder)) === 'globalStorage';
  if (isOurs) rmSync(folder, { recursive: true, force: true });
} catch {
  // The extension was never started, so it has stored nothing.
}

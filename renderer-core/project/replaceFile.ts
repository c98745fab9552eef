// Replaces the content of a file atomically: writes a temporary file and renames it.
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { UserError } from '../errors.ts';

/** The file must exist. Preserves its mode, and follows links. Throws UserError `output_unwritable`. */
export async function replaceFile(path: string, text: string): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    temporary = `${target}.${process.pid}.tmp`;
    await writeFile(temporary, text, { flag: 'wx' });
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UserError('output_unwritable', `Cannot write ${path}: ${reason}`, {
      hint: 'Check that the file and its folder are writable.',
      cause: error,
    });
  }
}

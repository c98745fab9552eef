// What the service takes into one archive: how many files, how much unpacked, and no two names that are one file elsewhere.
import { type ErrorProblem, UserError } from '../errors.ts';
import { ignoreFile } from '../project/ignoreRules.ts';
import type { SentFile } from '../project/sentFiles.ts';
import { tooLargeError } from '../project/zip.ts';

const mostFiles = 20_000;
/** Unpacked. */
const mostBytes = 2 * 1024 ** 3;

const hint = `Leave out what the video does not need: write patterns into ${ignoreFile}. --dry-run lists what is sent.`;

/** Throws UserError `framework_project_too_large`, or `asset_invalid` for names that are one file where case does not count. */
export function checkArchiveFiles(files: readonly SentFile[]): void {
  if (files.length > mostFiles) {
    throw new UserError(
      'framework_project_too_large',
      `The project has ${files.length} files; ${mostFiles} can be sent`,
      {
        hint,
      },
    );
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > mostBytes) {
    throw tooLargeError(`the files have ${(bytes / 1e9).toFixed(1)} GB, and 2 GiB is the most`, files);
  }
  refuseTwins(files);
}

function refuseTwins(files: readonly SentFile[]): void {
  const known = new Map<string, string>();
  const twins: ErrorProblem[] = [];
  for (const { path } of files) {
    const key = path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
    const other = known.get(key);
    if (other !== undefined)
      twins.push({ message: `${other} and ${path} are one file on some systems`, place: { file: path } });
    known.set(key, path);
  }
  if (twins.length === 0) return;
  const shown = twins.slice(0, 5).map(({ message }) => message);
  throw new UserError('asset_invalid', shown.join('\n'), {
    hint: `Give one of them another name, or write it into ${ignoreFile}.`,
    problems: twins,
  });
}

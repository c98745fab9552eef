// Limits of the service for an archive: number of files, unpacked size, and file names that differ only in case.
import { UserError } from '../../renderer-core/errors.ts';
import { ignoreFile } from '../../renderer-core/project/ignoreRules.ts';
import type { UploadFile } from '../../renderer-core/project/uploadFiles.ts';
import { tooLargeError } from '../../renderer-core/project/zip.ts';
import type { ErrorProblem } from '../../renderer-core/reports/errorJson.ts';

const maxFiles = 20_000;
/** Unpacked. */
const maxBytes = 2 * 1024 ** 3;

const hint = `Exclude files that the video does not need in ${ignoreFile}. --dry-run lists the files that are uploaded.`;

/** Throws UserError `framework_project_too_large`, or `asset_invalid` for paths that differ only in case or Unicode form. */
export function checkArchiveFiles(files: readonly UploadFile[]): void {
  if (files.length > maxFiles) {
    throw new UserError(
      'framework_project_too_large',
      `The project has ${files.length} files; the service accepts at most ${maxFiles}`,
      {
        hint,
      },
    );
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > maxBytes) {
    throw tooLargeError(`the files have ${(bytes / 1e9).toFixed(1)} GB, and the limit is 2 GiB`, files);
  }
  refuseEqualPaths(files);
}

function refuseEqualPaths(files: readonly UploadFile[]): void {
  const known = new Map<string, string>();
  const problems: ErrorProblem[] = [];
  for (const { path } of files) {
    const key = path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
    const other = known.get(key);
    if (other !== undefined)
      problems.push({ message: `${other} and ${path} are the same file on some systems`, place: { file: path } });
    known.set(key, path);
  }
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).map(({ message }) => message);
  throw new UserError('asset_invalid', shown.join('\n'), {
    hint: `Rename one of them, or exclude it in ${ignoreFile}.`,
    problems,
  });
}

// Limits of the service for an archive: number of files and folders, unpacked size, and file names that differ only in case.
import { posix } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { ignoreFile } from '../../renderer-core/project/ignoreRules.ts';
import type { UploadFile } from '../../renderer-core/project/uploadFiles.ts';
import { tooLargeError } from '../../renderer-core/project/zip.ts';
import type { ErrorProblem } from '../../renderer-core/reports/errorJson.ts';

const maxFiles = 20_000;
const maxFolders = 20_000;
/** Folders in each other. */
const maxDepth = 32;
/** Unpacked. */
const maxBytes = 2 * 1024 ** 3;

const hint = `Exclude files that the video does not need in ${ignoreFile}. --dry-run lists the files that are uploaded.`;

/**
 * Throws UserError `framework_project_too_large`, or `asset_invalid` for paths that differ only in case or Unicode form and
 * for those in too many folders.
 */
export function checkArchiveFiles(files: readonly UploadFile[]): void {
  if (files.length > maxFiles) throw tooMany(`${files.length} files`, maxFiles);
  refuseDeepPaths(files);
  const folders = countFolders(files);
  if (folders > maxFolders) throw tooMany(`${folders} folders`, maxFolders);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > maxBytes) {
    throw tooLargeError(`the files have ${(bytes / 1e9).toFixed(1)} GB, and the limit is 2 GiB`, files);
  }
  refuseEqualPaths(files);
}

const tooMany = (what: string, most: number): UserError =>
  new UserError('framework_project_too_large', `The project has ${what}; the service accepts at most ${most}`, {
    hint,
  });

function countFolders(files: readonly UploadFile[]): number {
  const folders = new Set<string>();
  for (const { path } of files) {
    let folder = posix.dirname(path);
    // The parents of a known folder are known too.
    while (folder !== '.' && !folders.has(folder)) {
      folders.add(folder);
      folder = posix.dirname(folder);
    }
  }
  return folders.size;
}

function refuseDeepPaths(files: readonly UploadFile[]): void {
  const problems = files
    .filter(({ path }) => path.split('/').length - 1 > maxDepth)
    .map(({ path }) => ({
      message: `${path} is in more than ${maxDepth} folders, the limit of the service`,
      place: { file: path },
    }));
  throwProblems(problems, `Move it to another folder, or exclude it in ${ignoreFile}.`);
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
  throwProblems(problems, `Rename one of them, or exclude it in ${ignoreFile}.`);
}

/** Throws nothing if there are no problems. */
function throwProblems(problems: ErrorProblem[], hint: string): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).map(({ message }) => message);
  throw new UserError('asset_invalid', shown.join('\n'), { hint, problems });
}

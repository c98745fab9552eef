// Changes of files as patches.
import { createTwoFilesPatch } from 'diff';

/** A unified diff that `git apply` accepts. `isNew`: there was no such file. */
export function patchText(path: string, before: string, after: string, isNew = false): string {
  return createTwoFilesPatch(isNew ? '/dev/null' : `a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
}

// Resolves references of project files for the assembled page.
import { referenceCandidates } from '../model/graph.ts';
import { encodePath } from '../model/percentText.ts';

/** Access to the files of the project, by project-relative POSIX path. */
export type ProjectFiles = {
  exists(path: string): boolean;
  read(path: string): string | undefined;
  /** The local path of a remote image, if it has one. */
  fetched?(reference: string): string | undefined;
  /** The prefix of every path of the page: `/`, or the relative path to its files. */
  base?: string;
  /** A query string (with `?`) that changes with `text`, so that browsers can cache scripts. */
  versionOf?(text: string): string;
  /** Style sheets with the fonts of the project, which every page declares. */
  fontSheets?: readonly string[];
};

/** The file that a reference resolves to: relative to its file, otherwise to the project folder. */
export function localPath(reference: string, file: string, files: ProjectFiles): string | undefined {
  const candidates = referenceCandidates(file, reference);
  return candidates.find((path) => files.exists(path)) ?? candidates[0];
}

/** Converts a reference in `file` to the equivalent URL in the page. */
export function rebase(reference: string, file: string, files: ProjectFiles): string {
  const fetched = files.fetched?.(reference);
  if (fetched !== undefined) return fetched;
  if (/^(#|data:|blob:|about:|javascript:)/i.test(reference)) return reference;
  const path = localPath(reference, file, files);
  if (path === undefined) return reference;
  return `${files.base ?? '/'}${encodePath(path)}${/[?#].*$/s.exec(reference)?.[0] ?? ''}`;
}

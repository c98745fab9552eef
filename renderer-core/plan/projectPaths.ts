// Resolves references of project files for the assembled page.
import type { Composition } from '../model/composition.ts';
import { referenceBase, referenceCandidates, remoteReference } from '../model/graph.ts';
import { encodePath } from '../model/text/percentText.ts';

/** Access to the files of the project, by project-relative POSIX path. */
export type ProjectFiles = {
  exists(path: string): boolean;
  /** The text of a file, in the encoding that it has in the page. */
  read(path: string): string | undefined;
  /** How browsers decode the files; all are UTF-8 by default. */
  encodings?: { page: string; fallbacks: ReadonlyMap<string, string> };
  /** The local path of a remote image, if it has one. */
  fetched?(reference: string): string | undefined;
  /** The prefix of every path of the page: `/`, or the relative path to its files. */
  base?: string;
  /** A query string (with `?`) that changes with `text`, so that browsers can cache scripts. */
  versionOf?(text: string): string;
  /** Style sheets with the fonts of the project, which every page declares. */
  fontSheets?: readonly string[];
};

/** The prefix of every path of the page for references after the `<base>` of its entry. */
export function pageBase(file: string, entry: Pick<Composition, 'base'>, { base = '/' }: ProjectFiles): string {
  if (base === '/' || entry.base === null) return base;
  return '../'.repeat(referenceBase(file, entry).split('/').length - 1) || './';
}

/** The file that a reference resolves to: relative to its file, otherwise to the project folder. */
export function localPath(reference: string, file: string, files: ProjectFiles): string | undefined {
  const candidates = referenceCandidates(file, reference);
  return candidates.find((path) => files.exists(path)) ?? candidates[0];
}

/** Converts a reference that is relative to `file` (see `referenceBase`) to the equivalent URL in the page. */
export function rebase(reference: string, file: string, files: ProjectFiles): string {
  const remote = /^#/.test(reference) ? undefined : remoteReference(file, reference);
  if (remote !== undefined) return files.fetched?.(remote) ?? remote;
  const fetched = files.fetched?.(reference);
  if (fetched !== undefined) return fetched;
  if (/^(#|data:|blob:|about:|javascript:)/i.test(reference)) return reference;
  const path = localPath(reference, file, files);
  if (path === undefined) return reference;
  return `${files.base ?? '/'}${encodePath(path)}${/[?#].*$/s.exec(reference)?.[0] ?? ''}`;
}

// What a reference in a file of the project means in the assembled page.
import { referenceCandidates } from '../model/graph.ts';
import { encodePath } from '../model/percentText.ts';

/** How the assembly looks at the project's other files, by project-relative POSIX path. */
export type ProjectFiles = {
  exists(path: string): boolean;
  read(path: string): string | undefined;
  /** The page's own path of a picture from another host, where it has one. */
  fetched?(reference: string): string | undefined;
  /** What stands in front of every path of the page: `/`, or the way from the page to where its files are. */
  base?: string;
  /** Stands behind the address of a script made of `text`, so that a browser may keep it: `?` and what differs with it. */
  versionOf?(text: string): string;
};

/** The file that a reference means: relative to its own file, else to the project folder. */
export function localPath(reference: string, file: string, files: ProjectFiles): string | undefined {
  const candidates = referenceCandidates(file, reference);
  return candidates.find((path) => files.exists(path)) ?? candidates[0];
}

/** A reference in `file` as a URL that means the same in the page. */
export function rebase(reference: string, file: string, files: ProjectFiles): string {
  const fetched = files.fetched?.(reference);
  if (fetched !== undefined) return fetched;
  if (/^(#|data:|blob:|about:|javascript:)/i.test(reference)) return reference;
  const path = localPath(reference, file, files);
  if (path === undefined) return reference;
  return `${files.base ?? '/'}${encodePath(path)}${/[?#].*$/s.exec(reference)?.[0] ?? ''}`;
}

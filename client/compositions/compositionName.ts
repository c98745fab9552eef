// The name of a composition in lists, tabs and messages.
import type { CompositionInfo } from '../../server/protocol.ts';

type Named = Pick<CompositionInfo, 'path' | 'projectUri' | 'title'>;

/**
 * The name of the project folder for its `index.html`, which every project has; the title in the root of a file system. Or else
 * the path, without a final `/index.html`.
 */
export function compositionName({ path, projectUri, title }: Named): string {
  if (path.toLowerCase() === 'index.html') return projectName({ projectUri }) || title || path;
  return path.replace(/\/index\.html$/i, '');
}

/** The name of the project folder; empty for the root of a file system. */
export function projectName({ projectUri }: Pick<Named, 'projectUri'>): string {
  return decoded(projectUri).replace(/\/+$/, '').split('/').pop() ?? '';
}

/** A URI with escapes that are not UTF-8 stays as it is. */
export function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

// The size of a composition: its own, or that of the place where it is embedded.
import type { Composition } from './composition.ts';

/** Pixels; null for a side that is unknown. */
export type CompositionSize = { width: number | null; height: number | null };

/** How the compositions of a project embed each other. */
export type Embeddings = {
  composition(path: string): Composition | undefined;
  /** The composition files that embed this one, sorted. */
  embeddersOf(path: string): readonly string[];
  /** The composition file that a host in the file `from` embeds; null if there is none. */
  target(from: string, source: string): string | null;
};

/** The size of an embedded composition if nothing else determines one. */
export const defaultSize = { width: 1920, height: 1080 };

/** Whether the file is rendered itself instead of being embedded, so that it needs its own size. */
export function isRenderedPage(path: string, project: Embeddings): boolean {
  return project.composition(path)?.kind === 'document' && project.embeddersOf(path).length === 0;
}

/**
 * The size of the composition in a file. A side that it does not declare is that of its host, otherwise that of the file with
 * the host, otherwise that of `defaultSize`. Null for a page that nothing embeds. Only the first host counts.
 */
export function compositionSize(path: string, project: Embeddings): CompositionSize {
  return sizeAt(path, project, new Set());
}

function sizeAt(path: string, project: Embeddings, seen: Set<string>): CompositionSize {
  const composition = project.composition(path);
  const own = { width: composition?.width?.value ?? null, height: composition?.height?.value ?? null };
  if ((own.width !== null && own.height !== null) || isRenderedPage(path, project)) return own;
  // Files that embed each other have no size.
  if (seen.has(path)) return defaultSize;
  seen.add(path);
  const around = sizeOfHost(path, project, seen);
  return { width: own.width ?? around.width, height: own.height ?? around.height };
}

function sizeOfHost(path: string, project: Embeddings, seen: Set<string>): { width: number; height: number } {
  const [from] = project.embeddersOf(path);
  if (from === undefined) return defaultSize;
  const hosts = project.composition(from)?.hosts ?? [];
  const host = hosts.find(({ src }) => project.target(from, src.text) === path);
  const page = sizeAt(from, project, seen);
  return {
    width: host?.width?.value ?? page.width ?? defaultSize.width,
    height: host?.height?.value ?? page.height ?? defaultSize.height,
  };
}

// The texts in which to look for what a page needs.
import { isLoadable } from '../model/assets.ts';
import { type ProjectGraph, referenceBase } from '../model/graph.ts';
import { localPath, type ProjectFiles } from './projectPaths.ts';

/** The texts of the composition files, and of the style sheets and scripts in the project that they load. */
export function projectTexts(graph: ProjectGraph, files: ProjectFiles): string[] {
  const found = new Map<string, string>();
  for (const [file, composition] of graph.files) {
    found.set(file, composition.text);
    for (const { url, span } of composition.assetReferences) {
      const base = referenceBase(file, composition, span.start);
      const path = isLoadable(url) ? localPath(url, base, files) : undefined;
      if (path === undefined || !/\.(?:css|m?js|json|svg)$/i.test(path) || found.has(path)) continue;
      const linked = files.read(path);
      if (linked !== undefined) found.set(path, linked);
    }
  }
  return [...found.values()];
}

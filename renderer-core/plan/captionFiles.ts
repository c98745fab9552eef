// The files of captions that a page shows with some values.
import { captionsSource } from '../model/captions/captionsElement.ts';
import { type ProjectGraph, referenceBase } from '../model/graph.ts';
import { projectInstances } from '../model/projectInstances.ts';
import { localPath, type ProjectFiles } from './projectPaths.ts';

/** By their path in the project; `path` is undefined for a file on another host. `given` are the values of the entry. */
export function captionFiles(
  graph: ProjectGraph,
  given: Readonly<Record<string, unknown>>,
  files: ProjectFiles,
): { source: string; path: string | undefined }[] {
  const found = new Map<string, { source: string; path: string | undefined }>();
  for (const { file, composition, values } of projectInstances(graph, given)) {
    for (const element of composition.captions) {
      const source = captionsSource(element, values);
      const path = localPath(source, referenceBase(file, composition), files);
      if (source !== '') found.set(path ?? source, { source, path });
    }
  }
  return [...found.values()];
}

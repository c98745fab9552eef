// The file of captions that an element shows with the default values.
import { type CaptionsElement, captionsSource } from '../model/captions/captionsElement.ts';
import type { Captions } from '../model/captions/readCues.ts';
import type { Composition } from '../model/composition.ts';
import { referenceBase, referenceCandidates } from '../model/graph.ts';
import { mergeValues } from '../model/variables/values.ts';
import type { Project } from './project.ts';

/** Undefined if there is no such file, or if it has not been read. */
export function shownCaptions(
  project: Project,
  path: string,
  composition: Composition,
  element: CaptionsElement,
): { file: string; captions: Captions } | undefined {
  const source = captionsSource(element, mergeValues(composition.declarations, {}));
  for (const file of referenceCandidates(referenceBase(path, composition), source)) {
    const captions = project.captions(file);
    if (captions) return { file, captions };
  }
  return undefined;
}

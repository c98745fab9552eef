// Reads the properties of clips that the timeline shows from the composition's page: kind, label, parent.
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { ShownClip } from '../../../renderer-core/page/runtime/control.ts';
import { instanceAttribute } from '../../../renderer-core/page/runtime/page.ts';
import { markOf } from '../marks.ts';
import type { ClipFact, ClipKind } from './lanes.ts';

/** `files`: the paths that marks in the page refer to. */
export function clipFacts(clips: readonly ShownClip[], files: readonly string[]): ClipFact[] {
  const indexes = new Map(clips.map(({ element }, index) => [element, index]));
  return clips.map(({ element, start, end }) => {
    const track = Number(element.getAttribute(attr.trackIndex) ?? Number.NaN);
    return {
      label: labelOf(element),
      kind: kindOf(element),
      start,
      end,
      track: Number.isFinite(track) ? track : null,
      parent: parentIndex(element, indexes),
      source: sourceOf(element, files),
    };
  });
}

/** Null for elements without a mark of their own, which scripts have created. */
function sourceOf(element: Element, files: readonly string[]): ClipFact['source'] {
  const found = markOf(element, files);
  return found?.element === element ? { file: found.mark.file, offset: found.mark.start } : null;
}

function parentIndex(element: Element, indexes: ReadonlyMap<Element, number>): number | null {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const index = indexes.get(at);
    if (index !== undefined) return index;
  }
  return null;
}

function kindOf(element: Element): ClipKind {
  if (element.localName === 'video' || element.localName === 'audio') return element.localName;
  if (element.localName === 'img') return 'image';
  if (element.hasAttribute(instanceAttribute) || element.hasAttribute(attr.compositionId)) return 'composition';
  return (element.textContent ?? '').trim() === '' ? 'shape' : 'text';
}

/** The first that exists of: id, composition, embedded file, media file, text, class, tag. */
function labelOf(element: Element): string {
  const fileName = (url: string | null) => decode(/([^/]+?)(?:\.\w+)?(?:[?#].*)?$/.exec(url ?? '')?.[1] ?? '');
  const isText = kindOf(element) === 'text';
  const names = [
    element.id,
    element.getAttribute(attr.compositionId),
    fileName(element.getAttribute(attr.compositionSrc)),
    fileName(element.getAttribute('src')),
    isText ? (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40) : '',
    element.classList[0],
    element.localName,
  ];
  return names.find((name) => name) ?? '';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

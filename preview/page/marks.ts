// Maps elements of the composition's page to their source locations, and back.
import type { Player } from '../../renderer-core/page/runtime/control.ts';
import { sourceAttribute } from '../../renderer-core/page/runtime/page.ts';
import type { Screen } from './screen.ts';
import type { Box } from './stage.ts';

/** Offsets are in UTF-16 units; `end` is exclusive. */
export type Mark = { file: string; start: number; end: number };

/** The source location of an element, or of the nearest ancestor that the author has written. */
export function markOf(from: Element | null, files: readonly string[]): { element: Element; mark: Mark } | undefined {
  const element = from?.closest(`[${sourceAttribute}]`);
  const [index, start, end] = (element?.getAttribute(sourceAttribute) ?? '').split(':').map(Number);
  const file = index === undefined ? undefined : files[index];
  if (!element || file === undefined || start === undefined || end === undefined) return undefined;
  return { element, mark: { file, start, end } };
}

/** The innermost elements at an offset of a file, one per mount of the file. Excludes html and body. */
export function elementsAt({ frame, facts }: Screen, at: { file: string; offset: number }): Element[] {
  const index = facts.files.indexOf(at.file);
  let found: Element[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const element of frame.contentDocument?.querySelectorAll(`[${sourceAttribute}^="${index}:"]`) ?? []) {
    if (element.localName === 'html' || element.localName === 'body') continue;
    const { mark } = markOf(element, facts.files) ?? {};
    if (!mark || at.offset < mark.start || at.offset > mark.end || mark.end - mark.start > length) continue;
    if (mark.end - mark.start < length) found = [];
    length = mark.end - mark.start;
    found.push(element);
  }
  return found;
}

/** The topmost visible element at a point of the composition. */
export function elementAt({ frame }: Screen, { x, y }: { x: number; y: number }): Element | null {
  return frame.contentDocument?.elementFromPoint(x, y) ?? null;
}

/** The boxes of visible elements, in pixels of the composition. */
export function boxesOf(elements: readonly Element[]): Box[] {
  return elements.flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isShown = width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
    return isShown ? [{ left, top, width, height }] : [];
  });
}

/** The display name of an element: `h1#title` or `div.card`. */
export function nameOf(element: Element): string {
  const name = element.id !== '' ? `#${element.id}` : element.classList[0] ? `.${element.classList[0]}` : '';
  return element.localName + name;
}

/** The index of the clip that an element is or is in. */
export function clipAround(element: Element | null, clips: ReturnType<Player['clips']>): number | undefined {
  for (let at = element; at; at = at.parentElement) {
    const index = clips.findIndex((clip) => clip.element === at);
    if (index !== -1) return index;
  }
  return undefined;
}

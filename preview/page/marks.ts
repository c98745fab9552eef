// Elements of the composition's page and the places in the project where they are written, in both directions.
import type { Player } from '../runtime/control.ts';
import { sourceAttribute } from '../runtime/page.ts';
import type { Screen } from './screen.ts';
import type { Box } from './stage.ts';

/** Offsets count UTF-16 units; `end` is behind the last one. */
export type Mark = { file: string; start: number; end: number };

/** Where an element, or the nearest one around it that the author wrote, stands. */
export function markOf(from: Element | null, files: readonly string[]): { element: Element; mark: Mark } | undefined {
  const element = from?.closest(`[${sourceAttribute}]`);
  const [index, start, end] = (element?.getAttribute(sourceAttribute) ?? '').split(':').map(Number);
  const file = index === undefined ? undefined : files[index];
  if (!element || file === undefined || start === undefined || end === undefined) return undefined;
  return { element, mark: { file, start, end } };
}

/** The innermost elements at an offset of a file: one for each time that the file is embedded. The page itself is none. */
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

/** The topmost element that is seen at a point of the composition. */
export function elementAt({ frame }: Screen, { x, y }: { x: number; y: number }): Element | null {
  return frame.contentDocument?.elementFromPoint(x, y) ?? null;
}

/** In the composition's pixels; none for what is not shown. */
export function boxesOf(elements: readonly Element[]): Box[] {
  return elements.flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isShown = width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
    return isShown ? [{ left, top, width, height }] : [];
  });
}

/** `h1#title`, `.card`: as people call it. */
export function nameOf(element: Element): string {
  const name = element.id !== '' ? `#${element.id}` : element.classList[0] ? `.${element.classList[0]}` : '';
  return element.localName + name;
}

/** The clip that an element is, or is in: its place among `clips`. */
export function clipAround(element: Element | null, clips: ReturnType<Player['clips']>): number | undefined {
  for (let at = element; at; at = at.parentElement) {
    const index = clips.findIndex((clip) => clip.element === at);
    if (index !== -1) return index;
  }
  return undefined;
}

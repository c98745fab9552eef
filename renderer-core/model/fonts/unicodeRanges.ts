// Reads `unicode-range` of faces.

/** The first and the last character of a range. */
type Range = readonly [first: number, last: number];

/** Ranges such as `U+41-5A,U+61,U+4??`; undefined for all characters: the text is empty or invalid, so browsers ignore it. */
export function readRanges(text: string): Range[] | undefined {
  const ranges = text.split(',').map(readRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function readRange(text: string): Range | undefined {
  const [, from, to] = /^U\+([\da-f?]{1,6})(?:-([\da-f]{1,6}))?$/i.exec(text.trim()) ?? [];
  if (from === undefined) return undefined;
  const last = to ?? from.replaceAll('?', 'f');
  return [Number.parseInt(from.replaceAll('?', '0'), 16), Number.parseInt(last, 16)];
}

/** Whether one of `characters` is in the ranges. */
export function hasCharacter(text: string, characters: readonly number[]): boolean {
  const ranges = readRanges(text);
  const isIn = (character: number) =>
    ranges === undefined || ranges.some(([first, last]) => character >= first && character <= last);
  return characters.some(isIn);
}

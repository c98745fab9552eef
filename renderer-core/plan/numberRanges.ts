// Numbers of rows and lines as people write them.

/** `[1, 2, 3, 7]` as `1-3, 7`. `maxRanges` limits the text. */
export function rangesText(numbers: readonly number[], separator = ', ', maxRanges = Infinity): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && number === range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.slice(0, maxRanges).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  return [...shown, ...(ranges.length > shown.length ? ['…'] : [])].join(separator);
}

/** The number of a row for people, who count rows from 1. Programs and `{index}` count from 0. */
export const rowNumber = (index: number): number => index + 1;

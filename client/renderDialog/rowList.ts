// The value of the option --rows.

/** `[0, 2, 3, 4]` as `0,2-4`. */
export function rowList(indices: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const index of [...indices].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && index === range[1] + 1) range[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

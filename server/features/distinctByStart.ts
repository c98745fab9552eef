// Removes duplicates: for wrongly nested elements such as `<b><p></b></p>`, a parser creates several elements of one tag.

/** Sorts items by start offset and keeps the first of those with the same offset. */
export function distinctByStart<Item>(items: readonly Item[], startOf: (item: Item) => number): Item[] {
  const sorted = items.toSorted((a, b) => startOf(a) - startOf(b));
  return sorted.filter((item, index) => {
    const before = sorted[index - 1];
    return before === undefined || startOf(before) !== startOf(item);
  });
}

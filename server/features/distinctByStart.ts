// Each place of a file once: of elements that are closed in the wrong order, as in `<b><p></b></p>`, a parser makes several.

/** The items in the order they stand, the first of those that begin at the same offset. */
export function onePerPlace<Item>(items: readonly Item[], startOf: (item: Item) => number): Item[] {
  const sorted = items.toSorted((a, b) => startOf(a) - startOf(b));
  return sorted.filter((item, index) => {
    const before = sorted[index - 1];
    return before === undefined || startOf(before) !== startOf(item);
  });
}

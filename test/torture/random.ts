// Random numbers that a seed repeats.

export type Random = {
  /** From 0 to 1, without 1. */
  next(): number;
  /** From `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(values: readonly T[]): T;
  /** A name, by its weight. */
  weighted<Name extends string>(weights: Record<Name, number>): Name;
};

/** Each `name` has its own numbers, so that the decisions of one part do not depend on when other parts decide. */
export function seeded(seed: number, name: string): Random {
  let state = [...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), seed ^ 0x811c9dc5);
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(next() * values.length)];
    if (value === undefined) throw new Error('there is nothing to pick from');
    return value;
  };
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    pick,
    weighted<Name extends string>(weights: Record<Name, number>): Name {
      const entries = Object.entries(weights) as [Name, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [found, weight] of entries) {
        left -= weight;
        if (left < 0) return found;
      }
      return pick(entries)[0];
    },
  };
}

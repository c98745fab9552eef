// Turns sound down around the moments that would be louder than a file can hold, and leaves the rest as it is.

/** Samples that the gain takes to go down, and up again: 20 ms at 48 kHz, one swing of the lowest note. */
export const limiterReach = 960;

/**
 * `sound` is interleaved stereo; the first and last `2 * limiterReach` frames are only looked at. Returns the frames
 * between, none above 1. Each gain is a mean of neighbours none of which lets its own surroundings be too loud, so the
 * result does not depend on how a long sound is cut into pieces.
 */
export function limit(sound: Float32Array): Float32Array {
  const needed = neededGains(sound);
  const lowest = slidingMinimum(needed, limiterReach);
  const gains = slidingMean(lowest, limiterReach);
  const first = 2 * limiterReach;
  return sound
    .subarray(2 * first, sound.length - 2 * first)
    .map((value, index) => value * (gains[first + (index >> 1)] ?? 1));
}

function neededGains(sound: Float32Array): Float64Array {
  return Float64Array.from(
    { length: sound.length / 2 },
    (_, frame) => 1 / Math.max(1, Math.abs(sound[2 * frame] ?? 0), Math.abs(sound[2 * frame + 1] ?? 0)),
  );
}

/** The lowest value within `reach` of each. Indexes of candidates are kept, lowest first: linear in the length. */
function slidingMinimum(values: Float64Array, reach: number): Float64Array {
  const at = (index: number) => values[index] ?? 1;
  const candidates = new Int32Array(values.length);
  let [head, tail, next] = [0, 0, 0];
  return values.map((_, index) => {
    for (; next <= Math.min(index + reach, values.length - 1); next++) {
      while (tail > head && at(candidates[tail - 1] ?? 0) >= at(next)) tail--;
      candidates[tail++] = next;
    }
    while ((candidates[head] ?? 0) < index - reach) head++;
    return at(candidates[head] ?? 0);
  });
}

function slidingMean(values: Float64Array, reach: number): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return values.map((_, index) => {
    const from = Math.max(0, index - reach);
    const to = Math.min(values.length, index + reach + 1);
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  });
}

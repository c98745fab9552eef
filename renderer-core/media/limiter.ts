// Limiter: lowers the volume around moments that would be louder than a file can store, and keeps the rest unchanged.

/** Duration of a change of the gain, in samples: 20 ms at 48 kHz, one period of the lowest audible note. */
export const lookaheadSamples = 960;

/**
 * `sound` is interleaved stereo. Its first and last `2 * lookaheadSamples` frames are context: they are read but not
 * returned. No returned value is above 1. The gain of a frame depends only on frames within that context, so the result
 * does not depend on how a long sound is split into pieces.
 */
export function limit(sound: Float32Array): Float32Array {
  const needed = neededGains(sound);
  const lowest = slidingMinimum(needed, lookaheadSamples);
  const gains = slidingMean(lowest, lookaheadSamples);
  return withoutContext(sound).map((value, index) => value * (gains[contextFrames + (index >> 1)] ?? 1));
}

const contextFrames = 2 * lookaheadSamples;

/** The frames that `limit` returns, as they are. */
export const withoutContext = (sound: Float32Array): Float32Array =>
  sound.subarray(2 * contextFrames, sound.length - 2 * contextFrames);

function neededGains(sound: Float32Array): Float64Array {
  return Float64Array.from(
    { length: sound.length / 2 },
    (_, frame) => 1 / Math.max(1, Math.abs(sound[2 * frame] ?? 0), Math.abs(sound[2 * frame + 1] ?? 0)),
  );
}

/** The lowest value within `reach` of each index, in linear time: `candidates` contains indexes, lowest value first. */
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

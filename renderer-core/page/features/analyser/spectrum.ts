// The calculations of an AnalyserNode, as the Web Audio API defines them.

/** The magnitudes of the first half of the frequencies of `samples`, whose number is a power of two. */
export function magnitudes(samples: Float32Array): Float32Array {
  const size = samples.length;
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  for (let at = 0; at < size; at++) real[reversed(at, size)] = (samples[at] ?? 0) * blackman(at / size);
  transform(real, imaginary);
  return Float32Array.from({ length: size / 2 }, (_, at) => Math.hypot(real[at] ?? 0, imaginary[at] ?? 0) / size);
}

/** `previous` is the result of the frame before; its share is `smoothing`. */
export const smoothed = (previous: Float32Array | undefined, current: Float32Array, smoothing: number): Float32Array =>
  current.map((value, at) => smoothing * (previous?.[at] ?? 0) + (1 - smoothing) * value);

export const decibels = (magnitude: number): number => 20 * Math.log10(magnitude);

/** A level as a byte: 0 at `least` decibels, 255 at `most`. */
export const levelByte = (level: number, least: number, most: number): number =>
  clampByte((255 / (most - least)) * (level - least));

/** A sample from -1 to 1 as a byte: silence is 128. */
export const sampleByte = (sample: number): number => clampByte(128 * (1 + sample));

const clampByte = (value: number): number => Math.max(0, Math.min(255, Math.floor(value)));

/** The window of Blackman with an alpha of 0.16. */
const blackman = (at: number): number => 0.42 - 0.5 * Math.cos(2 * Math.PI * at) + 0.08 * Math.cos(4 * Math.PI * at);

function reversed(value: number, size: number): number {
  let result = 0;
  for (let bit = 1, rest = value; bit < size; bit *= 2, rest >>= 1) result = result * 2 + (rest & 1);
  return result;
}

/** The Fourier transform of numbers whose order is reversed by bits, in place. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let half = 1; half < real.length; half *= 2) {
    for (let at = 0; at < half; at++) {
      const angle = (-Math.PI * at) / half;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      for (let even = at; even < real.length; even += 2 * half) {
        const odd = even + half;
        const [x, y] = [real[odd] ?? 0, imaginary[odd] ?? 0];
        const [turnedX, turnedY] = [x * cosine - y * sine, x * sine + y * cosine];
        const [a, b] = [real[even] ?? 0, imaginary[even] ?? 0];
        real[even] = a + turnedX;
        imaginary[even] = b + turnedY;
        real[odd] = a - turnedX;
        imaginary[odd] = b - turnedY;
      }
    }
  }
}

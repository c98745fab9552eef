// Frames of HDR videos in extended sRGB, compared with the formulas of the standards in double precision. Needs `npm run build`.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  convertPlanes,
  type HdrKernel,
  type HdrPlanes,
} from '../../../../../renderer-core/page/features/hdrVideo/hdrFrames.ts';

type Vector = readonly [number, number, number];
type Transfer = 'pq' | 'hlg';
/** Luma and chroma of one pixel, in codes. */
type Codes = Vector;
type Depth = { bits: 10 | 12; fullRange: boolean };

const wasm = readFileSync(new URL('../../../../../dist/page/hdrFrames.wasm', import.meta.url));
const kernel = (await WebAssembly.instantiate(wasm)).instance.exports as unknown as HdrKernel;
const limited: Depth = { bits: 10, fullRange: false };

const map = (v: Vector, change: (value: number) => number): Vector => [change(v[0]), change(v[1]), change(v[2])];

function encodeSrgb(light: number): number {
  const size = Math.abs(light);
  return Math.sign(light) * (size <= 0.0031308 ? 12.92 * size : 1.055 * size ** (1 / 2.4) - 0.055);
}

// SMPTE ST 2084, for 1 cd/m2 = 1.
const [m1, m2, c1, c2, c3] = [2610 / 16384, (2523 / 4096) * 128, 3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];
const pqLight = (signal: number): number => {
  const p = Math.min(1, Math.max(0, signal)) ** (1 / m2);
  return 10_000 * (Math.max(0, p - c1) / (c2 - c3 * p)) ** (1 / m1);
};
const pqSignal = (light: number): number => {
  const p = (light / 10_000) ** m1;
  return ((c1 + c2 * p) / (1 + c3 * p)) ** m2;
};

// BT.2100, HLG.
function hlgScene(signal: number): number {
  const value = Math.min(1.125, Math.max(0, signal));
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;
}
const luminance = ([r, g, b]: Vector): number => 0.2627 * r + 0.678 * g + 0.0593 * b;

/** cd/m2 of BT.2020 primaries, on a display of 1000 cd/m2 if the signals are HLG. */
function displayLight(signals: Vector, transfer: Transfer): Vector {
  if (transfer === 'pq') return map(signals, pqLight);
  const scene = map(signals, hlgScene);
  return map(scene, (value) => 1000 * luminance(scene) ** 0.2 * value);
}

/** Converts light from other primaries, which are given by the light of their red, green and blue in BT.709. */
const mixed = ([r, g, b]: Vector, [red, green, blue]: readonly [Vector, Vector, Vector]): Vector => [
  r * red[0] + g * green[0] + b * blue[0],
  r * red[1] + g * green[1] + b * blue[1],
  r * red[2] + g * green[2] + b * blue[2],
];
const bt2020In709 = [
  [1.660491, -0.12455, -0.018151],
  [-0.587641, 1.1329, -0.100579],
  [-0.07285, -0.008349, 1.11873],
] as const;
const bt709In2020 = [
  [0.627404, 0.069097, 0.016391],
  [0.329283, 0.91954, 0.088013],
  [0.043313, 0.011362, 0.895595],
] as const;

const rangeOf = ({ bits, fullRange }: Depth) => {
  const unit = 2 ** (bits - 8);
  const full = 2 ** bits - 1;
  return {
    black: fullRange ? 0 : 16 * unit,
    luma: fullRange ? full : 219 * unit,
    chroma: fullRange ? full : 224 * unit,
  };
};

function codesOf([r, g, b]: Vector, depth: Depth): Codes {
  const { black, luma, chroma } = rangeOf(depth);
  const y = luminance([r, g, b]);
  const middle = 2 ** (depth.bits - 1);
  return map(
    [black + luma * y, middle + (chroma * (b - y)) / 1.8814, middle + (chroma * (r - y)) / 1.4746],
    Math.round,
  );
}

function reference([y, u, v]: Codes, transfer: Transfer, depth: Depth): Vector {
  const { black, luma, chroma } = rangeOf(depth);
  const middle = 2 ** (depth.bits - 1);
  const [ey, eu, ev] = [(y - black) / luma, (u - middle) / chroma, (v - middle) / chroma];
  const r = ey + 1.4746 * ev;
  const b = ey + 1.8814 * eu;
  const g = (ey - 0.2627 * r - 0.0593 * b) / 0.678;
  return map(mixed(displayLight([r, g, b], transfer), bt2020In709), (light) => encodeSrgb(light / 203));
}

function fromHalf(half: number): number {
  const [sign, exponent, fraction] = [half & 0x8000 ? -1 : 1, (half >> 10) & 31, half & 1023];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** The pixels of a frame, with four numbers each. */
function convert(frame: Omit<HdrPlanes, 'data'>, samples: readonly number[]): number[][] {
  const data = new Uint8Array(Uint16Array.from(samples).buffer);
  const values = Array.from(new Uint16Array(convertPlanes(kernel, { ...frame, data })), fromHalf);
  return Array.from({ length: values.length / 4 }, (_, pixel) => values.slice(pixel * 4, pixel * 4 + 4));
}

const colorsOf = (transfer: Transfer, { fullRange }: Depth = limited) =>
  ({ transfer, primaries: 'bt2020', matrix: 'bt2020-ncl', fullRange }) as const;

/** Converts pixels in a row, with all of their chroma. */
const convertRow = (pixels: readonly Codes[], transfer: Transfer, depth: Depth): number[][] =>
  convert(
    { format: `I444P${depth.bits}`, width: pixels.length, height: 1, colors: colorsOf(transfer, depth) },
    [0, 1, 2].flatMap((plane) => pixels.map((pixel) => pixel[plane] ?? 0)),
  );

/** How much larger a value is than the right one, in units of what is allowed: 0.2 %, and half of a code of 10 bits. */
const errorOf = (value = Number.NaN, right: number): number =>
  (value - right) / Math.max(0.002 * Math.abs(right), 0.5 / 1023);

const errorsOf = (pixels: readonly number[][], right: readonly Vector[]): number[] =>
  right.flatMap((color, pixel) => color.map((value, channel) => errorOf(pixels[pixel]?.[channel], value)));

const largest = (errors: readonly number[]): number => Math.max(...errors.map(Math.abs));

test.each([
  [0, 0],
  [0.1, 0.00636],
  [10, 0.24535],
  [100, 0.72996],
  [203, 1],
  [1000, 1.99526],
])('shows PQ grey of %f cd/m2 as %f', (light, expected) => {
  const signal = pqSignal(light);
  const [pixel = []] = convertRow([codesOf([signal, signal, signal], { bits: 12, fullRange: true })], 'pq', {
    bits: 12,
    fullRange: true,
  });
  expect(pixel.map((value) => value.toFixed(2))).toEqual([...Array(3).fill(expected.toFixed(2)), '1.00']);
});

test.each([
  ['black', 0, 0],
  ['reference white', 0.75, 1],
  ['the peak', 1, 1.99526],
])('shows %s of HLG, a signal of %f, as %f', (_, signal, expected) => {
  const [[red, green, blue] = []] = convertRow([codesOf([signal, signal, signal], limited)], 'hlg', limited);
  expect([green, blue]).toEqual([red, red]);
  expect(Math.abs((red ?? 0) - expected)).toBeLessThanOrEqual(0.01 * expected);
});

// Primaries of each gamut in BT.709, and their luminance. The last column is the color in CSS, such as color(display-p3 1 0 0).
test.each<[name: string, light: Vector, srgb: Vector]>([
  ['BT.709 red', [1, 0, 0], [1, 0, 0]],
  ['BT.709 green', [0, 1, 0], [0, 1, 0]],
  ['BT.709 blue', [0, 0, 1], [0, 0, 1]],
  ['P3 red', [1.22494, -0.042057, -0.019638], [1.093, -0.2267, -0.1501]],
  ['P3 green', [-0.22494, 1.042057, -0.078636], [-0.5116, 1.0183, -0.3107]],
  ['P3 blue', [0, 0, 1.098274], [0, 0, 1.0418]],
  ['BT.2020 red', bt2020In709[0], [1.2482, -0.3879, -0.1434]],
  ['BT.2020 green', bt2020In709[1], [-0.7904, 1.0563, -0.3502]],
  ['BT.2020 blue', bt2020In709[2], [-0.2991, -0.0886, 1.0505]],
])('keeps the color of %s, at its brightest in SDR and at 100 cd/m2', (_, light, srgb) => {
  expect(map(light, encodeSrgb).map((value, channel) => Math.abs(value - (srgb[channel] ?? 0)) < 0.001)).toEqual([
    true,
    true,
    true,
  ]);
  const ofLuminance = 100 / (0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]);
  for (const scale of [203, ofLuminance]) {
    const codes = codesOf(
      map(
        mixed(
          map(light, (value) => value * scale),
          bt709In2020,
        ),
        (v) => pqSignal(Math.max(0, v)),
      ),
      limited,
    );
    const pixels = convertRow([codes], 'pq', limited);
    expect(largest(errorsOf(pixels, [reference(codes, 'pq', limited)]))).toBeLessThan(1);
    // Signals of 10 bits have steps of 1 % of the light.
    const right = map(light, (value) => encodeSrgb((value * scale) / 203));
    const strongest = right.indexOf(Math.max(...right));
    expect(Math.abs((pixels[0]?.[strongest] ?? 0) / (right[strongest] ?? 0) - 1)).toBeLessThan(0.01);
  }
});

test.each<[Transfer, Depth]>([
  ['pq', limited],
  ['pq', { bits: 10, fullRange: true }],
  ['pq', { bits: 12, fullRange: false }],
  ['hlg', limited],
  ['hlg', { bits: 10, fullRange: true }],
  ['hlg', { bits: 12, fullRange: false }],
])('converts all greys and a grid of colors of %s with %j as the formulas do', (transfer, depth) => {
  const codes = 2 ** depth.bits;
  const steps = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => Math.floor(from + (n * codes) / count));
  const greys = steps(0, 1024).map((y): Codes => [y, codes / 2, codes / 2]);
  const grid = steps(0, 33).flatMap((y) => steps(2, 17).flatMap((u) => steps(2, 17).map((v): Codes => [y, u, v])));
  for (const pixels of [greys, grid]) {
    const errors = errorsOf(
      convertRow(pixels, transfer, depth),
      pixels.map((pixel) => reference(pixel, transfer, depth)),
    );
    expect(largest(errors)).toBeLessThan(1);
    expect(Math.abs(errors.reduce((sum, error) => sum + error) / errors.length)).toBeLessThan(0.01);
  }
});

/** A sample between those of a row or column, at any position. */
function between(samples: (index: number) => number, count: number, position: number): number {
  const at = Math.min(count - 1, Math.max(0, position));
  const index = Math.floor(at);
  return samples(index) + (samples(Math.min(count - 1, index + 1)) - samples(index)) * (at - index);
}

test.each([
  ['I420P10', 1, 1],
  ['I420P10', 2, 2],
  ['I420P10', 3, 5],
  ['I420P10', 5, 3],
  ['I422P10', 5, 3],
  ['I444P10', 5, 3],
  ['I420P12', 5, 3],
  ['I420P10', 66, 10],
])('interpolates chroma of %s with %i x %i pixels, on the left and between two rows', (format, width, height) => {
  const depth: Depth = { bits: format.endsWith('12') ? 12 : 10, fullRange: false };
  const [halfX, halfY] = [format.startsWith('I444') ? 1 : 2, format.startsWith('I420') ? 2 : 1];
  const [columns, rows] = [Math.ceil(width / halfX), Math.ceil(height / halfY)];
  const unit = 2 ** (depth.bits - 10);
  const fill = (count: number, value: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => value(n) * unit);
  const luma = fill(width * height, (n) => 300 + ((n * 37) % 300));
  const [us, vs] = [
    fill(columns * rows, (n) => 450 + ((n * 53) % 120)),
    fill(columns * rows, (n) => 560 - ((n * 71) % 110)),
  ];
  const chroma = (plane: number[], x: number, y: number) =>
    between(
      (row) => between((column) => plane[row * columns + column] ?? 0, columns, x / halfX),
      rows,
      halfY === 2 ? (y - 0.5) / 2 : y,
    );
  const right = luma.map((y, n) => {
    const position = [n % width, Math.floor(n / width)] as const;
    return reference([y, chroma(us, ...position), chroma(vs, ...position)], 'pq', depth);
  });
  const pixels = convert({ format, width, height, colors: colorsOf('pq') }, [...luma, ...us, ...vs]);
  expect(pixels).toHaveLength(width * height);
  expect(largest(errorsOf(pixels, right))).toBeLessThan(1);
  expect(pixels.every(([, , , alpha]) => alpha === 1)).toBe(true);
});

test('keeps alpha', () => {
  const frame = { format: 'I420AP10', width: 3, height: 1, colors: colorsOf('hlg') };
  const pixels = convert(frame, [721, 721, 721, 512, 512, 512, 512, 0, 341, 1023]);
  expect(pixels.map((pixel) => pixel.map((value) => value.toFixed(2)))).toEqual([
    ['1.00', '1.00', '1.00', '0.00'],
    ['1.00', '1.00', '1.00', '0.33'],
    ['1.00', '1.00', '1.00', '1.00'],
  ]);
});

test.each([
  ['bt709', [0.7304, 0, 0]],
  ['smpte432', [0.7985, -0.1607, -0.1008]],
])('takes the primaries %s and the matrix bt709 from the frame', (primaries, expected) => {
  // Red of 100 cd/m2 in each component.
  const y = 0.2126 * pqSignal(100);
  const codes = [y * 876 + 64, (-y / 1.8556) * 896 + 512, ((pqSignal(100) - y) / 1.5748) * 896 + 512].map(Math.round);
  const colors = { transfer: 'pq', primaries, matrix: 'bt709', fullRange: false };
  const [pixel = []] = convert({ format: 'I444P10', width: 1, height: 1, colors }, codes);
  expect(pixel.slice(0, 3).map((value, n) => Math.abs(value - (expected[n] ?? 0)) < 0.02)).toEqual([true, true, true]);
});

test.each([
  ['NV12', 'bt2020-ncl', 'HDR frames in the format NV12 cannot be converted'],
  [null, 'bt2020-ncl', 'HDR frames in the format null cannot be converted'],
  ['I444P10', 'rgb', 'HDR frames with the matrix rgb cannot be converted'],
])('rejects %s with the matrix %s', (format, matrix, message) => {
  const frame = { format, width: 1, height: 1, colors: { transfer: 'pq', matrix } };
  expect(() => convert(frame, [0, 0, 0])).toThrow(message);
});

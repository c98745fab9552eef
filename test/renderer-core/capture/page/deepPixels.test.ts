// The conversion of half floats to 10 bits, on the built WebAssembly.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deepTables, halfValue } from '../../../../renderer-core/capture/page/deepTables.ts';
import type { HdrCurve } from '../../../../renderer-core/plan/deepColor.ts';

type Kernel = {
  useTables(light: number, curve: number, scene: number): void;
  toYuv420p10(from: number, to: number, width: number, height: number): void;
  toYuva444p10(from: number, to: number, pixels: number): void;
  peakLight(): number;
  meanLight(pixels: number): number;
};
type Pixel = [red: number, green: number, blue: number, alpha?: number];

const [from, to, tables] = [65_536, 131_072, 196_608];

/** The bits of the half float that is next to a value. */
function half(value: number): number {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 1e-9)));
  const steps = Math.round(size / 2 ** (exponent - 10));
  return sign + (steps < 1024 ? steps : steps + (exponent + 14) * 1024);
}

async function load(hdr: HdrCurve | null): Promise<{ kernel: Kernel; words(at: number, length: number): Uint16Array }> {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const module = readFileSync(new URL('../../../../dist/page/convert.wasm', import.meta.url));
  const { instance } = await WebAssembly.instantiate(module, { env: { memory, abort() {} } });
  const kernel = instance.exports as unknown as Kernel;
  let end = tables;
  const { light, curve, scene } = deepTables(hdr);
  const [lightAt = 0, curveAt = 0, sceneAt = 0] = [light, curve, scene].map((table) => {
    new Float32Array(memory.buffer, end, table.length).set(table);
    end += table.byteLength;
    return table.length > 0 ? end - table.byteLength : 0;
  });
  kernel.useTables(lightAt, curveAt, sceneAt);
  return { kernel, words: (at, length) => new Uint16Array(memory.buffer, at, length) };
}

/** Y, U and V of four equal pixels. */
async function convert(pixel: Pixel, hdr: HdrCurve | null = null): Promise<number[]> {
  const { kernel, words } = await load(hdr);
  const [red, green, blue] = pixel;
  words(from, 16).set([0, 1, 2, 3].flatMap(() => [half(red), half(green), half(blue), half(1)]));
  kernel.toYuv420p10(from, to, 2, 2);
  const [y = 0, , , , u = 0, v = 0] = words(to, 6);
  return [y, u, v];
}

test.each([
  [0x0000, 0],
  [0x3c00, 1],
  [0xbc00, -1],
  [0x0001, 2 ** -24],
  [0x7bff, 65_504],
])('reads the half float %i as %f', (bits, value) => {
  expect(halfValue(bits)).toBe(value);
  expect(half(value)).toBe(bits);
});

describe('SDR', () => {
  test.each<[string, Pixel, number[]]>([
    ['black', [0, 0, 0], [64, 512, 512]],
    ['white', [1, 1, 1], [940, 512, 512]],
    ['red', [1, 0, 0], [250, 409, 960]],
    ['green', [0, 1, 0], [691, 167, 105]],
    ['blue', [0, 0, 1], [127, 960, 471]],
    ['a grey between two levels of 8 bits', [100.5 / 255, 100.5 / 255, 100.5 / 255], [409, 512, 512]],
    ['what is outside of its range', [1.5, -0.5, 0.5], [282, 633, 939]],
  ])('converts %s', async (_, pixel, expected) => expect(await convert(pixel)).toEqual(expected));

  test('gives a ramp all codes of the limited range', async () => {
    const { kernel, words } = await load(null);
    const width = 2048;
    const ramp = Array.from({ length: width }, (_, x) => half(x / (width - 1)));
    words(from, width * 8).set([...ramp, ...ramp].flatMap((value) => [value, value, value, half(1)]));
    kernel.toYuv420p10(from, to, width, 2);
    expect([...new Set(words(to, width))]).toEqual(Array.from({ length: 877 }, (_, index) => 64 + index));
  });

  test('makes chroma the mean of four pixels', async () => {
    const { kernel, words } = await load(null);
    const [red, grey] = [
      [half(1), 0, 0, half(1)],
      [half(0.5), half(0.5), half(0.5), half(1)],
    ];
    words(from, 16).set([red, grey, grey, grey].flat() as number[]);
    kernel.toYuv420p10(from, to, 2, 2);
    expect([...words(to, 6)]).toEqual([250, 502, 502, 502, 486, 624]);
  });

  test('keeps alpha with 10 bits', async () => {
    const { kernel, words } = await load(null);
    words(from, 8).set([1, 1, 1, 1 / 3, 1, 0, 0, 0].map(half));
    kernel.toYuva444p10(from, to, 2);
    expect([...words(to, 8)]).toEqual([940, 250, 512, 409, 512, 960, 341, 0]);
  });
});

describe('HDR', () => {
  /** The sRGB signal of a grey, 203 nits being 1. */
  const grey = (nits: number): Pixel => {
    const light = nits / 203;
    const value = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
    return [value, value, value];
  };

  // From the formulas of Rec. ITU-R BT.2100. BT.2408 has PQ 0.58 and HLG 0.75 for 203 nits, and HLG 1 for 1,000 nits.
  test.each([
    [0.1, 119, 97],
    [10, 327, 287],
    [100, 509, 616],
    [203, 573, 721],
    [1000, 723, 940],
  ])('converts a grey of %f nits to PQ %i and HLG %i', async (nits, pq, hlg) => {
    expect(await convert(grey(nits), 'pq')).toEqual([pq, 512, 512]);
    expect(await convert(grey(nits), 'hlg')).toEqual([hlg, 512, 512]);
  });

  test('converts the red of BT.709 to PQ', async () => expect(await convert([1, 0, 0], 'pq')).toEqual([392, 438, 608]));

  test('measures the brightest color and the mean of a frame', async () => {
    const { kernel, words } = await load('pq');
    const pixels = [grey(1000), grey(0), grey(0), grey(0)];
    words(from, 16).set(pixels.flatMap(([red, green, blue]) => [half(red), half(green), half(blue), half(1)]));
    kernel.toYuv420p10(from, to, 2, 2);
    expect(203 * kernel.peakLight()).toBeCloseTo(1000, -1);
    expect(203 * kernel.meanLight(4)).toBeCloseTo(250, -1);
  });
});

// Compares two images as a render compares its sample frames, with the same WebAssembly module.
import { readFileSync } from 'node:fs';
import {
  type ComparedPixels,
  type Comparison,
  compareFrames,
  scratchBytes,
} from '../../../renderer-core/capture/page/compareFrames.ts';
import { tolerance } from '../../../renderer-core/capture/samples.ts';

export type RgbaImage = { width: number; height: number; data: Uint8Array };

const page = 65_536;

/** Loads the module, which `npm run build` compiles. */
export async function imageComparison(): Promise<(a: RgbaImage, b: RgbaImage) => Comparison> {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const wasm = readFileSync(new URL('../../../dist/page/convert.wasm', import.meta.url));
  const { instance } = await WebAssembly.instantiate(wasm, { env: { memory, abort() {} } });
  const pixels = instance.exports as unknown as ComparedPixels;
  return (a, b) => {
    const { width, height } = a;
    const raw = width * height * 4;
    const bytes = page + 2 * raw + scratchBytes(width, height);
    memory.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / page)));
    new Uint8Array(memory.buffer, page).set(a.data);
    new Uint8Array(memory.buffer, page + raw).set(b.data);
    const pair = { a: page, b: page + raw, scratch: page + 2 * raw, stride: width * 4, width, height };
    return compareFrames(pixels, memory, pair, tolerance);
  };
}

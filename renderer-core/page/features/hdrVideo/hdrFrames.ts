// Converts frames of HDR video (PQ or HLG) to half floats in extended sRGB: BT.709 primaries, 1 is 203 cd/m2 (BT.2408). Colors
// outside of sRGB and light above 1 are kept. Runs in pages.

/** The exports of `hdrFrames.wasm`. */
export type HdrKernel = {
  memory: WebAssembly.Memory;
  freeMemory: WebAssembly.Global<'i32'>;
  setColors(bits: number, isFull: boolean, kr: number, kb: number, ...matrix: readonly number[]): void;
  convert(
    from: number,
    to: number,
    rows: number,
    width: number,
    height: number,
    shiftX: number,
    shiftY: number,
    isHlg: boolean,
  ): void;
  setAlpha(from: number, to: number, pixels: number, bits: number): void;
};

/** A frame as `VideoFrame.copyTo` gives it. The colors are those of `VideoColorSpace`; TypeScript does not know all of them. */
export type HdrPlanes = {
  format: string | null;
  width: number;
  height: number;
  data: Uint8Array;
  colors: {
    transfer?: string | null;
    primaries?: string | null;
    matrix?: string | null;
    fullRange?: boolean | null;
  };
};

/** In TypeScript's library for ES2025. Node gets it with version 24. */
declare const Float16Array: new (buffer: ArrayBuffer) => ImageDataArray;

/** From the light of BT.2020 to that of BT.709, by rows: the inverted matrix of BT.2087. */
const bt2020 = [1.660491, -0.587641, -0.07285, -0.12455, 1.1329, -0.008349, -0.018151, -0.100579, 1.11873];

/** The same for other primaries. `smpte432` is Display P3. */
const toBt709: Readonly<Record<string, readonly number[]>> = {
  smpte432: [1.22494, -0.22494, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274],
  bt709: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};

/** Parts of red and blue in luma. */
const lumaParts: Readonly<Record<string, readonly [kr: number, kb: number]>> = {
  'bt2020-ncl': [0.2627, 0.0593],
  bt709: [0.2126, 0.0722],
};

const pageBytes = 65_536;
/** Bytes behind each part of the memory that the kernel may read or write. */
const margin = 32;

/** Returns a function that converts frames and leaves them open. `wasmUrl`: the address of `hdrFrames.wasm`. */
export async function openHdrConverter(wasmUrl: string): Promise<(frame: VideoFrame) => Promise<ImageData>> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasmUrl));
  const kernel = instance.exports as unknown as HdrKernel;
  return async (frame) => {
    const { format, colorSpace, visibleRect } = frame;
    const { width = 0, height = 0 } = visibleRect ?? {};
    const data = new Uint8Array(frame.allocationSize());
    await frame.copyTo(data);
    const pixels = convertPlanes(kernel, { format, width, height, data, colors: colorSpace });
    return new ImageData(new Float16Array(pixels), width, height, { pixelFormat: 'rgba-float16', colorSpace: 'srgb' });
  };
}

/** Returns RGBA as half floats. Throws an Error for formats and matrices that are not supported. */
export function convertPlanes(
  kernel: HdrKernel,
  { format, width, height, data: samples, colors }: HdrPlanes,
): ArrayBuffer {
  const { bits, shiftX, shiftY, hasAlpha } = readFormat(format);
  const data = bits === 8 ? new Uint8Array(Uint16Array.from(samples).buffer) : samples;
  const from = kernel.freeMemory.value;
  const to = from + data.length + margin;
  const pixelBytes = width * height * 8;
  const rows = to + pixelBytes + margin;
  reserve(kernel.memory, rows + 3 * (2 * width + 64) + margin);
  new Uint8Array(kernel.memory.buffer, from).set(data);
  const [kr, kb] = lumaPartsOf(colors.matrix ?? 'bt2020-ncl');
  kernel.setColors(bits, colors.fullRange ?? false, kr, kb, ...(toBt709[colors.primaries ?? ''] ?? bt2020));
  kernel.convert(from, to, rows, width, height, shiftX, shiftY, colors.transfer === 'hlg');
  if (hasAlpha) kernel.setAlpha(from + data.length - width * height * 2, to, width * height, bits);
  return kernel.memory.buffer.slice(to, to + pixelBytes);
}

/** Reads a `VideoPixelFormat` such as `I420P10`. `shiftX`, `shiftY`: 1 if chroma has half of the size. */
function readFormat(format: string | null) {
  const [, chroma, alpha, bits] = /^I(420|422|444)(A?)(?:P(10|12))?$/.exec(format ?? '') ?? [];
  if (chroma === undefined) throw new Error(`HDR frames in the format ${format} cannot be converted`);
  return {
    bits: Number(bits ?? 8),
    shiftX: chroma === '444' ? 0 : 1,
    shiftY: chroma === '420' ? 1 : 0,
    hasAlpha: alpha === 'A',
  };
}

function lumaPartsOf(matrix: string): readonly [kr: number, kb: number] {
  const parts = lumaParts[matrix];
  if (parts === undefined) throw new Error(`HDR frames with the matrix ${matrix} cannot be converted`);
  return parts;
}

function reserve(memory: WebAssembly.Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
  if (missing > 0) memory.grow(missing);
}

// Converts frames of HDR video (PQ or HLG, 10 or 12 bits) to half floats in sRGB, which goes on below 0 and above 1: 1 is
// 203 cd/m2 (BT.2408). AssemblyScript with SIMD. Powers are read from tables, which are filled when the module starts.

/** Steps of a table of light, for signals from 0 to 1. Light between two steps is interpolated, with an error below 1e-6. */
const steps = 4096;
/** Signals end at 1.125. The codes of limited range end at 1.09. */
const lastStep = 4608;
const pqLight: usize = 65536;
const hlgLight: usize = pqLight + (lastStep + 2) * 4;
/** Halves of sRGB for light from 2^-16 to 2^7, 1024 for each power of two. Then the same for negative light. */
const halves: usize = hlgLight + (lastStep + 2) * 4;
const halfCount: i32 = 23 << 10;
const leastBits: i32 = (127 - 16) << 23;

/** Where memory is free, behind the tables. */
export const freeMemory: i32 = 4 * 65536;

// From codes to steps of red, green and blue. Chroma is in eighths of codes.
let lumaFactor = f32x4.splat(0), redV = f32x4.splat(0), greenU = f32x4.splat(0), greenV = f32x4.splat(0), blueU = f32x4.splat(0);
let redPlus = f32x4.splat(0), greenPlus = f32x4.splat(0), bluePlus = f32x4.splat(0);
// The matrix from the light of the video to BT.709, by columns.
let redToRed = f32x4.splat(0), redToGreen = f32x4.splat(0), redToBlue = f32x4.splat(0);
let greenToRed = f32x4.splat(0), greenToGreen = f32x4.splat(0), greenToBlue = f32x4.splat(0);
let blueToRed = f32x4.splat(0), blueToGreen = f32x4.splat(0), blueToBlue = f32x4.splat(0);

for (let i = 0; i <= lastStep + 1; i++) {
  store<f32>(pqLight + i * 4, f32(pqToLight(min(1.0, f64(i) / steps))));
  store<f32>(hlgLight + i * 4, f32(hlgToScene(f64(i) / steps)));
}
for (let i = 1; i < halfCount; i++) {
  const half = toHalf(f32(encode(reinterpret<f32>(leastBits + (i << 13)))));
  store<u16>(halves + i * 2, half);
  store<u16>(halves + (halfCount + i) * 2, half | 0x8000);
}

/** SMPTE ST 2084, in units of 203 cd/m2. */
function pqToLight(signal: f64): f64 {
  const p = Math.pow(signal, 32.0 / 2523.0);
  return (10000.0 / 203.0) * Math.pow(max(0.0, p - 0.8359375) / (18.8515625 - 18.6875 * p), 8192.0 / 1305.0);
}

/** BT.2100: light of the scene, from 0 to 1. */
function hlgToScene(signal: f64): f64 {
  return signal <= 0.5 ? (signal * signal) / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12;
}

function encode(light: f64): f64 {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * Math.pow(light, 1 / 2.4) - 0.055;
}

/** The nearest half float of a number that is not negative. */
function toHalf(value: f32): u16 {
  if (value < 0.00006103515625) return u16(nearest(value * 16777216));
  const bits = reinterpret<u32>(value) - 0x38000000;
  return u16((bits + 0xfff + ((bits >> 13) & 1)) >> 13);
}

/** Sets the colors of the frames. `kr`, `kb`: parts of red and blue in luma. The matrix is given by rows. */
export function setColors(
  bits: i32, isFull: bool, kr: f64, kb: f64, rr: f64, rg: f64, rb: f64, gr: f64, gg: f64, gb: f64, br: f64, bg: f64, bb: f64,
): void {
  const unit = f64(1 << (bits - 8)), full = f64((1 << bits) - 1), kg = 1.0 - kr - kb;
  const luma = f64(steps) / (isFull ? full : 219.0 * unit), chroma = f64(steps) / (isFull ? full : 224.0 * unit) / 8.0;
  const rv = chroma * 2.0 * (1.0 - kr), bu = chroma * 2.0 * (1.0 - kb), gu = (-bu * kb) / kg, gv = (-rv * kr) / kg;
  const black = isFull ? 0.0 : -16.0 * unit * luma, middle = 8.0 * 128.0 * unit;
  lumaFactor = all(luma);
  redV = all(rv); greenU = all(gu); greenV = all(gv); blueU = all(bu);
  redPlus = all(black - rv * middle); greenPlus = all(black - (gu + gv) * middle); bluePlus = all(black - bu * middle);
  redToRed = all(rr); greenToRed = all(rg); blueToRed = all(rb);
  redToGreen = all(gr); greenToGreen = all(gg); blueToGreen = all(gb);
  redToBlue = all(br); greenToBlue = all(bg); blueToBlue = all(bb);
}

function all(value: f64): v128 {
  return f32x4.splat(f32(value));
}

/** Weighs three vectors. */
@inline function mix(a: v128, ka: v128, b: v128, kb: v128, c: v128, kc: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(a, ka), f32x4.mul(b, kb)), f32x4.mul(c, kc));
}

/** Reads the light of four signals, which are in steps. */
@inline function lightOf(signals: v128, table: usize): v128 {
  const at = f32x4.pmin(f32x4.pmax(signals, f32x4.splat(0)), f32x4.splat(f32(lastStep)));
  const whole = i32x4.trunc_sat_f32x4_s(at), offsets = i32x4.shl(whole, 2);
  const first = v128.load64_lane(table + i32x4.extract_lane(offsets, 1), v128.load64_zero(table + i32x4.extract_lane(offsets, 0)), 1);
  const last = v128.load64_lane(table + i32x4.extract_lane(offsets, 3), v128.load64_zero(table + i32x4.extract_lane(offsets, 2)), 1);
  const from = v128.shuffle<f32>(first, last, 0, 2, 4, 6), to = v128.shuffle<f32>(first, last, 1, 3, 5, 7);
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), f32x4.sub(at, f32x4.convert_i32x4_s(whole))));
}

/** BT.2100: the OOTF of a display of 1000 cd/m2 multiplies light by the fifth root of the luminance of the scene. */
@inline function displayFactor(r: v128, g: v128, b: v128): v128 {
  const luminance = f32x4.pmax(mix(r, f32x4.splat(0.2627), g, f32x4.splat(0.678), b, f32x4.splat(0.0593)), f32x4.splat(1e-9));
  // The bits of a float, divided by 5 (3277 / 2^14), give almost its root. A step of Halley's method leaves an error below 1e-4.
  const fifth = i32x4.shr_s(i32x4.mul(i32x4.shr_s(luminance, 13), i32x4.splat(3277)), 1);
  const root = i32x4.add(fifth, i32x4.splat(851972000)), square = f32x4.mul(root, root);
  const power = f32x4.mul(f32x4.mul(square, square), root), twice = f32x4.add(power, power), two = f32x4.add(luminance, luminance);
  const ratio = f32x4.div(f32x4.add(twice, f32x4.add(two, luminance)), f32x4.add(f32x4.add(twice, power), two));
  return f32x4.mul(f32x4.mul(root, ratio), f32x4.splat(1000.0 / 203.0));
}

/** The offsets of four half floats in their table. */
@inline function halvesOf(light: v128): v128 {
  const size = v128.and(light, i32x4.splat(0x7fffffff));
  const nearest = i32x4.shr_s(i32x4.sub(size, i32x4.splat(leastBits - 0x1000)), 13);
  const index = i32x4.min_s(i32x4.max_s(nearest, i32x4.splat(0)), i32x4.splat(halfCount - 1));
  return i32x4.shl(i32x4.add(index, v128.and(i32x4.shr_s(light, 31), i32x4.splat(halfCount))), 1);
}

/** Writes two opaque pixels. */
@inline function store2(to: usize, r0: i32, g0: i32, b0: i32, r1: i32, g1: i32, b1: i32): void {
  let pixels = v128.load16_lane(halves + r0, i64x2.splat(0x3c00000000000000), 0);
  pixels = v128.load16_lane(halves + g0, pixels, 1);
  pixels = v128.load16_lane(halves + b0, pixels, 2);
  pixels = v128.load16_lane(halves + r1, pixels, 4);
  pixels = v128.load16_lane(halves + g1, pixels, 5);
  v128.store(to, v128.load16_lane(halves + b1, pixels, 6));
}

/** Converts four pixels. `u` and `v` point to eighths of codes. */
@inline function pixels4(yAt: usize, uAt: usize, vAt: usize, to: usize, isHlg: bool): void {
  const u = f32x4.convert_i32x4_s(v128.load16x4_u(uAt)), v = f32x4.convert_i32x4_s(v128.load16x4_u(vAt));
  const y = f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_u(yAt)), lumaFactor);
  const table = isHlg ? hlgLight : pqLight;
  let r = lightOf(f32x4.add(f32x4.add(y, redPlus), f32x4.mul(v, redV)), table);
  let g = lightOf(f32x4.add(f32x4.add(y, greenPlus), f32x4.add(f32x4.mul(u, greenU), f32x4.mul(v, greenV))), table);
  let b = lightOf(f32x4.add(f32x4.add(y, bluePlus), f32x4.mul(u, blueU)), table);
  if (isHlg) {
    const factor = displayFactor(r, g, b);
    r = f32x4.mul(r, factor);
    g = f32x4.mul(g, factor);
    b = f32x4.mul(b, factor);
  }
  const red = halvesOf(mix(r, redToRed, g, greenToRed, b, blueToRed));
  const green = halvesOf(mix(r, redToGreen, g, greenToGreen, b, blueToGreen));
  const blue = halvesOf(mix(r, redToBlue, g, greenToBlue, b, blueToBlue));
  store2(
    to, i32x4.extract_lane(red, 0), i32x4.extract_lane(green, 0), i32x4.extract_lane(blue, 0),
    i32x4.extract_lane(red, 1), i32x4.extract_lane(green, 1), i32x4.extract_lane(blue, 1),
  );
  store2(
    to + 16, i32x4.extract_lane(red, 2), i32x4.extract_lane(green, 2), i32x4.extract_lane(blue, 2),
    i32x4.extract_lane(red, 3), i32x4.extract_lane(green, 3), i32x4.extract_lane(blue, 3),
  );
}

/**
 * Writes the chroma of a row of pixels, in eighths of codes. Samples of reduced chroma are between two rows, and in columns with
 * even numbers, as in MPEG-2. Chroma between them is interpolated. `blend`: free memory for a row.
 */
function chromaRow(
  plane: usize, width: i32, height: i32, y: i32, shiftX: i32, shiftY: i32, blend: usize, to: usize,
): void {
  const bytes = usize(width) * 2, row = y >> shiftY;
  const other = shiftY == 0 ? row : min(max(row + (y & 1) * 2 - 1, 0), height - 1);
  const near = plane + usize(row) * bytes, far = plane + usize(other) * bytes;
  const quarters = shiftX == 0 ? to : blend;
  for (let at: usize = 0; at < bytes; at += 16) {
    const a = v128.load(near + at), sum = i16x8.add(i16x8.add(a, i16x8.shl(a, 1)), v128.load(far + at));
    v128.store(quarters + at, i16x8.shl(sum, 1 - shiftX));
  }
  if (shiftX == 0) return;
  store<u16>(blend + bytes, load<u16>(blend + bytes - 2));
  for (let at: usize = 0; at < bytes; at += 16) {
    const a = v128.load(blend + at), even = i16x8.shl(a, 1), odd = i16x8.add(a, v128.load(blend + at, 2));
    v128.store(to + at * 2, v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to + at * 2, v128.shuffle<i16>(even, odd, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

/**
 * Converts a frame. `from`: planes without gaps, of 16-bit samples. `to`: 8 bytes for each pixel. `rows`: 3 * (2 * width + 64)
 * bytes. Some bytes after each of them are read or written, at most 32. `shiftX`, `shiftY`: 1 if chroma has half of the size.
 */
export function convert(
  from: usize, to: usize, rows: usize, width: i32, height: i32, shiftX: i32, shiftY: i32, isHlg: bool,
): void {
  const chromaWidth = (width + shiftX) >> shiftX, chromaHeight = (height + shiftY) >> shiftY;
  const u = from + usize(width) * usize(height) * 2, v = u + usize(chromaWidth) * usize(chromaHeight) * 2;
  const uRow = rows + usize(width) * 2 + 64, vRow = uRow + usize(width) * 2 + 64;
  for (let y = 0; y < height; y++) {
    chromaRow(u, chromaWidth, chromaHeight, y, shiftX, shiftY, rows, uRow);
    chromaRow(v, chromaWidth, chromaHeight, y, shiftX, shiftY, rows, vRow);
    const yRow = from + usize(y) * usize(width) * 2, toRow = to + usize(y) * usize(width) * 8;
    // The last step may cross the end of the row. The next row overwrites that.
    for (let x: usize = 0; x < usize(width); x += 4) pixels4(yRow + x * 2, uRow + x * 2, vRow + x * 2, toRow + x * 8, isHlg);
  }
}

/** Writes the alpha of opaque pixels. */
export function setAlpha(from: usize, to: usize, pixels: i32, bits: i32): void {
  const full = f32((1 << bits) - 1);
  for (let at: usize = 0; at < usize(pixels); at++) store<u16>(to + at * 8, toHalf(f32(load<u16>(from + at * 2)) / full), 6);
}

// Converts half floats of the browser (RGBA with the sRGB curve, beyond 0 and 1, alpha not premultiplied) to planes of 10 bits in
// limited range: SDR in BT.709, or HDR in BT.2020 with a curve from deepTables.ts. For images, HDR is RGBA with 16 bits.
// AssemblyScript with SIMD.

/** 203 nits are 1, so that 1,000 nits are this. */
const hlgWhite: f32 = 1000.0 / 203.0;
/** 2^-27 and its bits; the lowest light in a table. There are 256 entries between two powers of 2. */
const lowest: f32 = 7.450580596923828e-9;
const lowestBits: u32 = 100 << 23;
const highest: f32 = 127.99;

/** The light of a channel by the bits of its half float. 1 is 203 nits. */
let toLight: usize = 0;
/** The curve of the video, by light for PQ, and by the light of the scene for HLG. */
let toCurve: usize = 0;
/** The factor from the light of the display to that of the scene for HLG, by luminance. 0 for other curves. */
let toScene: usize = 0;
let red: f32 = 0.2126, green: f32 = 0.7152, blue: f32 = 0.0722;

// The pixel that was converted last: flat areas are converted once.
let pixel: u64 = 0;
let colors: v128 = f32x4.splat(0);
let light: f32 = 0;

let peak: f32 = 0;
let sum: f64 = 0;

/** Positions of the tables; 0 without them. `toCurve` is 0 for SDR. */
export function useTables(light: usize, curve: usize, scene: usize): void {
  toLight = light;
  toCurve = curve;
  toScene = scene;
  red = curve ? 0.2627 : 0.2126;
  green = curve ? 0.678 : 0.7152;
  blue = curve ? 0.0593 : 0.0722;
}

/** The brightest color of the last frame, and the mean of the brightest colors of its pixels. 1 is 203 nits. */
export function peakLight(): f32 {
  return peak;
}

export function meanLight(pixels: i32): f32 {
  return f32(sum / f64(pixels));
}

/** Four half floats as floats. */
@inline function floats(at: usize): v128 {
  const bits = i32x4.extend_low_i16x8_u(v128.load64_zero(at));
  const sign = v128.and(bits, i32x4.splat(0x8000));
  // The factor 2^112 is the difference of the exponents. It is right for subnormal numbers too.
  const value = f32x4.mul(i32x4.shl(v128.xor(bits, sign), 13), f32x4.splat(5.192296858534828e33));
  return v128.or(value, i32x4.shl(sign, 16));
}

/** A value of a table, with linear interpolation. */
@inline function lookUp(table: usize, value: f32): f32 {
  const bits = reinterpret<u32>(min(max(value, lowest), highest));
  const at = table + usize((bits - lowestBits) >> 15) * 4;
  const low = load<f32>(at);
  return low + (load<f32>(at, 4) - low) * (f32(bits & 0x7fff) * (1.0 / 32768.0));
}

@inline function lightOf(at: usize): f32 {
  return load<f32>(toLight + usize(load<u16>(at)) * 4);
}

/** The matrix is from Rec. ITU-R BT.2087. */
function convertLight(at: usize): void {
  const r = lightOf(at), g = lightOf(at + 2), b = lightOf(at + 4);
  let x = max<f32>(0, 0.627404 * r + 0.329283 * g + 0.043313 * b);
  let y = max<f32>(0, 0.069097 * r + 0.91954 * g + 0.011362 * b);
  let z = max<f32>(0, 0.016391 * r + 0.088013 * g + 0.895595 * b);
  light = max(x, max(y, z));
  if (toScene) {
    const scene = lookUp(toScene, 0.2627 * x + 0.678 * y + 0.0593 * z);
    x *= scene;
    y *= scene;
    z *= scene;
  }
  colors = f32x4(lookUp(toCurve, x), lookUp(toCurve, y), lookUp(toCurve, z), 0);
}

/** Red, green and blue of a pixel from 0 to 1, with the curve of the video. */
@inline function colorsOf(at: usize): v128 {
  if (!toCurve) return f32x4.min(f32x4.max(floats(at), f32x4.splat(0)), f32x4.splat(1));
  const found = load<u64>(at);
  if (found != pixel) {
    pixel = found;
    convertLight(at);
    peak = max(peak, light);
  }
  sum += light;
  return colors;
}

@inline function weigh(value: v128, weights: v128): f32 {
  const product = f32x4.mul(value, weights);
  return f32x4.extract_lane(product, 0) + f32x4.extract_lane(product, 1) + f32x4.extract_lane(product, 2);
}

@inline function put(at: usize, value: f32): void {
  store<u16>(at, u16(value + 0.5));
}

function begin(): void {
  // No pixel: it would have negative infinite alpha.
  pixel = 0xfc00000000000000;
  peak = 0;
  sum = 0;
}

@inline function lumaWeights(): v128 {
  return f32x4.mul(f32x4(red, green, blue, 0), f32x4.splat(876));
}

@inline function blueWeights(): v128 {
  return f32x4.mul(f32x4(-red, -green, 1 - blue, 0), f32x4.splat(448.0 / (1 - blue)));
}

@inline function redWeights(): v128 {
  return f32x4.mul(f32x4(1 - red, -green, -blue, 0), f32x4.splat(448.0 / (1 - red)));
}

/** Width and height must be even. `to`: planes Y, U and V of 16 bits. Chroma is the mean of each 2x2 block. */
export function toYuv420p10(from: usize, to: usize, width: i32, height: i32): void {
  begin();
  const ky = lumaWeights(), quarter = f32x4.splat(0.25);
  const ku = f32x4.mul(blueWeights(), quarter), kv = f32x4.mul(redWeights(), quarter);
  const stride = usize(width) * 2;
  let u = to + stride * usize(height), v = u + (stride >> 1) * usize(height >> 1);
  for (let row = 0; row < height; row += 2) {
    let a = from + usize(row) * usize(width) * 8, b = a + usize(width) * 8;
    let y = to + usize(row) * stride;
    for (let column = 0; column < width; column += 2) {
      const first = colorsOf(a), second = colorsOf(a + 8), third = colorsOf(b), fourth = colorsOf(b + 8);
      put(y, weigh(first, ky) + 64);
      put(y + 2, weigh(second, ky) + 64);
      put(y + stride, weigh(third, ky) + 64);
      put(y + stride + 2, weigh(fourth, ky) + 64);
      const all = f32x4.add(f32x4.add(first, second), f32x4.add(third, fourth));
      put(u, weigh(all, ku) + 512);
      put(v, weigh(all, kv) + 512);
      a += 16;
      b += 16;
      y += 4;
      u += 2;
      v += 2;
    }
  }
}

/** `to`: planes Y, U, V and A of 16 bits. Alpha has the full range. */
export function toYuva444p10(from: usize, to: usize, pixels: i32): void {
  begin();
  const ky = lumaWeights(), ku = blueWeights(), kv = redWeights();
  const plane = usize(pixels) * 2;
  for (let at: usize = 0; at < plane; at += 2) {
    const p = from + at * 4, y = to + at;
    const found = colorsOf(p);
    put(y, weigh(found, ky) + 64);
    put(y + plane, weigh(found, ku) + 512);
    put(y + 2 * plane, weigh(found, kv) + 512);
    put(y + 3 * plane, f32x4.extract_lane(found, 3) * 1023);
  }
}

/** `to`: red, green, blue and alpha of 16 bits in full range, the high byte first as in PNG files. For HDR only. */
export function toRgba64(from: usize, to: usize, pixels: i32): void {
  begin();
  for (let at: usize = 0, end = usize(pixels) * 8; at < end; at += 8) {
    const alpha = f32x4.extract_lane(floats(from + at), 3);
    const scaled = f32x4.mul(f32x4.replace_lane(colorsOf(from + at), 3, min<f32>(1, max<f32>(0, alpha))), f32x4.splat(65535));
    const words = i32x4.trunc_sat_f32x4_u(f32x4.add(scaled, f32x4.splat(0.5)));
    // The two low bytes of each of the four numbers, swapped.
    v128.store64_lane(to + at, i8x16.swizzle(words, i8x16(1, 0, 5, 4, 9, 8, 13, 12, 0, 0, 0, 0, 0, 0, 0, 0)), 0);
  }
}

// Converts pixels of the browser (8-bit BGRX or RGBX) to I420 for H.264: BT.709, limited range. AssemblyScript with SIMD.
// The coefficients are those of BT.709 (Kr 0.2126, Kb 0.0722) times 219/255 (luma) or 224/255 (chroma), in units of 1/2^15.
// Chroma is the mean of each 2x2 block. Width and height must be even.

const lumaRound: i32 = (16 << 15) + (1 << 14);
// Chroma is the sum of four pixels, so it is shifted by two more bits.
const chromaRound: i32 = (128 << 17) + (1 << 16);

@inline function luma4(pixels: v128, k: v128): v128 {
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pixels), k);
  const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pixels), k);
  const sum = i32x4.add(v128.shuffle<i32>(low, high, 0, 2, 4, 6), v128.shuffle<i32>(low, high, 1, 3, 5, 7));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(lumaRound)), 15);
}

@inline function luma16(from: usize, k: v128): v128 {
  return i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(luma4(v128.load(from), k), luma4(v128.load(from, 16), k)),
    i16x8.narrow_i32x4_s(luma4(v128.load(from, 32), k), luma4(v128.load(from, 48), k)),
  );
}

// Sums two 2x2 blocks: 4 pixels of row `a` and 4 of row `b` result in two sums of four channels.
@inline function blocks2(a: usize, b: usize): v128 {
  const p = v128.load(a), q = v128.load(b);
  const low = i16x8.add(i16x8.extend_low_i8x16_u(p), i16x8.extend_low_i8x16_u(q));
  const high = i16x8.add(i16x8.extend_high_i8x16_u(p), i16x8.extend_high_i8x16_u(q));
  return i16x8.add(v128.shuffle<i64>(low, high, 0, 2), v128.shuffle<i64>(low, high, 1, 3));
}

@inline function chroma4(a: v128, b: v128, k: v128): v128 {
  const x = i32x4.dot_i16x8_s(a, k), y = i32x4.dot_i16x8_s(b, k);
  const sum = i32x4.add(v128.shuffle<i32>(x, y, 0, 2, 4, 6), v128.shuffle<i32>(x, y, 1, 3, 5, 7));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(chromaRound)), 17);
}

@inline function chroma8(b0: v128, b1: v128, b2: v128, b3: v128, k: v128): v128 {
  const c = i16x8.narrow_i32x4_s(chroma4(b0, b1, k), chroma4(b2, b3, k));
  return i8x16.narrow_i16x8_u(c, c);
}

@inline function clampByte(value: i32): u8 {
  return u8(max(0, min(255, value)));
}

@inline function weigh(at: usize, k0: i32, k1: i32, k2: i32): i32 {
  return i32(load<u8>(at)) * k0 + i32(load<u8>(at, 1)) * k1 + i32(load<u8>(at, 2)) * k2;
}

/** Converts one 2x2 block without SIMD, for frames narrower than 16 pixels. */
function block(p: usize, q: usize, y0: usize, y1: usize, u: usize, v: usize, blueFirst: bool): void {
  const r = blueFirst ? 2032 : 5983, b = blueFirst ? 5983 : 2032;
  store<u8>(y0, clampByte((weigh(p, r, 20127, b) + lumaRound) >> 15));
  store<u8>(y0 + 1, clampByte((weigh(p + 4, r, 20127, b) + lumaRound) >> 15));
  store<u8>(y1, clampByte((weigh(q, r, 20127, b) + lumaRound) >> 15));
  store<u8>(y1 + 1, clampByte((weigh(q + 4, r, 20127, b) + lumaRound) >> 15));
  const u0 = blueFirst ? 14392 : -3298, u2 = blueFirst ? -3298 : 14392;
  const v0 = blueFirst ? -1320 : 14392, v2 = blueFirst ? 14392 : -1320;
  const us = weigh(p, u0, -11094, u2) + weigh(p + 4, u0, -11094, u2) + weigh(q, u0, -11094, u2) + weigh(q + 4, u0, -11094, u2);
  const vs = weigh(p, v0, -13072, v2) + weigh(p + 4, v0, -13072, v2) + weigh(q, v0, -13072, v2) + weigh(q + 4, v0, -13072, v2);
  store<u8>(u, clampByte((us + chromaRound) >> 17));
  store<u8>(v, clampByte((vs + chromaRound) >> 17));
}

/** Converts a frame. `from`: width*height*4 bytes. `to`: width*height*3/2 bytes, planes Y, U, V. */
export function toI420(from: usize, to: usize, width: i32, height: i32, blueFirst: bool): void {
  const ky = blueFirst ? i16x8(2032, 20127, 5983, 0, 2032, 20127, 5983, 0) : i16x8(5983, 20127, 2032, 0, 5983, 20127, 2032, 0);
  const ku = blueFirst ? i16x8(14392, -11094, -3298, 0, 14392, -11094, -3298, 0) : i16x8(-3298, -11094, 14392, 0, -3298, -11094, 14392, 0);
  const kv = blueFirst ? i16x8(-1320, -13072, 14392, 0, -1320, -13072, 14392, 0) : i16x8(14392, -13072, -1320, 0, 14392, -13072, -1320, 0);
  const half = usize(width >> 1);
  const uPlane = to + usize(width) * usize(height);
  const vPlane = uPlane + half * usize(height >> 1);
  for (let y = 0; y < height; y += 2) {
    const p = from + usize(y) * usize(width) * 4, q = p + usize(width) * 4;
    const y0 = to + usize(y) * usize(width), y1 = y0 + usize(width);
    const u = uPlane + usize(y >> 1) * half, v = vPlane + usize(y >> 1) * half;
    if (width < 16) {
      for (let x: usize = 0; x < usize(width); x += 2) block(p + x * 4, q + x * 4, y0 + x, y1 + x, u + (x >> 1), v + (x >> 1), blueFirst);
      continue;
    }
    for (let at = 0; at < width; at += 16) {
      // The last step starts earlier instead of crossing the edge. It writes some pixels twice, with the same values.
      const x = usize(min(at, width - 16));
      const a = p + x * 4, b = q + x * 4;
      v128.store(y0 + x, luma16(a, ky));
      v128.store(y1 + x, luma16(b, ky));
      const b0 = blocks2(a, b), b1 = blocks2(a + 16, b + 16), b2 = blocks2(a + 32, b + 32), b3 = blocks2(a + 48, b + 48);
      v128.store64_lane(u + (x >> 1), chroma8(b0, b1, b2, b3, ku), 0);
      v128.store64_lane(v + (x >> 1), chroma8(b0, b1, b2, b3, kv), 0);
    }
  }
}

/** Whether all pixels are transparent. */
export function isEmpty(at: usize, bytes: usize): bool {
  for (let p = at; p < at + bytes; p += 16) if (v128.any_true(v128.load(p))) return false;
  return true;
}

/**
 * Blends a drawing with premultiplied alpha, as canvases store it, over an I420 frame of the same size. Width and height
 * must be even, and the length of `over` a multiple of 16 bytes.
 */
export function layOver(over: usize, to: usize, width: i32, height: i32, blueFirst: bool): void {
  const r = blueFirst ? 2032 : 5983, b = blueFirst ? 5983 : 2032;
  const u0 = blueFirst ? 14392 : -3298, u2 = blueFirst ? -3298 : 14392;
  const v0 = blueFirst ? -1320 : 14392, v2 = blueFirst ? 14392 : -1320;
  const stride = usize(width);
  const uPlane = to + stride * usize(height), vPlane = uPlane + (stride >> 1) * usize(height >> 1);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const p = over + (usize(y) * stride + usize(x)) * 4, q = p + stride * 4;
      // Checks both pixels of a row at once, because most pixels are transparent.
      if (load<u64>(p) == 0 && load<u64>(q) == 0) continue;
      const at = to + usize(y) * stride + usize(x);
      coverLuma(p, at, r, b);
      coverLuma(p + 4, at + 1, r, b);
      coverLuma(q, at + stride, r, b);
      coverLuma(q + 4, at + stride + 1, r, b);
      const alpha = i32(load<u8>(p, 3)) + i32(load<u8>(p, 7)) + i32(load<u8>(q, 3)) + i32(load<u8>(q, 7));
      const c = usize(y >> 1) * (stride >> 1) + usize(x >> 1);
      coverChroma(p, q, uPlane + c, alpha, u0, -11094, u2);
      coverChroma(p, q, vPlane + c, alpha, v0, -13072, v2);
    }
  }
}

/** The same for RGBA pixels. `to` must be opaque. */
export function layOverPixels(over: usize, to: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 4) {
    const rest = 255 - u32(load<u8>(over + at, 3));
    if (rest == 255) continue;
    for (let c: usize = 0; c < 3; c++) {
      const below = (u32(load<u8>(to + at + c)) * rest + 127) / 255;
      store<u8>(to + at + c, u8(min<u32>(255, u32(load<u8>(over + at + c)) + below)));
    }
  }
}

@inline function coverLuma(from: usize, to: usize, r: i32, b: i32): void {
  const alpha = i32(load<u8>(from, 3));
  const below = (i32(load<u8>(to)) * (255 - alpha) + 16 * alpha + 127) / 255;
  store<u8>(to, clampByte(((weigh(from, r, 20127, b) + (1 << 14)) >> 15) + below));
}

@inline function coverChroma(p: usize, q: usize, to: usize, alpha: i32, k0: i32, k1: i32, k2: i32): void {
  const sum = weigh(p, k0, k1, k2) + weigh(p + 4, k0, k1, k2) + weigh(q, k0, k1, k2) + weigh(q + 4, k0, k1, k2);
  const below = (i32(load<u8>(to)) * (1020 - alpha) + 128 * alpha + 510) / 1020;
  store<u8>(to, clampByte(((sum + (1 << 16)) >> 17) + below));
}

/** Converts RGBA pixels from premultiplied alpha, as canvases store them, to straight alpha, as PNG files store them. */
export function unpremultiply(at: usize, bytes: usize): void {
  const alpha = i32x4.splat(0xff000000);
  for (let p = at; p < at + bytes; p += 4) {
    // Checks four pixels at a time, because most pixels are opaque or transparent.
    if (p + 16 <= at + bytes) {
      const a = v128.and(v128.load(p), alpha);
      if (i32x4.all_true(i32x4.eq(a, alpha)) || !v128.any_true(a)) {
        p += 12;
        continue;
      }
    }
    const a = u32(load<u8>(p, 3));
    if (a == 0 || a == 255) continue;
    for (let c: usize = 0; c < 3; c++) store<u8>(p + c, u8(min<u32>(255, (u32(load<u8>(p + c)) * 255 + (a >> 1)) / a)));
  }
}

/**
 * Blends RGBA pixels over grey, on which missing black and missing white are both visible. Colors of nearly transparent
 * pixels have little effect. `multiplied`: the alpha is premultiplied.
 */
export function onGrey(at: usize, bytes: usize, multiplied: bool): void {
  for (let p = at; p < at + bytes; p += 4) {
    const a = u32(load<u8>(p, 3));
    if (a == 255) continue;
    for (let c: usize = 0; c < 3; c++) {
      const color = u32(load<u8>(p + c));
      const seen = multiplied ? color : (color * a + 127) / 255;
      store<u8>(p + c, u8(min<u32>(255, seen + (128 * (255 - a) + 127) / 255)));
    }
  }
}

/** Whether all pixels are equal. */
export function isPlain(at: usize, bytes: usize): bool {
  const first = load<u32>(at);
  for (let p = at + 4; p < at + bytes; p += 4) if (load<u32>(p) != first) return false;
  return true;
}

/** Whether two byte ranges are equal. */
export function equal(a: usize, b: usize, bytes: usize): bool {
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    if (v128.any_true(v128.xor(v128.load(a + at), v128.load(b + at)))) return false;
  }
  for (; at < bytes; at++) if (load<u8>(a + at) != load<u8>(b + at)) return false;
  return true;
}

// Smooths a row: each pixel becomes the mean of 2x2 pixels. `to` gets one more pixel on each side: copies of the outer ones.
function smoothRow(from: usize, stride: i32, y: i32, width: i32, height: i32, to: usize): void {
  const at = from + usize(y) * usize(stride);
  const below = from + usize(min(height - 1, y + 1)) * usize(stride);
  const first = to + 4, bytes = usize(width) * 4;
  for (let x: usize = 0; x < bytes; x += 16)
    v128.store(first + x, i8x16.avgr_u(v128.load(at + x), v128.load(below + x)));
  store<u32>(first + bytes, load<u32>(first + bytes - 4));
  for (let x: usize = 0; x < bytes; x += 16)
    v128.store(first + x, i8x16.avgr_u(v128.load(first + x), v128.load(first + x, 4)));
  store<u32>(to, load<u32>(first));
  store<u32>(first + bytes, load<u32>(first + bytes - 4));
}

@inline function lowest3(at: usize): v128 {
  return i8x16.min_u(i8x16.min_u(v128.load(at), v128.load(at, 4)), v128.load(at, 8));
}

@inline function highest3(at: usize): v128 {
  return i8x16.max_u(i8x16.max_u(v128.load(at), v128.load(at, 4)), v128.load(at, 8));
}

@inline function lowest9(above: usize, at: usize, below: usize): v128 {
  return i8x16.min_u(i8x16.min_u(lowest3(above), lowest3(at)), lowest3(below));
}

@inline function highest9(above: usize, at: usize, below: usize): v128 {
  return i8x16.max_u(i8x16.max_u(highest3(above), highest3(at)), highest3(below));
}

@inline function beyondRange(value: v128, low: v128, high: v128): v128 {
  return v128.or(i8x16.sub_sat_u(value, high), i8x16.sub_sat_u(low, value));
}

/**
 * Counts the pixels of each cell of 8x8 that differ by more than what two correct rasterizers differ by, into a byte for
 * each cell. Both frames are smoothed, which spreads a line over two pixels wherever between them it is. Then a pixel
 * differs if a color of one frame is outside of the range of the 3x3 pixels there in the other, by more than `tolerance`
 * and a quarter of the contrast there. So an edge may be a pixel away. `scratch`: space for six rows of `width` + 16
 * pixels. Rows have `stride` bytes.
 */
export function countDifferences(
  a: usize, b: usize, stride: i32, width: i32, height: i32, tolerance: i32, scratch: usize, counts: usize,
): void {
  const row = usize(width + 16) * 4;
  const rowsA = scratch, rowsB = scratch + 3 * row;
  const columns = (width + 7) >> 3;
  memory.fill(counts, 0, usize(columns * ((height + 7) >> 3)));
  smoothRow(a, stride, 0, width, height, rowsA);
  smoothRow(b, stride, 0, width, height, rowsB);
  const limit = i8x16.splat(i8(tolerance));
  for (let y = 0; y < height; y++) {
    // Three smoothed rows are kept, each in the slot of its number modulo three.
    const above = usize(max(0, y - 1) % 3) * row, at = usize(y % 3) * row;
    const next = min(height - 1, y + 1), below = usize(next % 3) * row;
    if (next > y) {
      smoothRow(a, stride, next, width, height, rowsA + below);
      smoothRow(b, stride, next, width, height, rowsB + below);
    }
    const cells = counts + usize((y >> 3) * columns);
    for (let x = 0; x < width; x += 4) {
      const p = rowsA + usize(x) * 4, q = rowsB + usize(x) * 4;
      const lowA = lowest9(p + above, p + at, p + below), highA = highest9(p + above, p + at, p + below);
      const lowB = lowest9(q + above, q + at, q + below), highB = highest9(q + above, q + at, q + below);
      const beyond = i8x16.max_u(beyondRange(v128.load(p + at, 4), lowB, highB), beyondRange(v128.load(q + at, 4), lowA, highA));
      const contrast = i8x16.max_u(i8x16.sub(highA, lowA), i8x16.sub(highB, lowB));
      const allowed = i8x16.add_sat_u(limit, i8x16.shr_u(contrast, 2));
      const colors = v128.and(i8x16.gt_u(beyond, allowed), i32x4.splat(0x00ffffff));
      if (!v128.any_true(colors)) continue;
      const pixels = i32x4.bitmask(i32x4.ne(colors, i32x4.splat(0))) & ((1 << min(4, width - x)) - 1);
      const cell = cells + usize(x >> 3);
      store<u8>(cell, load<u8>(cell) + u8(popcnt(pixels)));
    }
  }
}

// The squared difference of the mean colors of a block of up to 16x16 pixels.
function blockError(a: usize, b: usize, stride: i32, left: i32, top: i32, right: i32, bottom: i32): f64 {
  let red = 0, green = 0, blue = 0;
  // A lane is the sum of up to 128 differences of at most 255, which just fits into 16 bits. Lanes: two pixels, four channels.
  let sums = i16x8.splat(0);
  const whole = left + ((right - left) & ~3);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < whole; x += 4) {
      const at = usize(y) * usize(stride) + usize(x) * 4;
      const p = v128.load(a + at), q = v128.load(b + at);
      sums = i16x8.add(sums, i16x8.sub(i16x8.extend_low_i8x16_u(p), i16x8.extend_low_i8x16_u(q)));
      sums = i16x8.add(sums, i16x8.sub(i16x8.extend_high_i8x16_u(p), i16x8.extend_high_i8x16_u(q)));
    }
    for (let x = whole; x < right; x++) {
      const at = usize(y) * usize(stride) + usize(x) * 4;
      red += i32(load<u8>(a + at)) - i32(load<u8>(b + at));
      green += i32(load<u8>(a + at, 1)) - i32(load<u8>(b + at, 1));
      blue += i32(load<u8>(a + at, 2)) - i32(load<u8>(b + at, 2));
    }
  }
  red += i32(i16x8.extract_lane_s(sums, 0)) + i32(i16x8.extract_lane_s(sums, 4));
  green += i32(i16x8.extract_lane_s(sums, 1)) + i32(i16x8.extract_lane_s(sums, 5));
  blue += i32(i16x8.extract_lane_s(sums, 2)) + i32(i16x8.extract_lane_s(sums, 6));
  const pixels = f64((right - left) * (bottom - top));
  return (f64(red) * f64(red) + f64(green) * f64(green) + f64(blue) * f64(blue)) / (3 * pixels * pixels);
}

/**
 * The difference of a tile of up to 64x64 pixels: the mean squared difference of the mean colors of its 16x16 blocks. It
 * is large if something is missing, moved or has another color, and small if only the anti-aliasing of text differs.
 */
export function tileError(a: usize, b: usize, stride: i32, left: i32, top: i32, right: i32, bottom: i32): f64 {
  let sum = 0.0;
  let blocks = 0;
  for (let y = top; y < bottom; y += 16) {
    for (let x = left; x < right; x += 16) {
      sum += blockError(a, b, stride, x, y, min(x + 16, right), min(y + 16, bottom));
      blocks++;
    }
  }
  return sum / f64(blocks);
}

// Reads which characters a WOFF2 font has.
import { brotliDecompressSync } from 'node:zlib';

/** The characters of a font, from its table `cmap`. */
export function fontCharacters(woff2: Buffer): number[] {
  const table = characterMap(woff2);
  const found = new Set<number>();
  const count = table.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const record = 4 + index * 8;
    const [platform, encoding] = [table.readUInt16BE(record), table.readUInt16BE(record + 2)];
    const isUnicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
    const map = table.subarray(table.readUInt32BE(record + 4));
    const format = map.readUInt16BE(0);
    if (isUnicode && format === 4) for (const code of segments(map)) found.add(code);
    if (isUnicode && format === 12) for (const code of groups(map)) found.add(code);
  }
  if (found.size === 0) throw new Error('The font has no Unicode character map of format 4 or 12');
  return [...found];
}

/** Format 4: segments of 16-bit characters. Glyph 0 is that of missing characters. */
function* segments(map: Buffer): Generator<number> {
  const size = map.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size];
  for (let at = 0; at < size; at += 2) {
    const last = Math.min(map.readUInt16BE(ends + at), 0xfffe);
    const first = map.readUInt16BE(starts + at);
    const delta = map.readUInt16BE(deltas + at);
    const offset = map.readUInt16BE(offsets + at);
    for (let code = first; code <= last; code++) {
      const glyph = offset === 0 ? code : map.readUInt16BE(offsets + at + offset + 2 * (code - first));
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) yield code;
    }
  }
}

/** Format 12: groups of characters with successive glyphs. */
function* groups(map: Buffer): Generator<number> {
  const count = map.readUInt32BE(12);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12;
    const [first, last, glyph] = [map.readUInt32BE(at), map.readUInt32BE(at + 4), map.readUInt32BE(at + 8)];
    for (let code = first; code <= last; code++) if (glyph + code - first !== 0) yield code;
  }
}

/** Numbers of tables in the directory. Only those of glyphs are transformed by default. */
const [cmap, glyf, loca, otherTag] = [0, 10, 11, 63];

/** The table `cmap`. All tables are compressed together, in the order of the directory. */
function characterMap(woff2: Buffer): Buffer {
  if (woff2.toString('latin1', 0, 4) !== 'wOF2') throw new Error('The file is not a WOFF2 font');
  let at = 48;
  const variableLength = (): number => {
    let value = 0;
    for (;;) {
      const byte = woff2.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let table: { start: number; length: number } | undefined;
  let start = 0;
  for (let left = woff2.readUInt16BE(12); left > 0; left--) {
    const flags = woff2.readUInt8(at++);
    const [number, transform] = [flags & 63, flags >> 6];
    if (number === otherTag) at += 4;
    const original = variableLength();
    const isTransformed = number === glyf || number === loca ? transform !== 3 : transform !== 0;
    const length = isTransformed ? variableLength() : original;
    if (number === cmap) table = { start, length };
    start += length;
  }
  if (!table) throw new Error('The font has no table cmap');
  const tables = brotliDecompressSync(woff2.subarray(at, at + woff2.readUInt32BE(20)));
  return tables.subarray(table.start, table.start + table.length);
}

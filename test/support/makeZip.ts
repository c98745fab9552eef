// Creates ZIP archives from literals, including malformed ones. Source: the ZIP specification, APPNOTE 4.3.
import { crc32, deflateRawSync } from 'node:zlib';

export type ZipEntry = {
  name: string | Buffer;
  data?: string | Buffer;
  /** Unix mode including the file type. */
  mode?: number;
  flags?: number;
  method?: number;
  /** In the directory, not in the file's header. */
  extra?: Buffer;
  comment?: Buffer;
  /** Wrong values for the headers. */
  claimed?: { size?: number; packed?: number; crc?: number; localName?: string; offset?: number };
};

type Ends = { entryCount?: number; before?: Buffer; behind?: Buffer; isZip64?: boolean };

export function makeZip(entries: readonly ZipEntry[], { entryCount, before, behind, isZip64 }: Ends = {}): Buffer {
  const parts: Buffer[] = before ? [before] : [];
  const directory: Buffer[] = [];
  let at = before?.length ?? 0;
  for (const { name, data = '', mode = 0o100644, flags = 0x800, method = 8, claimed = {}, ...more } of entries) {
    const { extra = Buffer.alloc(0), comment = Buffer.alloc(0) } = more;
    const content = Buffer.from(data as string);
    const packed = method === 8 ? deflateRawSync(content) : content;
    const sums = [claimed.crc ?? crc32(content), claimed.packed ?? packed.length, claimed.size ?? content.length];
    const own = Buffer.from(name as string);
    const local = Buffer.from(claimed.localName ?? (own as Buffer | string as string));
    parts.push(record(0x04034b50, [20, flags, method, 0, 0], sums, [local.length, 0]), local, packed);
    const offset = claimed.offset ?? at;
    directory.push(
      record(
        0x02014b50,
        [0x031e, 20, flags, method, 0, 0],
        sums,
        [own.length, extra.length, comment.length, 0, 0],
        [mode * 65536, offset],
      ),
      own,
      extra,
      comment,
    );
    at += 30 + local.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const count = entryCount ?? entries.length;
  const end = isZip64
    ? zip64End(count, central.length, at)
    : record(0x06054b50, [0, 0, count, count], [central.length, at], [0]);
  return Buffer.concat([...parts, central, end, ...(behind ? [behind] : [])]);
}

/** The real numbers are in the first record; those of the last one are only marks for "see the first". */
function zip64End(count: number, length: number, at: number): Buffer {
  return Buffer.concat([
    record(0x06064b50, [], [44, 0], [45, 45], [0, 0, count, 0, count, 0, length, 0, at, 0]),
    record(0x07064b50, [], [0, at + length, 0, 1]),
    record(0x06054b50, [0, 0, 0xffff, 0xffff], [0xffffffff, 0xffffffff], [0]),
  ]);
}

/** A signature of four bytes, followed by groups of numbers, alternately of two and four bytes. */
function record(signature: number, ...groups: number[][]): Buffer {
  const bytes = [
    signature,
    ...groups.flatMap((group, index) => group.map((value) => ({ value, wide: index % 2 === 1 }))),
  ];
  return Buffer.concat(
    bytes.map((field) => {
      const { value, wide } = typeof field === 'number' ? { value: field, wide: true } : field;
      const buffer = Buffer.alloc(wide ? 4 : 2);
      if (wide) buffer.writeUInt32LE(value >>> 0);
      else buffer.writeUInt16LE(value);
      return buffer;
    }),
  );
}

// Reads a ZIP archive: names from its central directory, contents by name.
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** The uncompressed contents by name. Source: the ZIP specification, APPNOTE 4.3. */
export function readZip(path: string): Map<string, Buffer> {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error(`${path} is not a ZIP archive`);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const packed = bytes.readUInt32LE(at + 20);
    const local = bytes.readUInt32LE(at + 42);
    // The local header contains its own lengths.
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(data, data + packed);
    files.set(name, bytes.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}

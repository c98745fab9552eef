// Scripts that are served with changes.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

type File = { type: string; size: number; read(start: number, end: number): Readable };

/**
 * The file with its code rewritten, if the browser runs it. `rewrite` gets each byte as a character, so that no encoding is lost,
 * and adds only ASCII.
 */
export async function rewrittenScript<Served extends File>(
  file: Served,
  destination: unknown,
  rewrite: (code: string) => string,
): Promise<Served> {
  if (destination !== 'script' || file.type.split(';')[0] !== 'text/javascript' || file.size === 0) return file;
  const original = await buffer(file.read(0, file.size - 1));
  const code = original.toString('latin1');
  const rewritten = rewrite(code);
  // Most scripts stay as they are, and libraries are large.
  const bytes = rewritten === code ? original : Buffer.from(rewritten, 'latin1');
  return { ...file, size: bytes.length, read: (start, end) => Readable.from([bytes.subarray(start, end + 1)]) };
}

// Reads texts of any encoding, and reports files that cannot be decoded.
import { combineErrors, UserError } from '../errors.ts';
import { lineAndColumn } from '../model/text/spans.ts';
import { type DecodedText, decodeText } from '../model/text/textEncoding.ts';

/** The text of a file, including a byte order mark. Throws UserError `composition_invalid` or `asset_invalid`. */
export function decodeFile(bytes: Uint8Array, file: string, fallback?: string): string {
  const decoded = decodeText(bytes, file, fallback);
  if (decoded.invalidAt !== null) throw undecodable(file, decoded, decoded.invalidAt);
  return decoded.text;
}

/** Throws UserError for style sheets and scripts that cannot be decoded. The message lists all of them. */
export function assertDecodable(invalid: readonly { file: string; decoded: DecodedText; offset: number }[]): void {
  const [first, ...others] = invalid.map(({ file, decoded, offset }) => undecodable(file, decoded, offset));
  if (first) throw combineErrors(first, others);
}

export function undecodable(file: string, { text, encoding }: DecodedText, offset: number): UserError {
  const code = /\.html?$/i.test(file) ? 'composition_invalid' : 'asset_invalid';
  return new UserError(code, `${file} is not valid ${encoding.toUpperCase()} text`, {
    place: { file, ...lineAndColumn(text, offset) },
    hint: undecodableHint(),
  });
}

export const undecodableHint = (): string =>
  'Save the file as UTF-8, or declare its encoding: with <meta charset>, with @charset, or with charset="…" of a script or link.';

// Decodes the text files of a project as a browser does, and encodes changed texts in the encoding of their file.
import {
  createMultibyteEncoder,
  createSinglebyteEncoder,
  getBOMEncoding,
  isomorphicDecode,
  normalizeEncoding,
  TextDecoder,
  utf16fromString,
} from './encodings.ts';
import { attributeValue, type HtmlElement, parseHtml } from './html.ts';

/** `encoding`: its name in lower case. `isDeclared`: the file itself says it, with a byte order mark, `<meta>` or `@charset`. */
export type Encoding = { encoding: string; isDeclared: boolean };

/** `invalidAt`: the offset of the first character that cannot be decoded; null if there is none. A byte order mark is part of `text`. */
export type DecodedText = Encoding & { text: string; invalidAt: number | null };

/** The bytes that a browser searches for a declaration, also after the content that belongs to the head. */
const searchedBytes = 1024;

/** Decodes a file. `fallback`: the encoding if the file declares none. Never throws. */
export function decodeText(bytes: Uint8Array, path: string, fallback?: string): DecodedText {
  const declared = declaredEncoding(bytes, path);
  if (declared !== null) return { ...decodeAs(bytes, declared), isDeclared: true };
  const decoded = decodeAs(bytes, fallback ?? 'utf-8');
  // Text in UTF-16 without a byte order mark is valid UTF-8, with a NUL in each character.
  if (/^.?\0/s.test(decoded.text)) return { ...decoded, isDeclared: false, invalidAt: 0 };
  // The encoding of pages without a declaration in browsers whose language is English.
  const isOld = isHtml(path) && fallback === undefined && decoded.invalidAt !== null;
  return { ...(isOld ? decodeAs(bytes, 'windows-1252') : decoded), isDeclared: false };
}

/** The encoding that a file declares; null without a declaration. */
export function declaredEncoding(bytes: Uint8Array, path: string): string | null {
  const mark = getBOMEncoding(bytes);
  if (mark !== null) return mark;
  if (isHtml(path)) return metaEncoding(bytes);
  return /\.css$/i.test(path) ? charsetRule(bytes) : null;
}

/** The encoding with a label such as `latin1`; null for an unknown label. */
export const encodingOf = (label: string): string | null => normalizeEncoding(label);

const isHtml = (path: string): boolean => /\.html?$/i.test(path);

function decodeAs(bytes: Uint8Array, encoding: string): Omit<DecodedText, 'isDeclared'> {
  if (encoding === 'replacement') return { encoding, text: '\uFFFD', invalidAt: 0 };
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return { encoding, text, invalidAt: null };
  } catch {
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    return { encoding, text, invalidAt: Math.max(0, text.indexOf('\uFFFD')) };
  }
}

/** The encoding of the first `<meta>` that declares one, among the first bytes of the file and in its head. */
function metaEncoding(bytes: Uint8Array): string | null {
  const start = metaIn(isomorphicDecode(bytes.subarray(0, searchedBytes)));
  if (start !== null || bytes.length <= searchedBytes) return start;
  const whole = isomorphicDecode(bytes);
  return /charset/i.test(whole.slice(searchedBytes)) ? metaIn(whole) : null;
}

const headTags = new Set('base head html link meta noscript object script style title'.split(' '));

function metaIn(text: string): string | null {
  let isHead = true;
  for (const element of parseHtml(text).elements) {
    isHead &&= headTags.has(element.tag);
    if (!isHead && element.span.start > searchedBytes) return null;
    const label = element.tag === 'meta' ? metaLabel(element) : undefined;
    const encoding = label === undefined ? null : declarableEncoding(label);
    if (encoding !== null) return encoding;
  }
  return null;
}

function metaLabel(element: HtmlElement): string | undefined {
  const charset = attributeValue(element, 'charset');
  if (charset !== undefined) return charset;
  if (attributeValue(element, 'http-equiv')?.trim().toLowerCase() !== 'content-type') return undefined;
  const found = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(attributeValue(element, 'content') ?? '');
  return found?.slice(1).find((label) => label !== undefined);
}

/** A declaration in ASCII cannot mean UTF-16. */
function declarableEncoding(label: string): string | null {
  const encoding = normalizeEncoding(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/** The rule must be written exactly like this, at the start of the file. */
function charsetRule(bytes: Uint8Array): string | null {
  const [, label] = /^@charset "([^"]*)";/.exec(isomorphicDecode(bytes.subarray(0, searchedBytes))) ?? [];
  const encoding = label === undefined ? null : normalizeEncoding(label);
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf-8' : encoding;
}

/** The bytes of a text in an encoding; undefined if the encoding lacks one of the characters. */
export function encodeText(text: string, encoding: string): Uint8Array | undefined {
  try {
    const bytes = encoderOf(encoding)(text);
    // Some encodings have characters that are written in one way and read in another.
    return decodeAs(bytes, encoding).text === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function encoderOf(encoding: string): (text: string) => Uint8Array {
  if (encoding === 'utf-8') return (text) => new TextEncoder().encode(text);
  if (encoding === 'utf-16le') return (text) => utf16fromString(text, 'uint8-le');
  if (encoding === 'utf-16be') return (text) => utf16fromString(text, 'uint8-be');
  return multibyte.has(encoding) ? createMultibyteEncoder(encoding) : createSinglebyteEncoder(encoding);
}

const multibyte = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'iso-2022-jp', 'shift_jis']);

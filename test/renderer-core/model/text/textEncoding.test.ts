// Encodings of files: which one a browser finds, which letters it reads, and how a changed text is written.
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../../../renderer-core/model/text/textEncoding.ts';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le');
const decode = (bytes: Uint8Array, path = 'index.html', fallback?: string): string => {
  const { encoding, isDeclared, text, invalidAt } = decodeText(bytes, path, fallback);
  const letters = /[^\s<>"']*$/.exec(text)?.[0];
  return `${encoding}${isDeclared ? '' : ' (not declared)'}: ${letters}${invalidAt === null ? '' : ` (invalid at ${invalidAt})`}`;
};

test.each([
  ['<meta charset=latin1>\xA9\x80', 'windows-1252: ©€'],
  ['<META CHARSET="ISO-8859-15">\xA4', 'iso-8859-15: €'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xC4\xC1', 'koi8-r: да'],
  ['<meta content="text/html;charset = \'shift_jis\'" http-equiv=content-type>\x93\xFA', 'shift_jis: 日'],
  ['<meta charset=gb18030>\xC4\xE3\x81\x30\x84\x36', 'gb18030: 你¥'],
  ['<meta charset=iso-8859-16>\xA4', 'iso-8859-16: €'],
  ['<meta name=content-type content="charset=koi8-r"><meta charset=greek>\xC4', 'iso-8859-7: Δ'],
  ['<meta charset=nonsense><meta charset=koi8-r>\xC4', 'koi8-r: д'],
  ['<!-- <meta charset=koi8-r> --><meta charset=greek>\xC4', 'iso-8859-7: Δ'],
  ['<title><meta charset=koi8-r></title><meta charset=greek>\xC4', 'iso-8859-7: Δ'],
  ['<script>"<meta charset=koi8-r>"</script><meta charset=greek>\xC4', 'iso-8859-7: Δ'],
  ['<div title="<meta charset=koi8-r>"></div><meta charset=greek>\xC4', 'iso-8859-7: Δ'],
  ['<meta charset=utf-16>\xC3\xA4', 'utf-8: ä'],
  ['<meta charset=x-user-defined>\xE4', 'windows-1252: ä'],
  [`<style>/*${' '.repeat(3000)}*/</style><meta charset=koi8-r>\xC4`, 'koi8-r: д'],
  [`<p>${' '.repeat(3000)}</p><meta charset=koi8-r><i>\xC4`, 'windows-1252 (not declared): Ä'],
  ['<p>\xC3\xA4', 'utf-8 (not declared): ä'],
  ['<p>\x93\xE4\x94', 'windows-1252 (not declared): “ä”'],
  ['\xEF\xBB\xBF<meta charset=koi8-r>\xC3\xA4', 'utf-8: ä'],
])('reads a page as a browser does: %#', (text, expected) => {
  expect(decode(latin1(text))).toBe(expected);
});

test.each([
  [latin1('<meta charset=utf-8><p>\xE4'), 'utf-8: � (invalid at 23)'],
  [latin1('<meta charset=iso-2022-kr><p>a'), 'replacement: � (invalid at 0)'],
  [latin1('<meta charset=shift_jis><p>\xFF'), 'shift_jis: � (invalid at 27)'],
  [Buffer.from('<p>a', 'utf16le'), 'utf-8 (not declared): \0a\0 (invalid at 0)'],
])('finds the first character that cannot be decoded', (bytes, expected) => {
  expect(decode(bytes)).toBe(expected);
});

test.each([
  [utf16('<p>日本'), 'page.HTM', 'utf-16le: 日本'],
  [Buffer.from(utf16('<p>日本')).swap16(), 'index.html', 'utf-16be: 日本'],
  [utf16('<meta charset=koi8-r>ä'), 'index.html', 'utf-16le: ä'],
  [utf16(' "ü"\tü'), 'rows.csv', 'utf-16le: ü'],
  [latin1('@charset "windows-1252"; \x80'), 'a.css', 'windows-1252: €'],
  [latin1('@charset "utf-16le"; \xC3\xA4'), 'a.css', 'utf-8: ä'],
  [latin1("@charset 'koi8-r'; \xC3\xA4"), 'a.css', 'utf-8 (not declared): ä'],
  [latin1(' \xE4'), 'a.css', 'utf-8 (not declared): � (invalid at 1)'],
])('reads the encoding of other files', (bytes, path, expected) => {
  expect(decode(bytes, path)).toBe(expected);
});

test('reads a file without a declaration in the encoding of its page', () => {
  expect(decode(latin1(' \xE4'), 'a.js', 'iso-8859-7')).toBe('iso-8859-7 (not declared): δ');
  expect(decode(latin1('@charset "koi8-r"; \xC4'), 'a.css', 'iso-8859-7')).toBe('koi8-r: д');
});

test.each([
  ['utf-8', '\uFEFFä', 'efbbbfc3a4'],
  ['utf-16le', '\uFEFFä', 'fffee400'],
  ['utf-16be', '\uFEFFä', 'feff00e4'],
  ['windows-1252', 'ä€', 'e480'],
  ['shift_jis', '日', '93fa'],
  ['gb18030', '你', 'c4e3'],
])('writes %s', (encoding, text, hex) => {
  expect(Buffer.from(encodeText(text, encoding) ?? []).toString('hex')).toBe(hex);
});

test.each([
  ['windows-1252', '日'],
  ['euc-kr', 'é'],
  ['replacement', 'a'],
])('does not write characters that %s lacks', (encoding, text) => {
  expect(encodeText(text, encoding)).toBeUndefined();
});

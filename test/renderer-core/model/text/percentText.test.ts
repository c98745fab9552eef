// Percent-encoding in names of files: what a URL means, and how a path is written in one.
import { expect, test } from 'vitest';
import { encodePath, escapeInvalidPercents, percentDecode } from '../../../../renderer-core/model/text/percentText.ts';

test.each([
  ['a%20b.png', 'a b.png'],
  ['100%.png', '100%.png'],
  ['100%25.png', '100%.png'],
  ['%E6%97%A5%', '日%'],
  ['%ff/%20', '%ff/ '],
  ['%2', '%2'],
])('%s means %s', (written, expected) => expect(percentDecode(written)).toBe(expected));

test.each([
  '100%',
  '%ff',
  '%',
  'a%20b',
  '%E6%97%A5',
])('%s can be decoded after its invalid percent signs are escaped', (text) => {
  expect(decodeURIComponent(escapeInvalidPercents(text))).toBe(percentDecode(text));
});

test.each([
  ["it's (1) #2?/ü%.png", 'it%27s%20%281%29%20%232%3F/%C3%BC%25.png'],
  ['half \ud800 a pair', 'half%20%EF%BF%BD%20a%20pair'],
])('%s is written %s', (path, expected) => expect(encodePath(path)).toBe(expected));

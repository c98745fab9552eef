// Files of captions: their times, texts and lines.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCues, textOfNodes } from '../../../../renderer-core/model/captions/readCues.ts';

/** `line: start-end text` of each caption, then the lines that cannot be read. */
function read(text: string): string[] {
  const { cues, unread } = readCues(text);
  const shown = cues.map(({ line, start, end, nodes }) => `${line}: ${start}-${end} ${textOfNodes(nodes)}`);
  return [...shown, ...unread.map((line) => `${line}: unread`)];
}

test.each<[string, string, string[]]>([
  [
    'WebVTT with a title, a comment, an id and settings',
    'WEBVTT Talk\n\nNOTE 0 --> 1\n\nfirst\n00:01.000 --> 00:02.500 align:start\nGood <b>morning</b>\n\n01:00:03.000 --> 01:00:04.000\nand\nwelcome\n',
    ['6: 1-2.5 Good morning', '9: 3603-3604 and\nwelcome'],
  ],
  [
    'SRT with a byte order mark, colors and positions',
    '\ufeff1\r\n00:00:01,000 --> 00:00:02,5\r\n{\\an8}<font color="#ff0">Tom</font> & <i>Jerry</i> <3\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nBye\r\n',
    ['2: 1-2.5 Tom & Jerry <3', '6: 3-4 Bye'],
  ],
  [
    'captions that are not in order',
    'WEBVTT\n\n00:05.000 --> 00:06.000\nb\n\n00:01.000 --> 00:02.000\na\n',
    ['6: 1-2 a', '3: 5-6 b'],
  ],
  [
    'times that end before they start',
    'WEBVTT\n\n00:03.000 --> 00:01.000\na\n\n00:03.000 --> 00:04.000\nb\n',
    ['6: 3-4 b', '3: unread'],
  ],
  [
    'several captions with the same times',
    'WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:01.000 --> 00:02.000\nb\n',
    ['3: 1-2 a', '6: 1-2 b'],
  ],
  ['an arrow in the text of SRT', '1\n00:00:01,000 --> 00:00:02,000\na --> b\n', ['2: 1-2 a --> b']],
  ['times that cannot be read', 'WEBVTT\n\n1 --> 2\na\n\n00:03.000 --> 00:04.000\nb\n', ['6: 3-4 b', '3: unread']],
  ['another kind of file', '{"captions": []}', []],
  ['an empty file', '', []],
])('reads %s', (_, text, expected) => expect(read(text)).toEqual(expected));

test('finds the times of words', () => {
  expect(readCues('WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada>one <00:02.000>two</v>').cues[0]?.nodes).toEqual([
    {
      type: 'object',
      name: 'v',
      classes: [],
      value: 'Ada',
      children: [
        { type: 'text', value: 'one ' },
        { type: 'timestamp', value: 2 },
        { type: 'text', value: 'two' },
      ],
    },
  ]);
});

test('leaves out captions with tags in tags without end', () => {
  const nested = (count: number) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<b>'.repeat(count)}a\n`;
  expect([read(nested(20)), read(nested(100)), read(nested(20_000))]).toEqual([
    ['3: 1-2 a'],
    ['3: unread'],
    ['3: unread'],
  ]);
});

test('notices characters that cannot be read', () => {
  expect([readCues('WEBVTT\n').isDamaged, readCues('1\n00:00:01,000 --> 00:00:02,000\nGr\ufffdn').isDamaged]).toEqual([
    false,
    true,
  ]);
});

// Once, each of these took minutes.
test('reads large files with unclosed tags, and with the same times', () => {
  const times = '00:00:01,000 --> 00:00:02,000\n';
  expect(readCues(`1\n${times}${'<font'.repeat(300_000)}`).cues).toHaveLength(1);
  expect(readCues(`${times}a\n\n`.repeat(30_000)).cues).toHaveLength(30_000);
});

test('never throws', () => {
  const part = fc.constantFrom(
    'WEBVTT',
    '\n',
    '\n\n',
    '00:01.000',
    '1:2',
    ' --> ',
    '00:02.000',
    '<',
    '>',
    '<v a>',
    '&',
    '&#x',
    '</b>',
    'NOTE ',
    'a',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 40 }), (parts) => {
      for (const { start, end, line } of readCues(parts.join('')).cues) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(end)).toBe(true);
        expect(line).toBeGreaterThanOrEqual(1);
      }
    }),
    { numRuns: 500 },
  );
});

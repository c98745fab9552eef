// The files of captions that a render writes.
import { expect, test } from 'vitest';
import { captionText, withoutOverlaps } from '../../../renderer-core/media/captionText.ts';
import { readCues, textOfNodes } from '../../../renderer-core/model/captions/readCues.ts';

const captions = [
  { start: 0.5, end: 2, text: 'Tom & Jerry <3' },
  { start: 3725.04, end: 3726.1, text: 'two\n\nlines' },
];

test('writes WebVTT', () => {
  expect(captionText(captions, 'vtt')).toBe(
    'WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nTom &amp; Jerry &lt;3\n\n01:02:05.040 --> 01:02:06.100\ntwo\nlines\n',
  );
});

test('writes SRT', () => {
  expect(captionText(captions, 'srt')).toBe(
    '1\n00:00:00,500 --> 00:00:02,000\nTom & Jerry <3\n\n2\n01:02:05,040 --> 01:02:06,100\ntwo\nlines\n',
  );
});

test('joins captions where they overlap', () => {
  const overlapping = [
    { start: 0, end: 4, text: 'a' },
    { start: 1, end: 2, text: 'b' },
    { start: 3, end: 5, text: 'c' },
    { start: 5, end: 6, text: 'c' },
    { start: 6, end: 7, text: '😀'.repeat(20_000) },
  ];
  const joined = withoutOverlaps(overlapping).map(
    ({ start, end, text }) => `${start}-${end} ${text.length > 9 ? text.length : text}`,
  );
  expect(joined).toEqual(['0-1 a', '1-2 a\nb', '2-3 a', '3-4 a\nc', '4-6 c', '6-7 32000']);
});

test('writes what it reads', () => {
  const { cues } = readCues(captionText(captions, 'vtt'));
  const found = cues.map(({ start, end, nodes }) => ({ start, end, text: textOfNodes(nodes) }));
  expect(found).toEqual([captions[0], { ...captions[1], text: 'two\nlines' }]);
});

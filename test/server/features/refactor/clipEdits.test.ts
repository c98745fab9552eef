// Moved and trimmed clips, compared after the edit.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipTimes } from '../../../../server/features/clipTimes.ts';
import { clipEdits } from '../../../../server/features/refactor/clipEdits.ts';
import type { ClipChange } from '../../../../server/protocol.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

const page = (clips: string) => `<div data-composition-id="main" data-duration="20">${clips}</div>`;

/** The clip that `|` precedes after the change, or the reason why it cannot change. */
function changed(clips: string, change: ClipChange): string {
  const source = page(clips);
  const { file, offset } = fileWithCursor(source);
  const result = clipEdits(file, offset, change);
  if ('reason' in result) return result.reason;
  const text = applied(source.replace('|', ''), { changes: { [file.uri]: result.edits } });
  return text.slice(offset, text.indexOf('>', offset) + 1);
}

test.each<[string, string, ClipChange, string]>([
  ['moves seconds', '|<p data-start="1.5">', { startBy: 0.25 }, '<p data-start="1.75">'],
  ['moves without rounding errors', '|<p data-start="0.1">', { startBy: 0.2 }, '<p data-start="0.3">'],
  ['moves an unquoted start', '|<p data-start=1 id=a>', { startBy: 2 }, '<p data-start=3 id=a>'],
  ['keeps single quotes', "|<p data-start='1'>", { startBy: -1 }, "<p data-start='0'>"],
  [
    'moves to another track',
    '|<p data-start="1" data-track-index="2">',
    { track: 3 },
    '<p data-start="1" data-track-index="3">',
  ],
  ['adds a track', '|<p data-start="1">', { track: 3 }, '<p data-start="1" data-track-index="3">'],
  [
    'trims the end',
    '|<p data-start="1" data-duration="4">',
    { duration: 2.5 },
    '<p data-start="1" data-duration="2.5">',
  ],
  ['adds a duration', '|<p data-start="1">', { duration: 2 }, '<p data-start="1" data-duration="2">'],
  [
    'trims the start',
    '|<p data-start="1" data-duration="4">',
    { startBy: 1, duration: 3 },
    '<p data-start="2" data-duration="3">',
  ],
])('%s', (_, clips, change, expected) => {
  expect(changed(clips, change)).toBe(expected);
});

const intro = '<h1 id="intro" data-start="0" data-duration="4"></h1>';
test.each<[string, string, number, string]>([
  ['changes the number', '"intro + 0.5"', 1, '"intro + 1.5"'],
  ['keeps the spacing', '"intro+0.5"', 1, '"intro+1.5"'],
  ['adds a number', '"intro"', 2, '"intro + 2"'],
  ['removes the number', '"intro + 0.5"', -0.5, '"intro"'],
  ['changes the sign', '"intro + 0.5"', -1, '"intro - 0.5"'],
  ['keeps the minus', '"intro -  2"', 1, '"intro -  1"'],
  ['quotes an expression', 'intro', -1, '"intro - 1"'],
  ['keeps white space around', '" intro + 1 "', 1, '" intro + 2 "'],
])('%s of a start that refers to a clip', (_, start, startBy, expected) => {
  expect(changed(`${intro}|<p data-start=${start}>`, { startBy })).toBe(`<p data-start=${expected}>`);
});

test('keeps the frames of a video whose start is trimmed', () => {
  const video = (timing: string) => `<video src="a.mp4" data-playback-rate="2" ${timing}>`;
  const trim = { startBy: 0.5, duration: 1.5 };
  expect(changed(`|${video('data-start="1" data-duration="2"')}`, trim)).toBe(
    video('data-start="1.5" data-duration="1.5" data-media-start="1"'),
  );
  expect(
    changed(`|${video('data-start="1" data-duration="2" data-media-start="3"')}`, { startBy: -1, duration: 3 }),
  ).toBe(video('data-start="0" data-duration="3" data-media-start="1"'));
  // Moving changes only the position.
  expect(changed(`|${video('data-start="1" data-duration="2"')}`, { startBy: 0.5 })).toBe(
    video('data-start="1.5" data-duration="2"'),
  );
});

test.each<[string, string, ClipChange, string]>([
  [
    'the text is another one',
    '<b>|</b><p data-start="1">',
    { startBy: 1 },
    'The preview does not show the current text yet. Try again when it does.',
  ],
  [
    'the start is invalid',
    '|<p data-start="soon or">',
    { startBy: 1 },
    '<p> cannot move because its data-start is invalid.',
  ],
  [
    'a reference is unknown',
    '|<p data-start="nowhere">',
    { startBy: 1 },
    '<p> cannot move because its start is unknown: No clip has the id "nowhere".',
  ],
  [
    'it would start too early',
    '|<p id="a" data-start="1">',
    { startBy: -1.5 },
    '"a" cannot start 0.5 s before its composition.',
  ],
  [
    'a video has no earlier content',
    '|<video id="v" src="a.mp4" data-start="2">',
    { startBy: -1, duration: 3 },
    '"v" has no content before this: its file starts 1 s later.',
  ],
  ['nothing would remain', '|<p id="a" data-start="1">', { duration: 0 }, '"a" must be longer than 0 s.'],
])('gives the reason when %s', (_, clips, change, reason) => {
  expect(changed(clips, change)).toBe(reason);
});

test('moves any clip by exactly the change, and back to the same time', () => {
  const thousandths = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 1000);
  const start = fc.oneof(
    thousandths(0, 9000).map(String),
    fc
      .tuple(fc.constantFrom('intro + ', 'intro+', 'intro - ', ' intro  +  '), thousandths(0, 3000))
      .map(([id, by]) => id + by),
    fc.constant('intro'),
  );
  const startIn = (source: string) => {
    const { file, offset } = fileWithCursor(source);
    const clip = file.composition.clips.find(({ element }) => element.startTag.start === offset);
    return { file, offset, start: clip && clipTimes(file).byElement.get(clip.element)?.start };
  };
  fc.assert(
    fc.property(start, fc.constantFrom('"', "'"), thousandths(-1000, 5000), (written, quote, by) => {
      const source = page(`${intro}|<p data-start=${quote}${written}${quote}></p>`);
      const before = startIn(source);
      const result = clipEdits(before.file, before.offset, { startBy: by });
      if ('reason' in result) {
        expect((before.start ?? 0) + by).toBeLessThan(0);
        return;
      }
      const text = applied(source.replace('|', ''), { changes: { [before.file.uri]: result.edits } });
      const moved = `${text.slice(0, before.offset)}|${text.slice(before.offset)}`;
      const after = startIn(moved);
      expect(after.start).toBeCloseTo((before.start ?? 0) + by, 9);
      const back = clipEdits(after.file, after.offset, { startBy: -by });
      const restored = 'edits' in back ? applied(text, { changes: { [after.file.uri]: back.edits } }) : '';
      const final = `${restored.slice(0, before.offset)}|${restored.slice(before.offset)}`;
      expect(startIn(final).start).toBeCloseTo(before.start ?? 0, 9);
      // The reference stays.
      expect(restored.includes('intro', restored.indexOf('<p'))).toBe(written.includes('intro'));
    }),
  );
});

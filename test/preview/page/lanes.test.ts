// The timeline's lanes: tracks in their order, no two clips over each other, embedded ones below their host.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClipFact, hasInside, layOut } from '../../renderer-core/previewPage/lanes.ts';

const clip = (label: string, start: number, end: number | null, rest: Partial<ClipFact> = {}): ClipFact => ({
  label,
  kind: 'text',
  start,
  end,
  track: null,
  parent: null,
  ...rest,
});

/** Lanes as text: depth, then each clip with its time. */
const shown = (clips: ClipFact[], open: string[] = []) =>
  layOut(clips, 10, (index) => open.includes(clips[index]?.label ?? '')).map(
    ({ depth, clips: row }) =>
      `${'>'.repeat(depth)}${row.map(({ label, start, end }) => `${label} ${start}-${end}`).join(', ')}`,
  );

test.each<[string, ClipFact[], string[], string[]?]>([
  ['one after the other share a lane', [clip('a', 0, 2), clip('b', 2, 4)], ['a 0-2, b 2-4']],
  ['what overlaps does not', [clip('a', 0, 3), clip('b', 2, 4)], ['a 0-3', 'b 2-4']],
  [
    'tracks are lanes, in their order',
    [clip('b', 0, 1, { track: 2 }), clip('a', 5, 6, { track: 1 })],
    ['a 5-6', 'b 0-1'],
  ],
  ['those without a track come last', [clip('a', 0, 1), clip('b', 0, 1, { track: 7 })], ['b 0-1', 'a 0-1']],
  ['an open end is the end', [clip('a', 4, null)], ['a 4-10']],
  ['what lies outside is cut, or left out', [clip('a', -1, 12), clip('b', 10, 12)], ['a 0-10']],
  ['what is inside is hidden', [clip('a', 0, 9), clip('b', 1, 2, { parent: 0 })], ['a 0-9']],
  [
    'until its host is open',
    [clip('a', 0, 9), clip('b', 1, 2, { parent: 0 }), clip('c', 0, 1, { track: 3 })],
    ['c 0-1', 'a 0-9', '>b 1-2'],
    ['a'],
  ],
])('%s', (_, clips, expected, open) => expect(shown(clips, open)).toEqual(expected));

test('knows which clips have others inside', () => {
  expect([...hasInside([clip('a', 0, 1), clip('b', 0, 1, { parent: 0 })])]).toEqual([0]);
});

test('every clip that is seen stands in one lane, and none over another', () => {
  const clips = fc.array(
    fc
      .tuple(fc.integer({ min: -2, max: 12 }), fc.integer({ min: 0, max: 6 }), fc.option(fc.nat(2)))
      .map(([start, length, track]) => clip('x', start, start + length, { track })),
  );
  fc.assert(
    fc.property(clips, (some) => {
      const lanes = layOut(some, 10, () => true);
      const seen = some.flatMap(({ start, end }, index) =>
        Math.min(10, end ?? 10) > Math.max(0, start) ? [index] : [],
      );
      expect(lanes.flatMap((lane) => lane.clips.map(({ index }) => index)).sort((a, b) => a - b)).toEqual(seen);
      for (const { clips: row } of lanes) {
        for (const [at, one] of row.entries()) expect(one.start).toBeGreaterThanOrEqual(row[at - 1]?.end ?? 0);
      }
    }),
  );
});

// The lanes of the timeline: order of tracks, no overlaps, embedded compositions below their host.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClipFact, hostIndexes, layOut } from '../../../../preview/page/timeline/lanes.ts';

const clip = (label: string, start: number, end: number | null, rest: Partial<ClipFact> = {}): ClipFact => ({
  label,
  kind: 'text',
  start,
  end,
  track: null,
  parent: null,
  source: null,
  ...rest,
});

/** The lanes as text: depth, then each clip with its time. */
const shown = (clips: ClipFact[], open: string[] = []) =>
  layOut(clips, 10, (index) => open.includes(clips[index]?.label ?? '')).map(
    ({ depth, clips: row }) =>
      `${'>'.repeat(depth)}${row.map(({ label, start, end }) => `${label} ${start}-${end}`).join(', ')}`,
  );

test.each<[string, ClipFact[], string[], string[]?]>([
  ['puts successive clips into one lane', [clip('a', 0, 2), clip('b', 2, 4)], ['a 0-2, b 2-4']],
  ['puts overlapping clips into two lanes', [clip('a', 0, 3), clip('b', 2, 4)], ['a 0-3', 'b 2-4']],
  [
    'creates a lane per track, in the order of tracks',
    [clip('b', 0, 1, { track: 2 }), clip('a', 5, 6, { track: 1 })],
    ['a 5-6', 'b 0-1'],
  ],
  ['puts clips without a track last', [clip('a', 0, 1), clip('b', 0, 1, { track: 7 })], ['b 0-1', 'a 0-1']],
  ['extends a clip without an end to the end', [clip('a', 4, null)], ['a 4-10']],
  ['clips and omits what is outside of the composition', [clip('a', -1, 12), clip('b', 10, 12)], ['a 0-10']],
  ['hides nested clips', [clip('a', 0, 9), clip('b', 1, 2, { parent: 0 })], ['a 0-9']],
  [
    'shows nested clips when the host is expanded',
    [clip('a', 0, 9), clip('b', 1, 2, { parent: 0 }), clip('c', 0, 1, { track: 3 })],
    ['c 0-1', 'a 0-9', '>b 1-2'],
    ['a'],
  ],
])('%s', (_, clips, expected, open) => expect(shown(clips, open)).toEqual(expected));

test('finds the clips that contain others', () => {
  expect([...hostIndexes([clip('a', 0, 1), clip('b', 0, 1, { parent: 0 })])]).toEqual([0]);
});

test('puts every visible clip into one lane, without overlaps', () => {
  const clips = fc.array(
    fc
      .tuple(fc.integer({ min: -2, max: 12 }), fc.integer({ min: 0, max: 6 }), fc.option(fc.nat(2)))
      .map(([start, length, track]) => clip('x', start, start + length, { track })),
  );
  fc.assert(
    fc.property(clips, (some) => {
      const lanes = layOut(some, 10, () => true);
      const visible = some.flatMap(({ start, end }, index) =>
        Math.min(10, end ?? 10) > Math.max(0, start) ? [index] : [],
      );
      expect(lanes.flatMap((lane) => lane.clips.map(({ index }) => index)).sort((a, b) => a - b)).toEqual(visible);
      for (const { clips: row } of lanes) {
        for (const [at, one] of row.entries()) expect(one.start).toBeGreaterThanOrEqual(row[at - 1]?.end ?? 0);
      }
    }),
  );
});

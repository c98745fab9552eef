// Dragged clips: snapping, frames, limits, tracks, and the edit that results.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeOf, type DragPart, dragClip, newTrack, nextTrack } from '../../../../preview/page/timeline/clipDrag.ts';
import type { ClipFact } from '../../../../preview/page/timeline/lanes.ts';

const clip = (start: number, end: number | null, rest: Partial<ClipFact> = {}): ClipFact => ({
  ...{ label: 'a', kind: 'text', start, end, track: null, parent: null, source: { file: 'index.html', offset: 0 } },
  ...rest,
});
const settings = { duration: 10, playhead: 0, rate: { num: 30, den: 1 }, reach: 0.1 };

/** A clip from 1 s to 2.5 s, next to one from 4.2 s to 6 s. */
const two = [clip(1, 2.5), clip(4.2, 6)];

test.each<[string, DragPart, number, Partial<typeof settings>, [number, number | null, number | null]]>([
  ['snaps its start to the end of another clip', 'clip', 4.95, {}, [6, 7.5, 6]],
  ['snaps its end to the start of another clip', 'clip', 1.65, {}, [2.7, 4.2, 4.2]],
  ['snaps to a whole second', 'clip', 2.05, {}, [3, 4.5, 3]],
  ['snaps to the frame of the playhead', 'clip', 0.35, { playhead: 1.3667 }, [1.366, 2.866, 1.366]],
  ['does not snap without a reach', 'clip', 2.04, { reach: 0 }, [3.033, 4.533, null]],
  ['moves to a frame', 'clip', 0.25, {}, [1.266, 2.766, null]],
  ['stays behind the start', 'clip', -5, {}, [0, 1.5, null]],
  ['stays before the end', 'clip', 20, {}, [9.966, 11.466, null]],
  ['trims the start to a frame', 'start', 0.25, {}, [1.266, 2.5, null]],
  ['trims the end to a clip', 'end', 1.75, {}, [1, 4.2, 4.2]],
  ['keeps at least one frame at the start', 'start', 5, {}, [2.466, 2.5, null]],
  ['keeps at least one frame at the end', 'end', -5, {}, [1, 1.033, null]],
])('%s', (_, part, by, changed, [start, end, snapped]) => {
  expect(dragClip(two, 0, part, by, { ...settings, ...changed })).toEqual({ start, end, snapped });
});

test('trims the end of a clip without an end', () => {
  expect(dragClip([clip(1, null)], 0, 'end', -3, settings)).toEqual({ start: 1, end: 7, snapped: 7 });
  expect(dragClip([clip(1, null)], 0, 'clip', 1, settings)).toEqual({ start: 2, end: null, snapped: 2 });
});

test('does not snap to the clips that it contains', () => {
  const nested = [clip(1, 5), clip(1.53, 2, { parent: 0 })];
  expect(dragClip(nested, 0, 'clip', 0.53, settings)).toEqual({ start: 1.533, end: 5.533, snapped: null });
  // A nested clip starts with its host at the earliest.
  expect(dragClip(nested, 1, 'clip', -3, { ...settings, reach: 0 }).start).toBe(1);
});

test('keeps every dragged clip valid, and near the pointer', () => {
  const milliseconds = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 1000);
  const clips = fc.array(
    fc
      .tuple(milliseconds(0, 9000), milliseconds(100, 5000))
      .map(([start, length]) => clip(start, (start * 1000 + length * 1000) / 1000)),
    { minLength: 1, maxLength: 6 },
  );
  const part = fc.constantFrom<DragPart>('clip', 'start', 'end');
  const rate = fc.constantFrom({ num: 30, den: 1 }, { num: 30000, den: 1001 }, { num: 24, den: 1 });
  fc.assert(
    fc.property(
      clips,
      part,
      milliseconds(-12000, 12000),
      milliseconds(0, 300),
      rate,
      milliseconds(0, 10000),
      (all, which, by, reach, fps, playhead) => {
        const before = all[0] as ClipFact & { end: number };
        const { start, end, snapped } = dragClip(all, 0, which, by, { duration: 10, playhead, rate: fps, reach });
        const length = before.end - before.start;
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        if (which === 'clip') expect((end ?? 0) - start).toBeCloseTo(length, 6);
        if (which === 'start') expect(end).toBe(before.end);
        if (which === 'end') expect(start).toBe(before.start);
        if (snapped !== null) expect([start, end].some((at) => Math.abs((at ?? 0) - snapped) < 1e-9)).toBe(true);
        const moved = which === 'end' ? (end ?? 0) - before.end : start - before.start;
        // Limits hold it back; otherwise it is at most the reach or a frame away.
        const isLimited = Math.abs(moved) < Math.abs(by);
        if (!isLimited) expect(Math.abs(moved - by)).toBeLessThanOrEqual(Math.max(reach, 1 / 24) + 1e-6);
      },
    ),
  );
});

test.each<[string, Partial<ClipFact>, boolean, ReturnType<typeof changeOf>]>([
  ['a move', { start: 1.5, end: 3 }, false, { startBy: 0.5 }],
  ['a trimmed start', { start: 1.3 }, true, { startBy: 0.3, duration: 1.2 }],
  ['a trimmed end', { end: 4.2 }, true, { duration: 3.2 }],
  ['another track', { track: 2 }, false, { track: 2 }],
  ['no change', {}, true, undefined],
])('describes %s', (_, to, trims, change) => {
  expect(changeOf(clip(1, 2.5), clip(1, 2.5, to), trims)).toEqual(change);
});

test('finds the track above, the track below, and a new one', () => {
  const tracks = [1, 3, null].map((track) => clip(0, 1, { track }));
  const nested = [...tracks, clip(0, 1, { parent: 0, track: 9 })];
  expect(nested.map((_, index) => [nextTrack(nested, index, -1), nextTrack(nested, index, 1)])).toEqual([
    [undefined, 3],
    [1, 4],
    [3, 4],
    [undefined, 10],
  ]);
  expect(newTrack([clip(0, 1)], 0)).toBe(1);
});

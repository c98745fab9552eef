import { expect, test } from 'vitest';
import { createSchedule } from '../../../renderer-core/check/schedule.ts';

const fps = { num: 10, den: 1 };

function all(frames: number, only?: number[], changes: readonly number[] = []): number[] {
  const schedule = createSchedule({ frames, fps }, only);
  schedule.add(changes);
  const found: number[] = [];
  for (let frame = schedule.next(); frame !== undefined; frame = schedule.next()) found.push(frame);
  return found;
}

test('a frame every half second, and the last three', () => {
  expect(all(20)).toEqual([0, 5, 10, 15, 17, 18, 19]);
});

test('the frames on both sides of each change', () => {
  expect(all(20, undefined, [0.72, 1.2])).toEqual([0, 5, 7, 8, 10, 11, 12, 15, 17, 18, 19]);
});

test('longer videos have fewer frames a second', () => {
  expect(all(2400).length).toBe(123);
});

test('a row has only the given frames', () => {
  expect(all(20, [3, 12], [0.72])).toEqual([3, 12]);
});

test('changes that are found on the way, but not those that have passed', () => {
  const schedule = createSchedule({ frames: 20, fps });
  expect([schedule.next(), schedule.next()]).toEqual([0, 5]);
  schedule.add([0.2, 0.8]);
  expect([schedule.next(), schedule.next(), schedule.next()]).toEqual([7, 8, 10]);
});

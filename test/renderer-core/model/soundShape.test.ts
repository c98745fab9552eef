import { expect, test } from 'vitest';
import { parseDuck, type SoundShape, shapeGain } from '../../../renderer-core/model/soundShape.ts';

test.each([
  ['voice', { target: 'voice', gain: 10 ** (-12 / 20), attack: 0.3, release: 0.8 }],
  [' 2  -20 ', { target: '2', gain: 0.1, attack: 0.3, release: 0.8 }],
  ['voice -20 0.1 2', { target: 'voice', gain: 0.1, attack: 0.1, release: 2 }],
  ['', null],
  ['voice 6', null],
  ['voice -90', null],
  ['voice loud', null],
  ['voice -6 -1', null],
  ['voice -6 1 1 1', null],
])('data-duck="%s"', (text, expected) => {
  expect(parseDuck(text)).toEqual(expected);
});

const shape: SoundShape = { fadeIn: 0, fadeOut: 0, ducks: [] };
const duck = { start: 2, end: 4, gain: 0.2, attack: 1, release: 0.5 };
const gains = (given: Partial<SoundShape>, times: number[]) =>
  times.map((time) => Number(shapeGain({ ...shape, ...given }, 0, 10, time).toFixed(3)));

test('fades', () => {
  expect(gains({ fadeIn: 2, fadeOut: 4 }, [0, 1, 2, 5, 6, 8, 10])).toEqual([0, 0.5, 1, 1, 1, 0.5, 0]);
});

test('fades that meet are multiplied', () => {
  expect(gains({ fadeIn: 10, fadeOut: 10 }, [0, 5, 10])).toEqual([0, 0.25, 0]);
});

test('falls before the other sound, and rises after it', () => {
  expect(gains({ ducks: [duck] }, [0, 1, 1.5, 2, 3, 4, 4.25, 4.5])).toEqual([1, 1, 0.6, 0.2, 0.2, 0.2, 0.6, 1]);
});

test('the other sound that makes it quietest counts', () => {
  expect(gains({ ducks: [duck, { ...duck, gain: 0.5 }] }, [3])).toEqual([0.2]);
});

test('without time to fall and rise', () => {
  expect(gains({ ducks: [{ ...duck, attack: 0, release: 0 }] }, [1.99, 2, 4, 4.01])).toEqual([1, 0.2, 0.2, 1]);
});

test('under a sound without an end', () => {
  expect(gains({ ducks: [{ ...duck, end: null }] }, [9])).toEqual([0.2]);
});

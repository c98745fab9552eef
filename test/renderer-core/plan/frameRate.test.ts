// Frame rates as people write them, and the frames that a duration has.
import { describe, expect, test } from 'vitest';
import { formatFrameRate, frameCount, parseFrameRate } from '../../../renderer-core/plan/frameRate.ts';

describe('parseFrameRate', () => {
  test.each([
    ['30', '30'],
    ['1', '1'],
    ['240', '240'],
    ['12.5', '25/2'],
    ['29.97', '30000/1001'],
    ['23.976', '24000/1001'],
    ['59.94', '60000/1001'],
    ['30000/1001', '30000/1001'],
    [' 60/2 ', '30'],
  ])('parses %s as %s', (text, expected) => expect(formatFrameRate(parseFrameRate(text))).toBe(expected));

  test.each([
    '',
    'fast',
    '0',
    '0.5',
    '241',
    '-30',
    '30fps',
    '1/0',
    '0/1',
    'NaN',
    'Infinity',
    '1e3',
  ])('rejects "%s"', (text) => {
    expect(() => parseFrameRate(text)).toThrow(/^fps must be a number/);
  });
});

describe('frameCount', () => {
  test.each([
    [10, '30', 300],
    [0.1, '30', 3],
    [0.7, '10', 7],
    [1 / 3, '30', 10],
    [10, '29.97', 300],
    [1, '29.97', 30],
    [0.001, '30', 1],
    [3600, '60', 216000],
    [1.01, '30', 31],
  ])('divides %d s at %s into %d frames', (seconds, rate, frames) =>
    expect(frameCount(seconds, parseFrameRate(rate))).toBe(frames));
});

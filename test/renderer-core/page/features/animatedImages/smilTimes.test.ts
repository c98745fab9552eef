// When the animation elements of an SVG file are active.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createTimeline,
  readClock,
  readMoments,
  type TimedElement,
} from '../../../../../renderer-core/page/features/animatedImages/smilTimes.ts';

test.each([
  ['5', 5],
  ['5s', 5],
  ['.5s', 0.5],
  ['250ms', 0.25],
  ['1.5min', 90],
  ['2h', 7200],
  ['02:03', 123],
  ['1:02:03.5', 3723.5],
  ['indefinite', null],
  ['', null],
  ['5 s', null],
  ['-5s', null],
])('reads the time %j', (text, seconds) => {
  expect(readClock(text)).toBe(seconds);
});

test.each([
  ['0;1.5s', [{ at: 0 }, { at: 1.5 }]],
  ['-2s; +3s', [{ at: -2 }, { at: 3 }]],
  ['a.end', [{ of: 'a', edge: 'end', offset: 0 }]],
  ['my-id.begin + 250ms', [{ of: 'my-id', edge: 'begin', offset: 0.25 }]],
  ['a\\.b.end-1', [{ of: 'a.b', edge: 'end', offset: -1 }]],
  // They never happen in an image.
  ['click; a.click+1s; accessKey(x); indefinite; wallclock(12:00)', []],
])('reads the moments %j', (text, moments) => {
  expect(readMoments(text)).toEqual(moments);
});

type More = Partial<Omit<TimedElement, 'begins' | 'ends'>> & { end?: string };

const timed = (begin: string, duration: number, { end = '', ...more }: More = {}): TimedElement => ({
  ...{ id: null, begins: readMoments(begin), ends: readMoments(end), duration },
  ...{ activeDuration: duration, restart: 'always', ...more },
});
const never = Number.POSITIVE_INFINITY;
const pair = [timed('0;b.end', 1, { id: 'a' }), timed('a.end', 1, { id: 'b' })] as const;

type Case = [name: string, elements: readonly TimedElement[], time: number, intervals: ([number, number] | null)[]];

describe('the last interval of each element', () => {
  test.each<Case>([
    ['before the begin', [timed('1', 2)], 0.9, [null]],
    ['at the begin', [timed('1', 2)], 1, [[1, 3]]],
    ['after the end', [timed('1', 2)], 9, [[1, 3]]],
    ['without an end', [timed('0', never)], 9, [[0, never]]],
    ['with repetitions', [timed('0', 2, { activeDuration: 6 })], 5, [[0, 6]]],
    ['of several begins', [timed('0;4;8', 1)], 5, [[4, 5]]],
    ['before time 0', [timed('-1', 2)], 0, [[-1, 1]]],
    ['that is ended early', [timed('0', 5, { end: '2' })], 3, [[0, 2]]],
    ['that restarts', [timed('0;1', 5)], 2, [[1, 6]]],
    ['that restarts only when it is over', [timed('0;1;7', 5, { restart: 'whenNotActive' })], 2, [[0, 5]]],
    ['that restarted when it was over', [timed('0;1;7', 5, { restart: 'whenNotActive' })], 8, [[7, 12]]],
    ['that never restarts', [timed('0;7', 5, { restart: 'never' })], 8, [[0, 5]]],
    ['of an element that starts itself', [timed('0;a.end+1', 1, { id: 'a' })], 4.5, [[4, 5]]],
  ])('%s', (_, elements, time, intervals) => {
    expect(intervalsOf(elements, time)).toEqual(intervals);
  });

  test.each<Case>([
    [
      'one after the other',
      [timed('0', 1, { id: 'a' }), timed('a.end+0.5', 1)],
      2,
      [
        [0, 1],
        [1.5, 2.5],
      ],
    ],
    [
      'one ends the other',
      [timed('0', 5, { end: 'b.begin' }), timed('3', 1, { id: 'b' })],
      4,
      [
        [0, 3],
        [3, 4],
      ],
    ],
    [
      'each starts the other',
      pair,
      4.5,
      [
        [4, 5],
        [3, 4],
      ],
    ],
    [
      'each starts the other, in the other order',
      pair.toReversed(),
      5.5,
      [
        [5, 6],
        [4, 5],
      ],
    ],
  ])('of two elements: %s', (_, elements, time, intervals) => {
    expect(intervalsOf(elements, time)).toEqual(intervals);
  });

  test('is found although two elements start each other without time between', () => {
    const elements = [timed('0;b.end', 0, { id: 'a' }), timed('a.end', 0, { id: 'b' })];
    expect(createTimeline(elements)(1)).toHaveLength(2);
  });
});

test('a timeline of many short intervals gives the same one after a long time as after each second', () => {
  const elements = [timed('0;a.end', 0.01, { id: 'a' })];
  const timeline = createTimeline(elements);
  for (let second = 0; second < 150; second++) timeline(second);
  expect(timeline(150)).toEqual(createTimeline(elements)(150));
});

test('a timeline gives the same intervals when it continues, and when it goes back', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const moment = fc.oneof(
    fc.integer({ min: -2, max: 4 }).map(String),
    fc
      .tuple(id, fc.constantFrom('begin', 'end'), fc.integer({ min: 1, max: 3 }))
      .map((one) => `${one[0]}.${one[1]}+${one[2]}`),
  );
  const moments = fc.array(moment, { minLength: 1, maxLength: 2 }).map((all) => all.join(';'));
  const restart = fc.constantFrom('always', 'whenNotActive', 'never');
  const element = fc
    .record({ begin: moments, end: fc.option(moments, { nil: '' }), duration: fc.integer({ min: 1, max: 4 }), restart })
    .map(({ begin, duration, ...more }) => timed(begin, duration, more as More));
  const elements = fc
    .tuple(element, element, element)
    .map((all) => all.map((one, at) => ({ ...one, id: 'abc'[at] as string })));
  fc.assert(
    fc.property(elements, fc.array(fc.integer({ min: 0, max: 20 })), (given, times) => {
      const timeline = createTimeline(given);
      for (const time of times) expect(timeline(time)).toEqual(createTimeline(given)(time));
    }),
  );
});

function intervalsOf(elements: readonly TimedElement[], time: number): ([number, number] | null)[] {
  return createTimeline(elements)(time).map((interval) => interval && [interval.begin, interval.end]);
}

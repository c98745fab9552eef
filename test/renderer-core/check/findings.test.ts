import { describe, expect, test } from 'vitest';
import {
  type BestContrasts,
  contrastProblems,
  excess,
  type Moment,
  noteContrasts,
  problemsOf,
  settledTexts,
  worstProblems,
} from '../../../renderer-core/check/findings.ts';
import { defaultLimits } from '../../../renderer-core/check/limits.ts';
import type { Box, Rgba, SeenText, Sight } from '../../../renderer-core/check/sight.ts';

const frame: Box = { left: 0, top: 0, width: 1000, height: 500 };

let keys = 0;

/** A text of one line. */
function text(words: string, [left, top, width, height]: number[], more: Partial<SeenText> = {}): SeenText {
  const line: Box = { left: left ?? 0, top: top ?? 0, width: width ?? 0, height: height ?? 0 };
  return {
    source: '0:10:20',
    name: 'h1',
    key: ++keys,
    text: words,
    lines: [line],
    parts: [{ lines: [line], color: [255, 255, 255, 1] }],
    isLarge: true,
    opacity: 1,
    window: frame,
    cutBy: null,
    isShortened: false,
    surface: null,
    isTurned: false,
    ...more,
  };
}

const sight = (texts: SeenText[], more: Partial<Sight> = {}): Sight => ({
  ...{ texts, images: [], clips: [], width: frame.width, height: frame.height },
  ...more,
});

/** A frame that looks as the one before it. */
const moment = (texts: SeenText[], more: Partial<Moment> = {}): Moment => ({
  ...{ frame: 12, sight: sight(texts), before: sight(texts), contrasts: [] },
  ...more,
});

const messages = (one: Moment, limits = defaultLimits) =>
  problemsOf(one, limits).map(({ check, message }) => `${check}: ${message}`);

describe('where texts are', () => {
  test.each([
    { words: 'inside', box: [10, 10, 200, 50], expected: [] },
    {
      words: 'Too wide',
      box: [900, 10, 140, 50],
      expected: ['text-outside-frame: “Too wide” leaves the frame by 40 px on the right'],
    },
    {
      words: 'Too high',
      box: [10, -20, 140, 50],
      expected: ['text-outside-frame: “Too high” leaves the frame by 10 px at the top'],
    },
  ])('$words', ({ words, box, expected }) => {
    expect(messages(moment([text(words, box)]))).toEqual(expected);
  });

  test('room above and below letters may be outside', () => {
    expect(messages(moment([text('Low', [10, 452, 100, 55])]))).toEqual([]);
  });

  test('what the overflow of an ancestor cuts off', () => {
    const window = { left: 0, top: 0, width: 150, height: 100 };
    const cut = text('Long title', [10, 10, 190, 50], { window, cutBy: { source: null, name: '.card' } });
    expect(messages(moment([cut]))).toEqual([
      'text-cut: “Long title” is cut off by 50 px on the right, by the overflow of .card',
    ]);
  });

  test('an ellipsis', () => {
    const shortened = text('Long title', [10, 10, 100, 50], { isShortened: true });
    expect(messages(moment([shortened]))).toEqual(['text-cut: “Long title” does not fit and ends with “…”']);
  });

  test('text that is larger than its button', () => {
    const surface = { source: null, name: '.button', box: { left: 5, top: 5, width: 100, height: 60 } };
    expect(messages(moment([text('Buy now', [10, 10, 150, 50], { surface })]))).toEqual([
      'text-outside-box: “Buy now” leaves its box .button by 55 px on the right',
    ]);
  });

  test('the safe area, if there is one', () => {
    const near = text('Near the edge', [20, 100, 100, 50]);
    expect(messages(moment([near]), { ...defaultLimits, safeArea: 0.05 })).toEqual([
      'text-outside-safe-area: “Near the edge” is outside of the safe area by 30 px on the left',
    ]);
  });

  test('text that waits behind a mask', () => {
    const window = { left: 0, top: 0, width: 400, height: 20 };
    const waiting = text('Waiting', [10, 10, 190, 50], { window, cutBy: { source: null, name: '.mask' } });
    expect(messages(moment([waiting]))).toEqual([]);
  });

  test('of a rotated text only the frame', () => {
    const turned = text('Turned', [10, 10, 190, 50], {
      isTurned: true,
      window: { ...frame, width: 50 },
      cutBy: { source: null, name: '.card' },
    });
    expect(messages(moment([turned]))).toEqual([]);
  });
});

describe('texts that overlap', () => {
  test('by more than a fifth of the smaller one', () => {
    expect(messages(moment([text('First', [10, 10, 200, 50]), text('Second', [100, 20, 200, 50])]))).toEqual([
      'text-overlap: “Second” overlaps “First” (h1)',
    ]);
  });
  test.each([
    ['below each other', text('First', [10, 10, 200, 50]), text('Second', [10, 50, 200, 50])],
    ['copies of the same', text('Glow', [10, 10, 200, 50]), text('Glow', [12, 12, 200, 50])],
    ['single letters', text('W', [10, 10, 60, 50]), text('A', [30, 10, 60, 50])],
    ['nearly transparent', text('2026', [10, 10, 200, 50], { opacity: 0.1 }), text('Second', [10, 10, 200, 50])],
  ])('but not if they are %s', (_, first, second) => {
    expect(messages(moment([first, second]))).toEqual([]);
  });
});

describe('texts that move are not where they belong', () => {
  const still = text('Still', [10, 10, 200, 50]);
  test('until they stand still', () => {
    const moved = { ...still, lines: [{ left: 14, top: 10, width: 200, height: 50 }] };
    expect(settledTexts({ sight: sight([still]), before: sight([moved]) })).toEqual([]);
    expect(settledTexts({ sight: sight([still]), before: sight([still]) })).toEqual([still]);
  });
  test('until they have faded in', () => {
    expect(settledTexts({ sight: sight([still]), before: sight([{ ...still, opacity: 0.9 }]) })).toEqual([]);
  });
  test('in the frame in which they appear', () => {
    expect(settledTexts({ sight: sight([still]), before: sight([]) })).toEqual([]);
  });
});

describe('contrast', () => {
  const white: Rgba = [255, 255, 255, 1];
  const faint = text('Faint', [10, 10, 200, 50]);
  /** Problems after frames in which the text has these contrasts. */
  const problemsWith = (...ratios: number[]) => {
    const best: BestContrasts = new Map();
    for (const [frame, ratio] of ratios.entries()) {
      const color: Rgba = [200, 200, 200, 1];
      noteContrasts(best, moment([faint], { frame, contrasts: [{ key: faint.key, ratio, color, behind: white }] }));
    }
    return contrastProblems(best);
  };
  test('with the nearest color that has enough', () => {
    expect(problemsWith(1.63)).toMatchObject([
      {
        check: 'low-contrast',
        message: '“Faint” has a contrast of 1.6 over #ffffff, less than 3; #939393 would have enough',
        color: '#939393',
      },
    ]);
  });
  test('in the frame in which it is best', () => {
    expect(problemsWith(1.2, 2.4, 1.8).map(({ frame }) => frame)).toEqual([1]);
  });
  test('of words that become bright', () => {
    expect(problemsWith(1.2, 12)).toEqual([]);
  });
});

test('images that are enlarged', () => {
  const image = {
    source: '0:1:2',
    name: 'img',
    box: frame,
    scale: 2.04,
    url: 'http://127.0.0.1/images/team%20photo.jpg?1',
  };
  expect(messages(moment([], { sight: sight([], { images: [image, { ...image, scale: 1.4 }] }) }))).toEqual([
    'enlarged-image: team photo.jpg is enlarged 2.0 times and looks blurred',
  ]);
});

test('an enlarged image whose URL is not valid percent-encoding', () => {
  const image = { source: '0:1:2', name: 'img', box: frame, scale: 2, url: 'https://cdn.example/100%.jpg' };
  expect(messages(moment([], { sight: sight([], { images: [image] }) }))).toEqual([
    'enlarged-image: 100%.jpg is enlarged 2.0 times and looks blurred',
  ]);
});

test('the pixels by which a box leaves another one', () => {
  expect(excess({ left: -5, top: 10, width: 100, height: 40 }, frame)).toEqual({ side: 'on the left', pixels: 5 });
  expect(excess({ left: -1, top: 10, width: 100, height: 40 }, frame)).toBeNull();
});

test('each element has its worst problem once', () => {
  const problem = { check: 'text-cut' as const, source: '0:1:2', message: '', box: null };
  expect(
    worstProblems([
      { ...problem, frame: 1, weight: 10 },
      { ...problem, frame: 9, weight: 30 },
      { ...problem, frame: 5, weight: 20, source: '0:5:9' },
    ]).map((one) => one.frame),
  ).toEqual([5, 9]);
});

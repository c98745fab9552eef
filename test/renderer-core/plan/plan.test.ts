// From what the author declared and what was asked for to the plan, or to an error that says what to do.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../renderer-core/errors.ts';
import { hasAlpha } from '../../../renderer-core/plan/formats.ts';
import { checkOptions, type PlanOptions } from '../../../renderer-core/plan/options.ts';
import {
  type CompositionFacts,
  completePlan,
  draftPlan,
  estimateBytes,
  type PlanSubject,
  planWarnings,
} from '../../../renderer-core/plan/plan.ts';

const facts: CompositionFacts = {
  width: 1920,
  height: 1080,
  duration: 10,
  fps: null,
  timezone: null,
  locale: null,
  loudness: null,
  sizes: [],
};

type Options = PlanOptions & Partial<PlanSubject>;

const draft = ({ composition = 'index.html', variables, ...options }: Options, declared: Partial<CompositionFacts>) =>
  draftPlan({ ...facts, ...declared }, checkOptions(options), { composition, variables });

const plan = (options: Options = {}, declared: Partial<CompositionFacts> = {}) =>
  completePlan(draft(options, declared));

test('plans a render with default options', () => {
  expect(plan({ variables: { title: 'Hi' } })).toEqual({
    version: 1,
    composition: 'index.html',
    variables: { title: 'Hi' },
    width: 1920,
    height: 1080,
    page: { width: 1920, height: 1080, zoom: 1 },
    fps: { num: 30, den: 1 },
    duration: 10,
    frames: 300,
    format: 'mp4',
    codec: 'h264',
    quality: 'standard',
    hdr: null,
    bitDepth: 8,
    systemFonts: false,
    timezone: 'UTC',
    locale: 'en-US',
    chunks: [
      { index: 0, start: 0, end: 150 },
      { index: 1, start: 150, end: 300 },
    ],
    seed: 24301,
    epochMs: 1735689600000,
    output: 'renders/index.mp4',
  });
});

test.each([
  [{ crf: 18 }, { crf: 18 }],
  [{ bitrate: '8M' }, { bitrate: 8_000_000 }],
  [{ bitrate: '4500k' }, { bitrate: 4_500_000 }],
  [{ bitrate: '2.5m' }, { bitrate: 2_500_000 }],
])('plans the rate %j', (options, rate) => expect(plan(options)).toMatchObject(rate));

test('produces a plan that JSON preserves', () => expect(JSON.parse(JSON.stringify(plan()))).toEqual(plan()));

test.each([
  ['an option over the declaration', { fps: '60' }, { fps: '25' }, { num: 60, den: 1 }],
  ['the declaration over the default', {}, { fps: '29.97' }, { num: 30000, den: 1001 }],
])('prefers %s for the frame rate', (_, options, declared, fps) => expect(plan(options, declared).fps).toEqual(fps));

test.each([
  [{ composition: 'scenes/intro.html' }, 'mp4', 'renders/intro.mp4'],
  [{ format: 'png' }, 'png', 'renders/index'],
  [{ format: 'hls' }, 'hls', 'renders/index'],
  [{ output: 'out/a.mp4' }, 'mp4', 'out/a.mp4'],
  [{ output: 'out/folder' }, 'mp4', 'out/folder'],
  [{ output: 'out/A.WEBM' }, 'webm', 'out/A.WEBM'],
  [{ format: 'mov' }, 'mov', 'renders/index.mov'],
  [{ format: 'gif', fps: '25' }, 'gif', 'renders/index.gif'],
  [{ format: 'webm', output: 'a.WebM' }, 'webm', 'a.WebM'],
  [{ format: 'mp4', output: 'a.v2' }, 'mp4', 'a.v2'],
  [{ format: 'png', output: 'frames.png' }, 'png', 'frames.png'],
])('renders %j as %s to %s', (options, format, output) => {
  expect(plan(options)).toMatchObject({ format, output });
});

test.each([
  [{}, 'h264', false],
  [{ codec: 'h265' }, 'h265', false],
  [{ codec: 'av1' }, 'av1', false],
  [{ format: 'webm' }, 'vp9', true],
  [{ format: 'webm', codec: 'av1' }, 'av1', false],
  [{ format: 'mov' }, 'prores', true],
  [{ format: 'mov', codec: 'h264' }, 'h264', false],
  [{ format: 'gif' }, null, true],
  [{ format: 'png' }, null, true],
  [{ format: 'webm', bitDepth: 10 }, 'vp9', false],
  [{ hdr: true }, 'h265', false],
])('encodes %j as %s, with alpha: %s', (options, codec, alpha) => {
  const made = plan(options);
  expect([made.codec, hasAlpha(made)]).toEqual([codec, alpha]);
});

test.each([
  [{ codec: 'h265' }, null, 8],
  [{ codec: 'h265', bitDepth: 10 }, null, 10],
  [{ codec: 'av1', bitDepth: 10 }, null, 10],
  [{ format: 'mov' }, null, 10],
  [{ format: 'mov', bitDepth: 10 }, null, 10],
  [{ hdr: true }, 'pq', 10],
  [{ hdr: 'pq', codec: 'av1' }, 'pq', 10],
  [{ hdr: 'hlg', output: 'a.mov' }, 'hlg', 10],
])('encodes %j with the curve %s and %s bits', (options, hdr, bitDepth) => {
  expect(plan(options)).toMatchObject({ hdr, bitDepth });
});

test.each([
  ['30', 1],
  ['25', 0],
  ['50', 0],
  ['12.5', 0],
  ['29.97', 1],
])('warns of uneven frame times in a gif at %s frames per second: %d', (fps, count) => {
  expect(planWarnings(plan({ format: 'gif', fps }))).toEqual(
    Array(count).fill(expect.stringContaining('hundredths of a second')),
  );
  expect(planWarnings(plan({ format: 'webm', fps }))).toEqual([]);
});

test.each([
  [{ format: 'webm', codec: 'av1' }, 'AV1 has no alpha channel: transparent areas will be white. Use --codec vp9'],
  [{ format: 'mov', codec: 'h264' }, 'H.264 has no alpha channel: transparent areas will be white. Use --codec prores'],
  [
    { format: 'webm', bitDepth: 10 },
    'VP9 with 10 bits has no alpha channel: transparent areas will be white. Leave out --bit-depth',
  ],
  [{ format: 'mov', hdr: true }, 'H.265 has no alpha channel: transparent areas will be white. Leave out --hdr'],
])('warns if the codec drops the alpha of the format: %j', (options, message) =>
  expect(planWarnings(plan(options))).toEqual([expect.stringContaining(message)]));

test.each([
  {},
  { codec: 'av1' },
  { format: 'webm' },
  { format: 'mov' },
  { format: 'png' },
])('does not warn about alpha where it is kept or was not requested: %j', (options) =>
  expect(planWarnings(plan(options))).toEqual([]));

describe('invalid options', () => {
  test.each([
    [{ format: 'avi' }, {}, 'usage', 'unknown format "avi"'],
    [
      { output: 'a.avi' },
      {},
      'usage',
      'unknown output format .avi; use .mp4, .webm, .mov, .gif, or a folder for HLS and PNG frames',
    ],
    [{ codec: 'vp9' }, {}, 'usage', 'mp4 does not support the codec "vp9"'],
    [{ format: 'mov', codec: 'h265' }, {}, 'usage', 'mov does not support the codec "h265"'],
    [{ format: 'webm', output: 'a.mp4' }, {}, 'usage', "--format webm contradicts the output's extension .mp4"],
    [{ format: 'mp4', output: 'A.MOV' }, {}, 'usage', "--format mp4 contradicts the output's extension .mov"],
    [{ format: 'mp4', output: 'a.png' }, {}, 'usage', "--format mp4 contradicts the output's extension .png"],
    [{ format: 'png', output: 'a.mp4' }, {}, 'usage', "--format png contradicts the output's extension .mp4"],
    [{ format: 'gif', codec: 'vp9' }, {}, 'usage', 'gif does not support the codec "vp9"'],
    [
      { hdr: true, codec: 'h264' },
      {},
      'usage',
      'HDR requires H.265 or AV1 in mp4, or H.265 in mov (got the codec "h264" in mp4)',
    ],
    [{ hdr: true, format: 'webm' }, {}, 'usage', 'HDR requires H.265 or AV1 in mp4, or H.265 in mov (got webm)'],
    [{ hdr: true, output: 'a.mov', codec: 'av1' }, {}, 'usage', 'in mov (got the codec "av1" in mov)'],
    [{ hdr: 'sdr' }, {}, 'usage', 'unknown hdr "sdr"'],
    [{ bitDepth: 10 }, {}, 'usage', 'H.264 cannot have 10 bits'],
    [{ format: 'gif', bitDepth: 10 }, {}, 'usage', 'gif cannot have 10 bits'],
    [{ format: 'mov', bitDepth: 8 }, {}, 'usage', 'ProRes always has 10 bits'],
    [{ hdr: true, bitDepth: 8 }, {}, 'usage', 'HDR video always has 10 bits'],
    [{ codec: 'h265', bitDepth: 12 }, {}, 'usage', 'the bit depth must be 8 or 10 (got 12)'],
    [{ format: 'gif', fps: '60' }, {}, 'usage', 'gif supports at most 50 frames per second (got 60)'],
    [{ format: 'gif' }, { fps: '59.94' }, 'usage', 'gif supports at most 50 frames per second (got 60000/1001)'],
    [{ quality: 'best' }, {}, 'usage', 'unknown quality "best"'],
    [{ fps: '500' }, {}, 'usage', 'fps must be a number from 1 to 240 (got 500)'],
    [{}, { fps: 'film' }, 'composition_invalid', 'data-fps must be a number or a fraction from 1 to 240 (got "film")'],
    [{}, { width: null }, 'composition_invalid', 'The composition has no width'],
    [{}, { width: null, height: null }, 'composition_invalid', 'The composition has no width and height'],
    [{}, { width: 20_000 }, 'composition_invalid', '20000x1080 is too large for H.264'],
    [{ resolution: '1080p' as const }, { width: 20_000 }, 'composition_invalid', '20000x1080 is too large for H.264'],
    [{ width: 20_000 }, {}, 'usage', '20000x11250 is too large for H.264'],
    [{ format: 'png' }, { width: 1e6 }, 'composition_invalid', 'The composition is 1000000x1080 pixels'],
    [
      { resolution: '1080p' as const },
      { width: 1e6, height: 1e6 },
      'composition_invalid',
      'The composition is 1000000x1000000 pixels',
    ],
    [{}, { duration: 86_401 }, 'timing_invalid', 'The video would be 86401 s long, but at most 24 hours are possible'],
    [{}, { duration: 1e9 }, 'timing_invalid', 'The video would be 1000000000 s long'],
    [
      { codec: 'h265' },
      { height: 63 },
      'composition_invalid',
      '1920x63 is too small for H.265 (at least 64 pixels per side)',
    ],
    [{ format: 'webm' }, { height: 20_000 }, 'composition_invalid', '1920x20000 is too large for VP9'],
    [{}, { duration: null }, 'no_duration', 'The composition has no duration'],
  ])('rejects %j with %j', (options, declared, code, message) => {
    const failure = (() => {
      try {
        return plan(options, declared);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w/),
    });
  });

  test.each([
    [{ codec: 'prores' }, 'For mp4 use h264, h265, av1.'],
    [{ format: 'webm', codec: 'h264' }, 'For webm use vp9, av1.'],
    [{ format: 'mov', codec: 'av1' }, 'For mov use prores, h264.'],
    [{ format: 'gif', codec: 'vp9' }, 'Leave out --codec for gif.'],
  ])('rejects an unsupported codec and lists the supported ones: %j', (options, hint) =>
    expect(() => plan(options)).toThrow(expect.objectContaining({ hint })));
});

test.each([
  ['a video', {}, {}, 7_464_960],
  ['one of high quality', { quality: 'high' }, {}, 22_394_880],
  ['one of 100 seconds', {}, { duration: 100 }, 74_649_600],
  ['one whose page determines the duration', {}, { duration: null }, 7_464_960],
  ['one with a bitrate', { bitrate: '800k' }, {}, 1_000_000],
  ['images', { format: 'png' }, { duration: 1 }, 62_208_000],
] as const)('estimates the bytes of %s', (_, options, declared, bytes) =>
  expect(estimateBytes(draft(options, declared))).toBe(bytes));

test('renders the segments of an HLS stream as chunks of six seconds', () =>
  expect(plan({ format: 'hls', fps: '29.97' }, { duration: 14 })).toMatchObject({
    codec: 'h264',
    chunks: [
      { index: 0, start: 0, end: 180 },
      { index: 1, start: 180, end: 360 },
      { index: 2, start: 360, end: 420 },
    ],
  }));

test.each([0, -1, 1.5, Number.NaN])('rejects %d workers', (workers) =>
  expect(() => checkOptions({ workers })).toThrow(`workers must be a whole number from 1 (got ${workers})`));

describe('the time zone and the language', () => {
  test.each([
    [{}, {}, { timezone: 'UTC', locale: 'en-US' }],
    [{}, { timezone: 'Asia/Tokyo', locale: 'ja' }, { timezone: 'Asia/Tokyo', locale: 'ja' }],
    [{ timezone: 'UTC' }, { timezone: 'Asia/Tokyo', locale: 'ja' }, { timezone: 'UTC', locale: 'ja' }],
  ])('options %j and root %j give %j', (options, declared, expected) =>
    expect(plan(options, declared)).toMatchObject(expected));

  test.each([
    [{ timezone: 'Berlin' }, 'data-timezone must be the name of a time zone, such as Europe/Berlin (got "Berlin")'],
    [{ locale: 'de_DE' }, 'data-locale must be a language tag, such as de-CH (got "de_DE")'],
  ])('rejects the root %j', (declared, message) => expect(() => plan({}, declared)).toThrow(message));

  test('rejects an option before any file is read', () =>
    expect(() => checkOptions({ timezone: 'Berlin' })).toThrow(
      '--timezone must be the name of a time zone, such as Europe/Berlin (got "Berlin")',
    ));
});

// From what the author declared and what was asked for to the plan, or to an error that says what to do.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../renderer-core/errors.ts';
import { type CompositionFacts, completePlan, draftPlan, type PlanOptions } from '../../renderer-core/plan/plan.ts';

const facts: CompositionFacts = { width: 1920, height: 1080, duration: 10, fps: null };

const plan = (options: Partial<PlanOptions> = {}, declared: Partial<CompositionFacts> = {}) =>
  completePlan(draftPlan({ ...facts, ...declared }, { composition: 'index.html', ...options }));

test('the plan of a plain render', () => {
  expect(plan({ variables: { title: 'Hi' } })).toEqual({
    version: 1,
    composition: 'index.html',
    variables: { title: 'Hi' },
    width: 1920,
    height: 1080,
    fps: { num: 30, den: 1 },
    duration: 10,
    frames: 300,
    format: 'mp4',
    codec: 'h264',
    quality: 'standard',
    chunks: [
      { index: 0, start: 0, end: 150 },
      { index: 1, start: 150, end: 300 },
    ],
    seed: 24301,
    epochMs: 1735689600000,
    output: 'renders/index.mp4',
  });
});

test('a plan survives JSON', () => expect(JSON.parse(JSON.stringify(plan()))).toEqual(plan()));

test.each([
  ['an option over the declaration', { fps: '60' }, { fps: '25' }, { num: 60, den: 1 }],
  ['the declaration over the default', {}, { fps: '29.97' }, { num: 30000, den: 1001 }],
])('the frame rate: %s', (_, options, declared, fps) => expect(plan(options, declared).fps).toEqual(fps));

test.each([
  [{ composition: 'scenes/intro.html' }, 'mp4', 'renders/intro.mp4'],
  [{ format: 'png' }, 'png', 'renders/index'],
  [{ output: 'out/a.mp4' }, 'mp4', 'out/a.mp4'],
  [{ output: 'out/folder' }, 'mp4', 'out/folder'],
])('the output of %j is %s at %s', (options, format, output) => {
  expect(plan(options)).toMatchObject({ format, output });
});

describe('what cannot be planned', () => {
  test.each([
    [{ format: 'avi' }, {}, 'usage', '"avi" is not a format'],
    [{ output: 'a.webm' }, {}, 'usage', "the output's extension .webm names no format"],
    [{ codec: 'vp9' }, {}, 'usage', 'mp4 cannot hold the codec "vp9"'],
    [{ quality: 'best' }, {}, 'usage', '"best" is not a quality'],
    [{ fps: '500' }, {}, 'usage', 'a frame rate of 500 is outside 1 to 240'],
    [{}, { fps: 'film' }, 'composition_invalid', 'data-fps of index.html: "film" is not a frame rate'],
    [{}, { width: null }, 'composition_invalid', 'The composition has no width'],
    [{}, { width: null, height: null }, 'composition_invalid', 'The composition has no width and height'],
    [{}, { width: 20_000 }, 'composition_invalid', '20000x1080 is larger than H.264 can hold'],
    [{}, { duration: null }, 'no_duration', 'The composition has no duration'],
  ])('%j with %j', (options, declared, code, message) => {
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
});

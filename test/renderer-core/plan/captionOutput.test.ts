// Where the captions of a video go, and when they are shown in it.
import { expect, test } from 'vitest';
import {
  captionOutput,
  checkCaptions,
  rejectCaptionPath,
  withCaptions,
} from '../../../renderer-core/plan/captionOutput.ts';
import type { Format } from '../../../renderer-core/plan/formats.ts';
import type { RenderPlan } from '../../../renderer-core/plan/renderPlan.ts';

test.each<[string, string, Format, string]>([
  ['embed', 'out.mp4', 'mp4', 'embed'],
  ['vtt', 'renders/out.mp4', 'mp4', 'renders/out.vtt'],
  ['srt', 'renders/frames', 'png', 'renders/frames.srt'],
  ['talks/de.vtt', 'out.webm', 'webm', 'talks/de.vtt'],
])('writes the captions of %j with %s to a file or a track', (option, output, format, expected) => {
  checkCaptions(option, format, output);
  expect(captionOutput(option, output, format)).toBe(expected);
});

test.each<[string, Format, string, string]>([
  ['embed', 'gif', 'out.gif', 'gif has no track for captions'],
  [
    'talk.txt',
    'mp4',
    'out.mp4',
    'captions must be embed, vtt, srt, or a file name that ends with .vtt or .srt (got "talk.txt")',
  ],
  ['vtt', 'mp4', '-', 'The file of captions needs a name, because the video is written to standard output'],
])('rejects %j for %s', (option, format, output, message) => {
  expect(() => checkCaptions(option, format, output)).toThrow(message);
});

test('rejects the path of one file for several videos', () => {
  expect(() => rejectCaptionPath('talk.vtt')).toThrow('Each video has its own file of captions');
  for (const option of [undefined, 'embed', 'vtt', 'srt']) rejectCaptionPath(option);
});

test('has the captions of a part of the video, each once', () => {
  const plan = { frames: 20, firstFrame: 10, fps: { num: 10, den: 1 }, captions: { output: 'embed', cues: [] } };
  const captions = [
    { start: 0.2, end: 0.9, text: 'before' },
    { start: 0.5, end: 1.5, text: 'a' },
    { start: 1.5, end: 9, text: 'b' },
    { start: 1.5, end: 9, text: 'b' },
  ];
  expect(withCaptions(plan as unknown as RenderPlan, captions).captions?.cues).toEqual([
    { start: 0, end: 0.5, text: 'a' },
    { start: 0.5, end: 2, text: 'b' },
  ]);
});

// What pages know about media files: the same in every page that shows the composition, from its first frame on.
import { describe, expect, test } from 'vitest';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { footage, footageHeight, footageWidth, readNumber } from '../../../support/renders/footage.ts';
import { type Files, page, png, readCell, red, renderFrames } from '../../../support/renders/frames.ts';
import { hex } from '../../../support/renders/video.ts';
import { core } from '../../../support/suites.ts';

const size = { width: footageWidth, height: 3 * footageHeight };

/** A red caption in the flow below a video without width and height. */
const captioned = (video: string) =>
  `<div style="position:absolute;left:0;top:0">${video}<div style="height:8px;background:red"></div></div>`;

/** The distance from the top of the frame to the caption in each frame; -1 if it is outside. */
async function captionTops(files: Files, request: Partial<RenderRequest>): Promise<number[]> {
  const rows = Array.from({ length: size.height }, (_, y) => y);
  const frames = await renderFrames(files, request);
  return frames.map((frame) => rows.find((y) => hex(frame, footageWidth - 4, y) === red) ?? -1);
}

describe('a caption below a video without width and height stays in its place', () => {
  const video = (attributes: string) => `<video src="clip.mp4" style="display:block" ${attributes}></video>`;
  const timed = video('data-start="0.3" data-duration="0.2"');
  test.each<[string, string, Partial<RenderRequest>]>([
    ['painted', timed, { capture: 'paint' }],
    ['by screenshots', timed, { capture: 'screenshot' }],
    ['in pages that start at each frame', timed, { capture: 'screenshot', chunkFrames: 1 }],
    ['with a poster', video('data-start="0.3" data-duration="0.2" poster="p.png"'), { capture: 'paint' }],
    ['without preloading', video('data-start="0.3" data-duration="0.2" preload="none"'), { capture: 'paint' }],
  ])('%s', async (_, body, request) => {
    const index = page(captioned(body), { ...size, duration: 0.6 });
    const files = { 'index.html': index, 'clip.mp4': footage({ seconds: 0.5 }), 'p.png': png([0, 255, 0], 16) };
    expect(await captionTops(files, request)).toEqual(Array(6).fill(footageHeight));
  });
});

/** Shows in every frame, as numbers, what a script reads from media elements. */
const reading = (media: string, values: string) =>
  `${media}<script>(function read() { [${values}].forEach((value, at) => number(at, value)); requestAnimationFrame(read) })()</script>`;

test('tells scripts the size of a video before the first frame', core, async () => {
  const media = '<video id="v" src="clip.mp4" data-start="0.2" style="display:none"></video>';
  const index = page(reading(media, 'v.videoWidth, v.videoHeight, v.readyState'), { ...size, duration: 0.3 });
  const frames = await renderFrames({ 'index.html': index, 'clip.mp4': footage({ seconds: 0.5 }) });
  const cells = frames.map((frame) => [0, 1, 2].map((at) => readCell(frame, at, 'number')));
  expect(cells).toEqual(Array(3).fill([footageWidth, footageHeight, 4]));
});

test.each(['video', 'audio'])('lets scripts read the duration and the position of <%s>', async (name) => {
  const media = `<${name} id="m" src="clip.mp4" data-start="0.1" data-media-start="0.2" style="display:none"></${name}>`;
  const values = 'Math.round(m.duration * 10), Math.round(m.currentTime * 10)';
  const index = page(reading(media, values), { ...size, duration: 0.4 });
  const clip = footage({ seconds: 1, sound: true });
  const frames = await renderFrames(
    { 'index.html': index, 'clip.mp4': clip },
    { capture: 'screenshot', chunkFrames: 2 },
  );
  expect(frames.map((frame) => [0, 1].map((at) => readCell(frame, at, 'number')))).toEqual([
    [10, 2],
    [10, 2],
    [10, 3],
    [10, 4],
  ]);
});

test('lets scripts copy the frames of a video, also in a page that starts later', async () => {
  const copy = `<video id="v" src="clip.mp4" data-start="0" style="position:absolute;top:50px"></video>
    <canvas id="c" width="${footageWidth}" height="${footageHeight}" style="position:absolute;left:0;top:0"></canvas>
    <script>requestAnimationFrame(function draw() { c.getContext('2d').drawImage(v, 0, 0); requestAnimationFrame(draw) })</script>`;
  const index = page(copy, { ...size, duration: 0.4 });
  const request = { capture: 'screenshot', chunkFrames: 1 } as const;
  const frames = await renderFrames({ 'index.html': index, 'clip.mp4': footage({ seconds: 0.5 }) }, request);
  // A script sees the video frame that was shown when the animation frame started.
  expect(frames.slice(1).map((frame) => readNumber(frame))).toEqual([0, 3, 6]);
});

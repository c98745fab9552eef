// Background video: when its frames go directly from the decoder to the encoder, and that the result looks the same.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderReport } from '../../../../renderer-core/render/renderReport.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { footage, footageHeight, footageWidth, readNumber } from '../../../support/renders/footage.ts';
import { decode, type Picture } from '../../../support/renders/video.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

const size = { width: footageWidth, height: footageHeight };
const fill = `position:absolute;left:0;top:0;width:${footageWidth}px;height:${footageHeight}px`;
const video = `<video src="clip.mp4" data-start="0" style="${fill}"></video>`;
/** A red square in the lower right corner, where the footage has no blocks. */
const corner = 'position:absolute;right:0;bottom:0;width:8px;height:8px;background:#f00';
/** Leaves the corner uncovered, so that the red outline of the parent shows. */
const wipe = `position:absolute;left:0;top:0;width:${footageWidth - 8}px;height:32px;overflow:hidden;box-shadow:0 0 0 8px #f00`;
const padded = video.replace('style="', 'style="box-sizing:border-box;padding-right:8px;object-fit:cover;');
const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
const codec = ['-c:v', 'libx264', '-crf', '12', '-pix_fmt', 'yuv420p', ...bt709];
const clip = () => footage({ codec });

async function render(body: string, duration = 0.5): Promise<{ frames: Picture[]; report: RenderReport }> {
  const projectDir = project({ 'index.html': composition(body, { ...size, duration }), 'clip.mp4': clip() });
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', quality: 'high' });
  return { frames: await decode(output, footageWidth, footageHeight), report };
}

const isRed = (frame: Picture): boolean => {
  const [red, green] = frame.at(footageWidth - 4, footageHeight - 4);
  return red > 200 && green < 60;
};

/** `red`: the frames in which the corner is red. `direct`: the number of frames whose footage did not pass through the page. */
type Case = [name: string, body: string, red: boolean[], direct: number];

const [yes, no] = [true, false];
const never = [no, no, no, no, no];
const always = [yes, yes, yes, yes, yes];

describe('shows the same frames with and without the feature:', () =>
  test.each<Case>([
    ['only footage', video, never, 5],
    ['in a shadow tree', `<div><template shadowrootmode="open">${video}</template></div>`, never, 0],
    ['under a box', `${video}<div style="${corner}"></div>`, always, 5],
    [
      'under a box that appears later',
      `${video}<div data-start="0.2" style="${corner}"></div>`,
      [no, no, yes, yes, yes],
      5,
    ],
    ['behind a box by z-index', `<div style="${corner};z-index:2"></div>${video}`, always, 5],
    ['in front of a box', `<div style="${corner}"></div>${video}`, never, 0],
    ['in front of a box by z-index', `${video}<div style="${corner};z-index:-1"></div>`, never, 0],
    [
      'under an element without pointer events',
      `${video}<div style="pointer-events:none;inset:0;position:absolute"><i style="${corner}"></i></div>`,
      always,
      5,
    ],
    ['under a layer with a blend mode', `${video}<div style="${corner};mix-blend-mode:multiply"></div>`, never, 0],
    ['faded', video.replace('style="', 'style="opacity:.99;'), never, 0],
    ['filtered', video.replace('style="', 'style="filter:saturate(1.2);'), never, 0],
    ['with round corners', video.replace('style="', 'style="border-radius:4px;'), never, 0],
    ['smaller than the frame', video.replace('style="', 'style="margin-left:1px;'), never, 0],
    [
      'on a colored background',
      `<div style="position:absolute;inset:0;background:#0f0">${video}</div><div style="${corner}"></div>`,
      always,
      5,
    ],
    [
      'in front of a child of an element with display: contents',
      `<div style="display:contents"><i style="${corner}"></i></div>${video}`,
      never,
      0,
    ],
    [
      'in front of a pseudo-element',
      `${video}<style>b::before{content:"";${corner};z-index:-1}</style><b></b>`,
      never,
      0,
    ],
    [
      'under a pseudo-element with a blend mode',
      `${video}<style>b::before{content:"";${corner};mix-blend-mode:multiply}</style><b></b>`,
      never,
      0,
    ],
    [
      'under a shape with a blend mode',
      `${video}<svg style="${corner};background:none"><path d="M0 0h8v8H0z" fill="red" style="mix-blend-mode:multiply"/></svg>`,
      never,
      0,
    ],
    [
      'under a part of a custom element with a blend mode',
      `${video}<div id="h"></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<i style="${corner};mix-blend-mode:multiply"></i>'</script>`,
      never,
      0,
    ],
    // The text is in front of the footage, but its background is behind it.
    [
      'in the flow, under a text that moved up',
      `${video.replace('position:absolute', 'display:block')}<div style="margin-top:-16px;height:16px;background:#f00;font:8px/16px monospace;text-align:center">I</div>`,
      never,
      0,
    ],
    [
      'on a positioned layer, under a text in the flow',
      `<style>html{background:none}</style><div style="position:absolute;inset:0;z-index:-1">${video}</div><div style="margin-left:120px;height:32px;background:#f00">.</div>`,
      always,
      5,
    ],
    [
      'on a positioned layer, under the background of its parent',
      `<style>#root{background:linear-gradient(90deg,transparent 120px,#f00 0)}html{background:none}</style><div style="position:absolute;inset:0;z-index:-1">${video}</div>`,
      always,
      0,
    ],
    [
      'in a grid, under another item',
      `<div style="display:grid">${video.replace('position:absolute', 'grid-area:1/1')}<div style="grid-area:1/1;place-self:end;width:8px;height:8px;background:#f00"></div></div>`,
      always,
      5,
    ],
    ['uncovered by a wipe', `<div style="${wipe}">${video}</div>`, always, 0],
    ['with padding', `<div style="position:absolute;inset:0;background:#f00">${padded}</div>`, always, 0],
    ['on a dark page', `<style>:root{color-scheme:dark}</style>${video}<i style="${corner}"></i>`, always, 0],
    ['with object-fit: fill', video.replace('style="', 'style="object-fit:fill;'), never, 5],
    ['on a background with text', `<div style="position:absolute;inset:0;color:#f00">.${video}</div>`, never, 0],
  ])('%s', async (_, body, red, direct) => {
    const { frames, report } = await render(body);
    expect(frames.map((frame) => readNumber(frame) % 128)).toEqual([0, 3, 6, 9, 12]);
    expect(frames.map(isRed)).toEqual(red);
    expect(report.capture.path).toBe('paint');
    expect(report.capture.directFrames).toBe(direct);
  }));

test('switches to the page and back', core, async () => {
  const fade = `<script>setTimeout(() => { v.style.opacity = 0.9 }, 250); setTimeout(() => { v.style.opacity = 1 }, 450)</script>`;
  const { frames, report } = await render(`${video.replace('<video', '<video id="v"')}${fade}`, 0.8);
  expect(frames.map((frame) => readNumber(frame))).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
  expect(report.capture.directFrames).toBe(6);
});

test('fades with a CSS transition', async () => {
  const fade = `<script>setTimeout(() => { v.style.opacity = 0 }, 150)</script>`;
  const styled = video.replace('<video', '<video id="v"').replace('style="', 'style="transition:opacity .4s linear;');
  const { frames, report } = await render(`${styled}${fade}`, 0.8);
  // Brightness of the block that is white from the fourth frame to the sixth.
  const levels = frames.slice(3, 6).map((frame) => Math.round(frame.at(56, 16)[0] / 64));
  expect(levels).toEqual([3, 2, 1]);
  expect(report.capture.directFrames).toBe(3);
});

test('mixes the footage with a half-transparent color', async () => {
  const half = `<div style="position:absolute;inset:0;background:rgb(255 0 0 / 50%)"></div>`;
  const { frames, report } = await render(`${video}${half}`, 0.3);
  expect(report.capture.directFrames).toBe(3);
  // Black, then white: the lowest two bits of 3.
  const [dark, bright] = [frames[0]?.at(8, 16), frames[1]?.at(8, 16)];
  for (const [found, expected] of [
    [dark, [128, 0, 0]],
    [bright, [255, 128, 128]],
  ] as const) {
    for (const [channel, value] of expected.entries())
      expect(Math.abs((found?.[channel] ?? -99) - value)).toBeLessThan(6);
  }
});

test('crops footage by object-fit and object-position', core, async () => {
  const cut = `<video src="clip.mp4" data-start="0" style="position:absolute;left:0;top:0;width:64px;height:32px;object-fit:cover;object-position:0% 50%"></video>`;
  const projectDir = project({
    'index.html': composition(cut, { width: 64, height: 32, duration: 0.4 }),
    'clip.mp4': clip(),
  });
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({ projectDir, output, fps: '30', quality: 'high' });
  const frames = await decode(output, 64, 32);
  // The left half shows the four lowest bits.
  const bits = (frame: Picture) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum + (frame.at(8 + 16 * bit, 16)[0] > 128 ? 2 ** bit : 0), 0);
  expect(frames.map(bits)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(report.capture.directFrames).toBe(12);
});

test('uses the size of a second file after the source changes', async () => {
  const body = `<video id="v" src="clip.mp4" data-start="0" style="${fill};object-fit:cover"></video><script>setTimeout(() => { v.src = 'large.mp4' }, 150)</script>`;
  const projectDir = project({
    'index.html': composition(body, { ...size, duration: 0.5 }),
    'clip.mp4': clip(),
    'large.mp4': footage({ codec, filter: 'scale=iw*2:ih*2:flags=neighbor' }),
  });
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', quality: 'high' });
  const frames = await decode(output, footageWidth, footageHeight);
  expect(frames.map((frame) => readNumber(frame))).toEqual([0, 3, 6, 9, 12]);
  expect(report.capture).toMatchObject({ path: 'paint', directFrames: 5 });
});

test('shows the elements behind footage with alpha', async () => {
  const alpha = ['-c:v', 'libvpx-vp9', '-b:v', '1M', '-cpu-used', '8', '-auto-alt-ref', '0', '-pix_fmt', 'yuva420p'];
  const body = `<div style="position:absolute;inset:0;background:#00f"><video src="a.webm" data-start="0" style="${fill}"></video></div>`;
  const projectDir = project({
    'index.html': composition(body, { ...size, duration: 0.3 }),
    'a.webm': footage({ name: 'a.webm', codec: alpha, filter: 'format=yuva420p,colorchannelmixer=aa=0.5' }),
  });
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', quality: 'high', capture: 'paint' });
  const blue = (await decode(output, footageWidth, footageHeight)).map((frame) => frame.at(120, 16)[2]);
  expect(blue.map((level) => Math.round(level / 64))).toEqual([2, 2, 2]);
  expect(report.capture.directFrames).toBe(0);
});

test('does not draw anything twice in frames of odd sizes, whose last row and column are repeated', async () => {
  const odd = { width: footageWidth - 1, height: footageHeight - 1 };
  const style = `position:absolute;left:0;top:0;width:${odd.width}px;height:${odd.height}px;object-fit:cover`;
  const body = `<video src="clip.mp4" data-start="0" style="${style}"></video><i style="position:absolute;left:118px;top:8px;width:4px;height:16px;background:#f00"></i>`;
  const projectDir = project({ 'index.html': composition(body, { ...odd, duration: 0.3 }), 'clip.mp4': clip() });
  const output = join(temporaryFolder(), 'frames.mp4');
  await renderVideo({ projectDir, output, fps: '10', quality: 'high', capture: 'paint' });
  const frames = await decode(output, footageWidth, footageHeight);
  expect(frames.map((frame) => frame.at(120, 16)[0] > 128)).toEqual([true, true, true]);
  expect(frames.map((frame) => frame.at(122, 16)[0] > 64)).toEqual([false, false, false]);
});

test('keeps footage in the page if a script draws it elsewhere', async () => {
  const copy = `<canvas id="c" width="${footageWidth}" height="${footageHeight}" style="${fill}"></canvas>
    <script>requestAnimationFrame(function draw() { c.getContext('2d').drawImage(v, 0, 0); requestAnimationFrame(draw) })</script>`;
  const { frames, report } = await render(`${video.replace('<video', '<video id="v"')}${copy}`);
  expect(report.capture.directFrames).toBe(0);
  // A script sees the video frame that was shown when the animation frame started.
  expect(frames.slice(1).map((frame) => readNumber(frame))).toEqual([0, 3, 6, 9]);
});

// Video elements on the composition's clock: every frame shows the video frame for its time.
import { describe, expect, test } from 'vitest';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { composition } from '../../../support/project.ts';
import {
  type Footage,
  footage,
  footageHeight,
  footageWidth,
  readNumber,
  rotated,
} from '../../../support/renders/footage.ts';
import { captureProject, type Files, renderFrames } from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';

const size = { width: footageWidth, height: footageHeight };
const video = (attributes: string) =>
  `<video src="clip.mp4" ${attributes} style="position:absolute;left:0;top:0"></video>`;

/** Renders a page with one video. Returns the number of the video frame in each frame, or -1 where the frame is white. */
async function numbers(files: Files, request: Partial<RenderRequest> = {}): Promise<number[]> {
  const frames = await renderFrames(files, request);
  return frames.map((frame) => {
    const [red, green, blue] = frame.at(footageWidth - 2, footageHeight - 2);
    return red === 1 && green === 2 && blue === 3 ? -1 : readNumber(frame);
  });
}

/** The color of the page where no video is visible. */
const page = (body: string, duration: number) =>
  composition(`<div style="position:absolute;inset:0;background:rgb(1 2 3)">${body}</div>`, { ...size, duration });

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);

type Case = [name: string, body: string, duration: number, fps: string, expected: number[], footage?: Footage];

describe('shows the video frame for the time', () =>
  test.each<Case>([
    ['at the same frame rate', video('data-start="0"'), 0.5, '30', range(0, 15)],
    ['at 10 frames per second, every third frame', video('data-start="0"'), 1, '10', range(0, 30, 3)],
    ['at 60 frames per second, each frame twice', video('data-start="0"'), 0.1, '60', [0, 0, 1, 1, 2, 2]],
    ['from data-start', video('data-start="0.2" data-duration="0.3"'), 0.7, '10', [-1, -1, 0, 3, 6, -1, -1]],
    [
      'from the start of the clip around it in a shadow tree',
      `<div data-start="0.2" data-duration="0.3"><template shadowrootmode="open">${video('autoplay')}</template></div>`,
      0.7,
      '10',
      [-1, -1, 0, 3, 6, -1, -1],
    ],
    ['from a position in the file', video('data-start="0" data-media-start="0.5"'), 0.3, '10', [15, 18, 21]],
    [
      'from a start in milliseconds',
      video('data-start="0.067" data-duration="0.133"'),
      0.3,
      '30',
      [-1, -1, 0, 1, 2, 3, -1, -1, -1],
    ],
    ['at half the speed', video('data-start="0" data-playback-rate="0.5"'), 0.4, '10', [0, 1, 3, 4]],
    ['at double the speed', video('data-start="0" data-playback-rate="2"'), 0.4, '10', [0, 6, 12, 18]],
    [
      'again from the start with loop',
      video('data-start="0" data-duration="1.2" loop'),
      1.2,
      '10',
      [...range(0, 15, 3), ...range(0, 15, 3), 0, 3],
      { seconds: 0.5 },
    ],
    [
      'with the last frame until the end of a longer clip',
      video('data-start="0" data-duration="0.6"'),
      0.6,
      '10',
      [0, 3, 6, 8, 8, 8],
      { seconds: 0.3 },
    ],
    ['for its natural length', video('data-start="0.1"'), 0.6, '10', [-1, 0, 3, 6, -1, -1], { seconds: 0.3 }],
    [
      'of 23.976 frames per second at 30',
      video('data-start="0"'),
      0.4,
      '30',
      [0, 0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8],
      { fps: '24000/1001' },
    ],
    [
      'of a variable frame rate',
      video('data-start="0"'),
      0.8,
      '10',
      [0, 1, 1, 2, 2, 2, 3, 3],
      { filter: "setpts='(N*(N+1)/2)*0.1/TB'", fps: '10', seconds: 0.5 },
    ],
  ])('%s', async (_, body, duration, fps, expected, options) => {
    const found = await numbers({ 'index.html': page(body, duration), 'clip.mp4': footage(options) }, { fps });
    expect(found).toEqual(expected);
  }));

describe('reads', () => {
  const pixels = ['-pix_fmt', 'yuv420p'];
  test.each<[string, string, string[]]>([
    ['VP8 in WebM', 'a.webm', ['-c:v', 'libvpx', '-b:v', '2M', ...pixels]],
    ['VP9 in WebM', 'a.webm', ['-c:v', 'libvpx-vp9', '-b:v', '2M', '-cpu-used', '8', ...pixels]],
    ['H.264 in Matroska', 'a.mkv', ['-c:v', 'libx264', ...pixels]],
    ['HEVC', 'a.mp4', ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-tag:v', 'hvc1', ...pixels]],
    ['ProRes', 'a.mov', ['-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le']],
    ['Motion JPEG in AVI', 'a.avi', ['-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p']],
    ['MPEG-2 in a transport stream', 'a.ts', ['-c:v', 'mpeg2video', '-q:v', '2', '-bf', '2', ...pixels]],
  ])('%s', async (_, name, codec) => {
    const body = `<video src="${name}" data-start="0" style="position:absolute;left:0;top:0"></video>`;
    const files = { 'index.html': page(body, 0.5), [name]: footage({ name, codec, seconds: 1 }) };
    expect(await numbers(files)).toEqual(range(0, 15, 3));
  });
});

describe('finds its file', () => {
  const style = 'style="position:absolute;left:0;top:0"';
  test.each<[string, Record<string, string>]>([
    ['in <source>', { 'index.html': page(`<video data-start="0" ${style}><source src="clip.mp4"></video>`, 0.3) }],
    [
      'in a src that a script sets from a variable',
      {
        'index.html': composition(
          `<video id="v" data-start="0" ${style}></video><script>v.src = __framework.getVariables().clip</script>`,
          { ...size, duration: 0.3, variables: [{ id: 'clip', type: 'string', label: 'Clip', default: 'clip.mp4' }] },
        ),
      },
    ],
    [
      'in a variable bound with data-var-src',
      {
        'index.html': composition(`<video data-start="0" data-var-src="clip" ${style}></video>`, {
          ...size,
          duration: 0.3,
          variables: [{ id: 'clip', type: 'string', label: 'Clip', default: 'clip.mp4' }],
        }),
      },
    ],
  ])('%s', async (_, files) => {
    expect(await numbers({ ...files, 'clip.mp4': footage({ seconds: 1 }) })).toEqual([0, 3, 6]);
  });
});

describe('plays a video', () => {
  const style = 'style="position:absolute;left:0;top:0"';
  const host = `<div data-composition-src="scenes/inner.html" data-start="0.1" data-duration="0.4" style="position:absolute;inset:0"></div>`;
  const inner = (attributes: string) =>
    `<div data-composition-id="inner" data-width="${footageWidth}" data-height="${footageHeight}"><video ${attributes} ${style}></video></div>`;
  test.each<[string, Record<string, string>, number[]]>([
    [
      'in an embedded composition, by a path from its own folder',
      { 'index.html': page(host, 0.5), 'scenes/inner.html': inner('src="../clip.mp4" data-start="0.1"') },
      [-1, -1, 0, 3, 6],
    ],
    [
      'in an embedded composition, by a path from the project',
      { 'index.html': page(host, 0.5), 'scenes/inner.html': inner('src="clip.mp4" data-start="0"') },
      [-1, 0, 3, 6, 9],
    ],
    [
      'that a script adds later',
      {
        'index.html': page(
          `<div id="box"></div><script>setTimeout(() => { box.innerHTML = '<video src="clip.mp4" data-start="0.1" ${style}></video>' }, 150)</script>`,
          0.5,
        ),
      },
      [-1, -1, 3, 6, 9],
    ],
    [
      'whose file a script replaces',
      {
        'index.html': page(
          `${video('id="v" data-start="0"')}<script>setTimeout(() => { v.src = 'other.mp4' }, 150)</script>`,
          0.4,
        ),
      },
      [0, 3, 249, 246],
    ],
  ])('%s', core, async (_, files, expected) => {
    // Its numbers are 255 minus those of the first file.
    const other = footage({ seconds: 1, filter: 'negate' });
    expect(await numbers({ ...files, 'clip.mp4': footage({ seconds: 1 }), 'other.mp4': other })).toEqual(expected);
  });
});

test('shows the same video frames in screenshots', async () => {
  const files = { 'index.html': page(video('data-start="0.1"'), 0.5), 'clip.mp4': footage() };
  expect(await numbers(files, { capture: 'screenshot' })).toEqual([-1, 0, 3, 6, 9]);
});

// The browser's compositor gets video frames on a different path than the page, and the first ones late.
test('plays no media in real time before the first frame', async () => {
  // Frame 0 waits for the requests, which take longer than the video.
  const script = `<script>const v = document.querySelector('video'); v.parentNode.style.background = 'lime';
v.addEventListener('ended', () => { v.parentNode.style.background = 'red' });
(async () => { for (let n = 0; n < 50; n++) await (await fetch('clip.mp4?' + n)).arrayBuffer() })()</script>`;
  const [frame] = await renderFrames({
    'index.html': page(video('autoplay muted data-start="0.1"') + script, 0.1),
    'clip.mp4': footage({ seconds: 0.1 }),
  });
  expect(frame?.at(1, 1)).toEqual([0, 255, 0, 255]);
});

test('shows every video in screenshots from the first frame on', async () => {
  const count = 12;
  const videos = video('data-start="0"').repeat(count);
  const grid = `<style>video { position: static !important; float: left }</style>${videos}`;
  const files = {
    'index.html': composition(grid, { width: footageWidth * 4, height: footageHeight * 3, duration: 0.2 }),
    'clip.mp4': footage(),
  };
  const frames = await renderFrames(files, { capture: 'screenshot' });
  const shown = frames.map((frame) =>
    range(0, count).map((index) =>
      readNumber(frame, (index % 4) * footageWidth, Math.floor(index / 4) * footageHeight),
    ),
  );
  expect(shown).toEqual([Array(count).fill(0), Array(count).fill(3)]);
});

test('scales fine patterns of a rotated clip as screens do', async () => {
  const stripes = footage({ filter: "geq=lum='mod(floor(X/2),2)*255':cb=128:cr=128" });
  const body = video('data-start="0" style="width:14px;height:54px;object-fit:fill"');
  const { capture } = await captureProject({ 'index.html': page(body, 0.1), 'clip.mp4': rotated(stripes) });
  expect(capture.path).toBe('paint');
});

test('rotates a clip that was filmed upright with a phone', core, async () => {
  const files = { 'index.html': page(video('data-start="0"'), 0.1), 'clip.mp4': rotated(footage()) };
  const [frame] = await renderFrames(files, { fps: '10' });
  // Rotated by 90 degrees, the wide footage is tall, and the page is visible next to it.
  expect(frame?.at(footageHeight + 4, 4).slice(0, 3)).toEqual([1, 2, 3]);
  expect(frame?.at(4, 4).slice(0, 3)).not.toEqual([1, 2, 3]);
});

describe('footage with alpha or HDR', () => {
  const on = (name: string, style: string) => ({
    'index.html': composition(
      `<div style="position:absolute;inset:0;background:#00f"></div><video src="${name}" data-start="0" style="position:absolute;left:0;top:0;${style}"></video>`,
      { ...size, duration: 0.2 },
    ),
  });
  /** The color in the center of the first frame. */
  const color = async (
    name: string,
    codec: string[],
    filter: string,
    style = '',
    request: Partial<RenderRequest> = {},
  ) => {
    const files = { ...on(name, style), [name]: footage({ name, codec, filter, seconds: 0.5 }) };
    const [frame] = await renderFrames(files, request);
    return frame?.at(footageWidth / 2, footageHeight / 2).slice(0, 3) ?? [];
  };
  const red = (opacity: number) => `drawbox=color=red:t=fill,format=rgba,colorchannelmixer=aa=${opacity}`;

  const prores = ['-c:v', 'prores_ks', '-profile:v', '4444', '-pix_fmt', 'yuva444p10le'];
  const vp9 = ['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p', '-auto-alt-ref', '0', '-b:v', '2M'];
  test.each<[string, string, string[]]>([
    ['ProRes 4444', 'a.mov', prores],
    ['VP9', 'a.webm', vp9],
    ['QuickTime animation', 'a.mov', ['-c:v', 'qtrle', '-pix_fmt', 'argb']],
  ])('what alpha lets through is seen: %s', async (_, name, codec) => {
    const [red_ = 0, green = 0, blue = 0] = await color(name, codec, red(0.5));
    expect(Math.abs(red_ - 128)).toBeLessThan(10);
    expect(green).toBeLessThan(24);
    expect(Math.abs(blue - 128)).toBeLessThan(10);
  });

  test.each<[string, string, string[]]>([
    ['GIF', 'a.gif', ['-c:v', 'gif', '-pix_fmt', 'rgb8']],
    ['QuickTime animation', 'a.mov', ['-c:v', 'qtrle', '-pix_fmt', 'argb']],
  ])('a file with RGB pixels keeps its colors: %s', async (_, name, codec) => {
    const found = await color(name, codec, 'format=rgb24,drawbox=color=0xff2400:t=fill');
    for (const [channel, expected] of [255, 36, 0].entries())
      expect(Math.abs((found[channel] ?? 0) - expected)).toBeLessThanOrEqual(8);
  });

  // Frames with alpha that are drawn through a canvas become too dark: their colors are multiplied twice.
  test.each<[string, string, string[], string, 'paint' | 'screenshot']>([
    ['ProRes 4444 enlarged, painted', 'a.mov', prores, 'width:200%', 'paint'],
    ['ProRes 4444 enlarged, by screenshots', 'a.mov', prores, 'width:200%', 'screenshot'],
    ['VP9 enlarged, painted', 'a.webm', vp9, 'width:200%', 'paint'],
    ['VP9 enlarged, by screenshots', 'a.webm', vp9, 'width:200%', 'screenshot'],
    ['VP9 shrunk by a transform', 'a.webm', vp9, 'transform:scale(0.6)', 'paint'],
  ])('alpha is the same at another size: %s', async (_, name, codec, style, capture) => {
    const [red_ = 0, green = 0, blue = 0] = await color(name, codec, red(0.5), style, { capture });
    expect(Math.abs(red_ - 128)).toBeLessThan(10);
    expect(green).toBeLessThan(24);
    expect(Math.abs(blue - 128)).toBeLessThan(10);
  });

  test('maps HDR to the range of the screen', core, async () => {
    const x265 = [
      '-c:v',
      'libx265',
      '-x265-params',
      'log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc',
    ];
    const found = await color('a.mp4', [...x265, '-pix_fmt', 'yuv420p10le'], 'drawbox=color=0xbfbfbf:t=fill');
    // 75 % of HLG is the white of a page, below the highlights; without tone mapping it would be 191.
    expect(Math.min(...found)).toBeGreaterThan(200);
    expect(Math.max(...found) - Math.min(...found)).toBeLessThan(4);
  });

  test('shows HDR without color tags', async () => {
    const codec = ['-c:v', 'libx265', '-x265-params', 'log-level=error:transfer=smpte2084', '-pix_fmt', 'yuv420p10le'];
    const found = await color('a.mp4', codec, 'drawbox=color=0xbfbfbf:t=fill');
    expect(Math.min(...found)).toBeGreaterThan(150);
  });
});

describe('rejects', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a file that does not exist', {}, 'The file clip.mp4 does not exist'],
    ['a text file with the name of a video', { 'clip.mp4': 'hello' }, '<video id="v">: '],
    ['an empty file', { 'clip.mp4': '' }, '<video id="v">: '],
  ])('%s', core, async (_, files, message) => {
    const rendering = numbers({ 'index.html': page(video('id="v" data-start="0"'), 0.2), ...files });
    await expect(rendering).rejects.toThrow(message);
  });
});

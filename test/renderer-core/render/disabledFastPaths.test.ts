// Renders with fast paths switched off: the switch works, and the frames stay the same.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderVideo } from '../../../renderer-core/render/pipeline.ts';
import { footage, footageHeight, footageWidth } from '../../support/footage.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { decode, type Picture } from '../../support/video.ts';

type Files = Parameters<typeof project>[0];

async function render(
  files: Files,
  fastPaths: string,
  format: 'png' | 'mp4',
  quality: 'standard' | 'high' = 'standard',
) {
  const output = join(temporaryFolder(), format === 'png' ? 'frames' : 'out.mp4');
  const request = {
    projectDir: project(files),
    output,
    fps: '10',
    capture: 'paint' as const,
    fastPaths,
    quality,
  };
  return { output, report: await renderVideo({ ...request, format }) };
}

const framesIn = (folder: string): Buffer[] =>
  readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));

/** Peak signal-to-noise ratio of two decoded frames. Both were encoded, so it is lower than that of captured frames. */
function decibels(a: Picture, b: Picture | undefined): number {
  let squares = 0;
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) {
      const [one, other] = [a.at(x, y), b?.at(x, y) ?? [0, 0, 0, 0]];
      for (const channel of [0, 1, 2] as const) squares += ((one[channel] ?? 0) - (other[channel] ?? 0)) ** 2;
    }
  }
  return 10 * Math.log10(255 ** 2 / (squares / (a.width * a.height * 3)));
}

/** Moves for half a second, then stays the same for two seconds. Larger than one band. */
const moves: Files = {
  'index.html': composition(
    `<h1 style="font:40px sans-serif">Bands</h1><div id="a" style="position:absolute;top:500px;width:60px;height:60px;background:teal"></div>
  <style>#a{animation:go 0.5s linear both}@keyframes go{to{transform:translateX(300px)}}</style>`,
    { width: 960, height: 720, duration: 2.5 },
  ),
};

test('paints the same frames without banding and repeated frames', async () => {
  const [on, off] = [await render(moves, '', 'png'), await render(moves, '-banding,-repeated-frames', 'png')];
  const frames = framesIn(on.output);
  expect(frames).toHaveLength(25);
  expect(framesIn(off.output).every((frame, index) => frame.equals(frames[index] as Buffer))).toBe(true);
});

test('encodes every frame without repeated-frames', async () => {
  const [on, off] = [await render(moves, '', 'mp4'), await render(moves, '-repeated-frames', 'mp4')];
  expect(off.report.frames).toBe(25);
  // Inserted frames are smaller than those of the encoder.
  expect(statSync(off.output).size).toBeGreaterThan(statSync(on.output).size);
  const shown = await decode(off.output, 960, 720);
  const values = (await decode(on.output, 960, 720)).map((frame, index) => decibels(frame, shown[index]));
  expect(values).toHaveLength(25);
  expect(Math.min(...values)).toBeGreaterThan(40);
});

test('encodes the same file with and without repeated-frames if the encoder uses B frames', async () => {
  const [on, off] = [await render(moves, '', 'mp4', 'high'), await render(moves, '-repeated-frames', 'mp4', 'high')];
  expect(readFileSync(off.output).equals(readFileSync(on.output))).toBe(true);
});

test('draws footage through the page without background-video', async () => {
  const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  const clip = footage({ codec: ['-c:v', 'libx264', '-crf', '12', '-pix_fmt', 'yuv420p', ...bt709] });
  const fill = `position:absolute;left:0;top:0;width:${footageWidth}px;height:${footageHeight}px`;
  const video = `<video src="clip.mp4" data-start="0" style="${fill}"></video>`;
  const size = { width: footageWidth, height: footageHeight, duration: 0.5 };
  const files = { 'index.html': composition(video, size), 'clip.mp4': clip };
  const on = await render(files, '', 'mp4', 'high');
  const off = await render(files, '-background-video', 'mp4', 'high');
  expect(on.report.capture.directFrames).toBe(5);
  expect(off.report.capture.directFrames).toBe(0);
  const shown = await decode(off.output, footageWidth, footageHeight);
  const values = (await decode(on.output, footageWidth, footageHeight)).map((frame, index) =>
    decibels(frame, shown[index]),
  );
  expect(values).toHaveLength(5);
  expect(Math.min(...values)).toBeGreaterThan(36);
});

test('rejects an unknown name before it starts', async () => {
  await expect(render(moves, '-bands', 'png')).rejects.toMatchObject({ code: 'usage' });
});

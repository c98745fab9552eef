// Renders with features switched off, or with what they cannot paint: the frames stay the same, or are screenshots.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { features } from '../../../../renderer-core/page/features/features.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { footage, footageHeight, footageWidth } from '../../../support/renders/footage.ts';
import { decibels, decode, hex, type Picture, readFrames } from '../../../support/renders/video.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

type Files = Parameters<typeof project>[0];

async function render(
  files: Files,
  features: string,
  format: 'png' | 'mp4',
  quality: 'standard' | 'high' = 'standard',
) {
  const output = join(temporaryFolder(), format === 'png' ? 'frames' : 'out.mp4');
  const request = {
    projectDir: project(files),
    output,
    fps: '10',
    capture: 'paint' as const,
    ...(features === '' ? {} : { features }),
    quality,
  };
  return { output, report: await renderVideo({ ...request, format }) };
}

const framesIn = (folder: string): Buffer[] =>
  readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));

/** The similarity of each frame of two files. Both were encoded, so it is lower than that of captured frames. */
const similarity = (one: Picture[], other: Picture[]): number[] =>
  one.map((frame, index) => decibels(frame, other[index], 3));

/** Moves for half a second, then stays the same for two seconds. Larger than one band. */
const moves: Files = {
  'index.html': composition(
    `<h1 style="font:40px sans-serif">Bands</h1><div id="a" style="position:absolute;top:500px;width:60px;height:60px;background:teal"></div>
  <style>#a{animation:go 0.5s linear both}@keyframes go{to{transform:translateX(300px)}}</style>`,
    { width: 960, height: 720, duration: 2.5 },
  ),
};

test('paints the same frames without banding and repeats', async () => {
  const [on, off] = [await render(moves, '', 'png'), await render(moves, '-banding,-repeats', 'png')];
  const frames = framesIn(on.output);
  expect(frames).toHaveLength(25);
  expect(framesIn(off.output).every((frame, index) => frame.equals(frames[index] as Buffer))).toBe(true);
});

/** Panels over a moving image. The color of the last one tells which of them have had a clip path. */
const panels: Files = {
  'index.html': composition(
    `<style>
  #moves{position:absolute;width:400px;height:300px;background:repeating-linear-gradient(45deg,gold 0 9px,navy 9px 18px);animation:go 0.4s linear both}
  @keyframes go{to{transform:scale(1.4)}}
  .panel{position:absolute;width:90px;height:60px;background:#fff4;backdrop-filter:blur(6px);font:16px sans-serif}
  #card{left:20px;top:20px;border-radius:9px;box-shadow:3px 8px 20px 2px #000c}
  #italic{left:20px;top:120px;font:italic 40px/50px serif}
  #clips{left:150px;top:20px;overflow:hidden}
  #clips::before{content:"";position:absolute;inset:-50px;background:#f008}
  #gradient{left:150px;top:200px;background:linear-gradient(#f008,#0f08)}
  #turned{left:150px;top:120px;rotate:20deg}
  #spills{left:270px;top:20px}
  #spills div{width:130px;height:90px;background:#0804}
  #outlined{left:20px;top:200px;outline:solid 12px red}
  #changing{left:270px;top:150px;transition:clip-path 1s}
  #seen{position:absolute;left:300px;top:240px}
</style><div id="moves"></div>
<div class="panel" id="card">Card <b>one</b></div><div class="panel" id="italic">fjf</div>
<div class="panel" id="clips">Clips</div><div class="panel" id="turned">Turned</div>
<div class="panel" id="spills"><div>Spills</div></div><div class="panel" id="outlined">Outlined</div>
<div class="panel" id="changing">Changing</div>
<div class="panel" id="gradient">Gradient</div><div id="seen"></div>
<script>
  requestAnimationFrame(function look() {
    const paths = [...document.querySelectorAll('.panel')].map((panel) => getComputedStyle(panel).clipPath);
    document.querySelector('#seen').textContent = paths.every((path) => path === 'none') ? 'none' : 'some';
    requestAnimationFrame(look);
  });
</script>`,
    { width: 640, height: 400, duration: 0.5 },
  ),
};

test('draws panels with a backdrop filter with a clip path that neither scripts nor frames show', async () => {
  const [on, off] = [await render(panels, '', 'png'), await render(panels, '-backdrop', 'png')];
  const frames = framesIn(on.output);
  expect(frames).toHaveLength(5);
  expect(framesIn(off.output).every((frame, index) => frame.equals(frames[index] as Buffer))).toBe(true);
});

/** Turns lime when exactly the named panels have been drawn with a clip path. */
const watched: Files = {
  'index.html': (panels['index.html'] as string).replace(
    '</script>',
    `requestAnimationFrame(function look() {
      const marked = [...document.querySelectorAll('[data-framework-paint]')].map(({ id }) => id).join();
      document.body.style.background = marked === 'card,italic,clips' ? 'lime' : '';
      requestAnimationFrame(look);
    });
    document.querySelector('#moves').style.width = '40px';
    </script>`,
  ),
};

test('clips the panels whose extent is certain', core, async () => {
  const { output } = await render(watched, '', 'png');
  expect(hex(readFrames(output).at(-1), 390, 290)).toBe('#00ff00');
});

test('finds repeated frames also behind panels that were drawn with a clip path', async () => {
  const stops: Files = {
    'index.html': composition(
      `<div id="a" style="width:60px;height:60px;background:teal"></div>
  <div style="position:absolute;left:100px;top:10px;width:90px;height:60px;backdrop-filter:blur(4px)">Panel</div>
  <style>#a{animation:go 0.3s linear both}@keyframes go{to{transform:translateX(90px)}}</style>`,
      { width: 640, height: 400, duration: 1.5 },
    ),
  };
  const [on, off] = [await render(stops, '', 'mp4'), await render(stops, '-backdrop', 'mp4')];
  expect(readFileSync(on.output).equals(readFileSync(off.output))).toBe(true);
});

test('encodes every frame without repeats', async () => {
  const [on, off] = [await render(moves, '', 'mp4'), await render(moves, '-repeats', 'mp4')];
  expect(off.report.frames).toBe(25);
  // Inserted frames are smaller than those of the encoder.
  expect(statSync(off.output).size).toBeGreaterThan(statSync(on.output).size);
  const values = similarity(await decode(on.output, 960, 720), await decode(off.output, 960, 720));
  expect(values).toHaveLength(25);
  expect(Math.min(...values)).toBeGreaterThan(40);
});

test('encodes the same file with and without repeats if the encoder uses B frames', async () => {
  const [on, off] = [await render(moves, '', 'mp4', 'high'), await render(moves, '-repeats', 'mp4', 'high')];
  expect(readFileSync(off.output).equals(readFileSync(on.output))).toBe(true);
});

test('draws footage through the page without backgroundVideo', async () => {
  const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  const clip = footage({ codec: ['-c:v', 'libx264', '-crf', '12', '-pix_fmt', 'yuv420p', ...bt709] });
  const fill = `position:absolute;left:0;top:0;width:${footageWidth}px;height:${footageHeight}px`;
  const video = `<video src="clip.mp4" data-start="0" style="${fill}"></video>`;
  const size = { width: footageWidth, height: footageHeight, duration: 0.5 };
  const files = { 'index.html': composition(video, size), 'clip.mp4': clip };
  const on = await render(files, '', 'mp4', 'high');
  const off = await render(files, '-backgroundVideo', 'mp4', 'high');
  expect(on.report.capture.directFrames).toBe(5);
  expect(off.report.capture.directFrames).toBe(0);
  const [shown, through] = await Promise.all(
    [on, off].map(({ output }) => decode(output, footageWidth, footageHeight)),
  );
  const values = similarity(shown ?? [], through ?? []);
  expect(values).toHaveLength(5);
  expect(Math.min(...values)).toBeGreaterThan(36);
});

test.each([
  ['depth', '<div style="transform-style:preserve-3d"><p style="transform:translateZ(9px)">Hi</p></div>'],
  ['canvas', '<canvas width="9" height="9"></canvas>'],
])('takes screenshots of a page that needs %s without it', async (name, content) => {
  const projectDir = project({ 'index.html': composition(content, { width: 64, height: 64, duration: 0.2 }) });
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', features: `-${name}` });
  expect(report.capture).toMatchObject({ path: 'screenshot', reason: `the feature ${name} is switched off` });
});

test.each([
  ['the one that others need', '-video,-images'],
  ['any', features.map(({ name }) => `-${name}`).join()],
])('renders a page without features: %s', async (_, off) => {
  const still = `<p>Hi</p><img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E">`;
  const projectDir = project({ 'index.html': composition(still, { width: 64, height: 64, duration: 0.2 }) });
  const output = join(temporaryFolder(), 'out.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', features: off });
  expect(report).toMatchObject({ frames: 2, capture: { path: 'paint' } });
});

test('takes screenshots if a canvas that cannot be painted appears between samples', async () => {
  const later = `<p>Hi</p><script>
    setTimeout(() => document.body.append(Object.assign(document.createElement('canvas'), { style: 'border:3px solid' })), 2850);
  </script>`;
  const projectDir = project({ 'index.html': composition(later, { width: 64, height: 64, duration: 3 }) });
  const report = await renderVideo({ projectDir, output: join(temporaryFolder(), 'out.mp4'), fps: '10' });
  expect(report.capture).toMatchObject({ path: 'screenshot', reason: 'a canvas has a border or padding' });
});

test('rejects an unknown name before it starts', core, async () => {
  await expect(render(moves, '-bands', 'png')).rejects.toMatchObject({ code: 'usage' });
});

// Snapshots are equal to the frames of a render, and their files are written completely or not at all.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { launch } from '../../../../renderer-core/render/pipeline.ts';
import { type SnapshotRequest, takeSnapshotWith } from '../../../../renderer-core/render/snapshot/takeSnapshot.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { box, captureProject, type Files, page, red } from '../../../support/renders/frames.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { allPixels, type Picture, pictureOf } from '../../../support/renders/video.ts';
import { launchShared, needsOwnBrowser } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const takeSnapshot = (request: SnapshotRequest) =>
  takeSnapshotWith(needsOwnBrowser(request) ? launch : launchShared, request, surroundings);

const pixelsOf = (path: string) => allPixels(pictureOf(PNG.sync.read(readFileSync(path))));

/** Takes snapshots of a project, all at once or one by one, and compares them with the frames of a render. */
async function check(files: Files, groups: number[][], request: Partial<SnapshotRequest> = {}) {
  const shared = { projectDir: project(files), fps: '10', ...request };
  const { frames } = await captureProject(files, shared);
  const reports = [];
  for (const group of groups) {
    const at = group.map((frame) => `${frame}f`);
    const report = await takeSnapshot({ ...shared, output: join(temporaryFolder(), 'shot.png'), at });
    expect(report.pictures.map((picture) => picture.frames.map(({ frame }) => frame))).toEqual(
      group.map((one) => [one]),
    );
    for (const [index, { output }] of report.pictures.entries()) {
      const frame = group[index] ?? -1;
      expect(pixelsOf(output) === allPixels(frames[frame] as Picture), `frame ${frame}`).toBe(true);
    }
    reports.push(report);
  }
  return reports[0];
}

/** Moves for half a second, then stays the same. */
const moves = page(
  `<h1 style="font:40px sans-serif">Snapshot</h1><div id="a" style="position:absolute;top:60px;width:30px;height:30px;background:teal"></div>
  <style>#a{animation:go 0.5s linear both}@keyframes go{to{transform:translateX(90px) rotate(40deg)}}</style>`,
  { duration: 3 },
);

/** Each frame depends on all frames before it. */
const counts = page(
  `<canvas id="c" width="120" height="60"></canvas><script>
  const brush = c.getContext('2d'); let n = 0;
  requestAnimationFrame(function tick() { brush.fillStyle = 'hsl(' + 25 * n + ' 80% 50%)'; brush.fillRect(6 * n++, 6 * Math.random(), 6, 30); requestAnimationFrame(tick); });
  </script>`,
  { duration: 2 },
);

describe('takes the frames of the render', () => {
  test('of an animation, and of still frames after it', async () => {
    const report = await check(moves, [[0, 2, 20, 29]]);
    expect(report).toMatchObject({ frames: 30, fps: '10', durationSeconds: 3, capture: { path: 'paint' } });
  });
  test('of a page whose frames depend on those before', () => check(counts, [[1, 2, 11, 19]]));
  test('of screenshots', () => check(counts, [[3, 12]], { capture: 'screenshot' }));
  test('with values, and larger', () =>
    check(
      page(`<p data-var-text="title"></p><style>p{font:30px serif}</style>`, {
        duration: 0.3,
        variables: [{ id: 'title', type: 'string', label: 'Title', default: 'None' }],
      }),
      [[2]],
      { variables: { title: 'Some' }, width: 160 },
    ));
});

/** While the cards are shown, painting does not show what the browser shows: it does not sort them by depth. */
const cards = (from: number, to: number) =>
  page(
    `<h1 style="color:#fff;rotate:7deg">Cards</h1><script>
    setTimeout(() => { root.innerHTML += '<div id="cards" style="position:absolute;inset:0;transform-style:preserve-3d">' +
      ['red;transform:rotateY(45deg)', 'blue;transform:rotateY(-45deg)'].map((style) =>
        '<i style="position:absolute;inset:0;background:' + style + '"></i>').join('') + '</div>' }, ${from});
    setTimeout(() => cards.remove(), ${to});
    </script>`,
    { duration: 1.2 },
  );

/** A detailed image of 512x512 pixels. */
function detailed(name: string): Uint8Array {
  const file = join(temporaryFolder(), name);
  const noise = ['-f', 'lavfi', '-i', 'testsrc2=size=512x512,noise=alls=60:all_seed=1', '-frames:v', '1'];
  execFileSync(referenceFfmpeg, ['-v', 'error', ...noise, '-q:v', '3', file]);
  return readFileSync(file);
}

describe('draws an image that shrinks as a render does that has shown it larger before', () => {
  const shrinks =
    '<style>#a{animation:shrink 0.8s linear both}@keyframes shrink{from{scale:0.9}to{scale:0.02}}</style>';
  const fills = 'width:512px;height:512px;transform-origin:0 0';
  test.each([
    ['a JPEG file', 'a.jpg', `<img id="a" src="a.jpg" style="${fills}">`],
    ['a PNG file', 'a.png', `<img id="a" src="a.png" style="${fills}">`],
    ['in a style', 'a.jpg', `<div id="a" style="${fills};background:url(a.jpg)"></div>`],
    ['in a drawing', 'a.jpg', `<svg id="a" style="${fills}"><image href="a.jpg" width="512" height="512" /></svg>`],
    [
      'in a shadow tree',
      'a.jpg',
      `<div id="a" style="${fills}"><template shadowrootmode="open"><img src="a.jpg" style="${fills}"></template></div>`,
    ],
    [
      'in a style of a shadow tree',
      'a.jpg',
      `<div id="a" style="${fills}"><template shadowrootmode="open"><style>p{${fills};margin:0;background:url(a.jpg)}</style><p></p></template></div>`,
    ],
  ])('%s', async (_, name, image) => {
    const files = { 'index.html': page(`${image}${shrinks}`, { duration: 0.8 }), [name]: detailed(name) };
    await check(files, [[5], [6], [7]], { capture: 'paint' });
  });
});

describe('uses the capture path of the render', () => {
  test('although its own frame could be painted', async () => {
    const report = await check(cards(450, 5000), [[1]]);
    expect(report?.capture).toMatchObject({
      path: 'screenshot',
      reason: expect.stringContaining('frame 7 painted differs'),
    });
  });
  test('although its own frame differs from the screenshot', async () => {
    const report = await check(cards(350, 550), [[4]]);
    expect(report?.capture).toMatchObject({ path: 'paint', reason: expect.stringContaining('3 sample frames agree') });
  });
});

describe('images', () => {
  const still = page(box(0, red), { duration: 1 });
  const take = (request: Partial<SnapshotRequest>) =>
    takeSnapshot({ projectDir: project(still), fps: '10', ...request });

  test('combines several times into one contact sheet', core, async () => {
    const output = join(temporaryFolder(), 'sheet.png');
    const { pictures } = await take({ at: ['0', '50%', '100%'], sheet: true, output });
    expect(pictures).toMatchObject([{ output, frames: [{ frame: 0 }, { frame: 5 }, { frame: 9, seconds: 0.9 }] }]);
    const { width, height } = PNG.sync.read(readFileSync(output));
    expect(pictures).toMatchObject([{ width, height }]);
  });

  test.each([
    ['shot.jpg', '/9j/'],
    ['shot.webp', 'UklGR'],
    ['shot.png', 'iVBORw0KGgo'],
  ])('%s, made smaller', async (name, start) => {
    const output = join(temporaryFolder(), name);
    const { pictures } = await take({ output, maxSide: 32 });
    expect(readFileSync(output, 'base64').slice(0, start.length)).toBe(start);
    expect(Math.max(pictures[0]?.width ?? 0, pictures[0]?.height ?? 0)).toBe(32);
  });

  test('keeps the existing file when it fails', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'shot.png'), 'before');
    const broken = { projectDir: project(page('<script>throw new Error("no")</script>', { duration: 1 })) };
    const output = join(folder, 'shot.png');
    await expect(takeSnapshot({ ...broken, output })).rejects.toMatchObject({ code: 'script_error' });
    await expect(take({ output, at: ['2'] })).rejects.toMatchObject({ code: 'usage' });
    await expect(take({ output, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    await expect(take({ output: join(folder, 'shot.mp4') })).rejects.toMatchObject({ code: 'usage' });
    expect(readdirSync(folder)).toEqual(['shot.png']);
    expect(readFileSync(output, 'utf8')).toBe('before');
  });
});

test('takes the only frame of an embedded file without a duration', async () => {
  const html = '<div data-composition-id="card" data-width="64" data-height="36"><p>Hi</p></div>';
  const projectDir = project({ 'card.html': html });
  for (const time of ['0', '50%', 'poster']) {
    const output = join(temporaryFolder(), 'card.png');
    const report = await takeSnapshot({ projectDir, composition: 'card.html', at: [time], output });
    expect(report).toMatchObject({ frames: 1, pictures: [{ frames: [{ frame: 0 }] }] });
  }
});

test('takes the poster frame: the declared one, or the first one with content after the intro', async () => {
  const posterOf = async (attributes: string, body: string) => {
    const html = composition(body, { duration: 6, attributes });
    const output = join(temporaryFolder(), 'poster.png');
    const { pictures } = await takeSnapshot({ projectDir: project(html), fps: '10', at: ['poster'], output });
    return pictures.map(({ frames }) => frames.map(({ frame }) => frame));
  };
  expect(await posterOf('data-poster-time="4"', '<p>Hi</p>')).toEqual([[40]]);
  expect(await posterOf('', '<p>Hi</p>')).toEqual([[15]]);
  expect(await posterOf('', '<p data-start="2.5">Hi</p>')).toEqual([[30]]);
  const faded =
    '<style>p { opacity: 0; animation: in 1s 3s forwards } @keyframes in { to { opacity: 1 } }</style><p>Hi</p>';
  expect(await posterOf('', faded)).toEqual([[37]]);
  expect(await posterOf('', '<p style="visibility: hidden">Hi</p>')).toEqual([[30]]);
});

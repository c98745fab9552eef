// Frames that a page only passes are not drawn on WebGL canvases and on 2D canvases that are covered. A snapshot passes the frames before it, and a render with
// one page captures all of them: both must show the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { Player } from '../../../../renderer-core/page/runtime/control.ts';
import { takeSnapshotWith } from '../../../../renderer-core/render/snapshot/takeSnapshot.ts';
import { project, temporaryFolder } from '../../../support/project.ts';
import { green, page, readCell, renderFrames } from '../../../support/renders/frames.ts';
import { inReadyPage } from '../../../support/renders/openPage.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { type Picture, pictureOf } from '../../../support/renders/video.ts';
import { launchShared } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

/** `draw(frame)` is called in each frame; `fill(x, color)` draws the x-th cell of a WebGL canvas in the top row. */
const drawing = (script: string, options = '{}') =>
  page(
    `<canvas id="c" width="64" height="8" style="position:absolute;left:0;top:0"></canvas><script>
     const canvas = document.getElementById('c');
     const gl = canvas.getContext('webgl', ${options});
     gl.enable(gl.SCISSOR_TEST);
     const fill = (x, ...color) => { gl.scissor(8 * x, 0, 8, 8); gl.clearColor(...color, 1); gl.clear(gl.COLOR_BUFFER_BIT) };
     ${script}
     requestAnimationFrame(function step(now) { draw(Math.round(now / 100)); requestAnimationFrame(step) });</script>`,
    { duration: 0.7 },
  );

/** `draw(frame)` is called in each frame; `fill(x)` draws the x-th cell of a 2D canvas in the top row with many drawings. */
const drawing2d = (script: string) =>
  page(
    `<canvas id="c" width="64" height="8" style="position:absolute;left:0;top:0"></canvas><script>
     const canvas = document.getElementById('c');
     const pen = canvas.getContext('2d');
     const fill = (x) => { pen.fillStyle = '#00ff00'; for (let n = 0; n < 200; n++) pen.fillRect(8 * x, 0, 8, 8) };
     ${script}
     requestAnimationFrame(function step(now) { draw(Math.round(now / 100)); requestAnimationFrame(step) });</script>`,
    { duration: 0.7 },
  );

const clear = 'pen.clearRect(0, 0, 64, 8);';

/** The green cells of a frame. */
const filled = (picture: Picture | undefined): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter((index) => readCell(picture, index, 'color') === green);

const copy = `const copy = document.createElement('canvas').getContext('2d');
  copy.canvas.style.cssText = 'position:absolute;left:0;top:0'; document.body.append(copy.canvas);`;

describe('a snapshot shows the same as the render', () => {
  test.each([
    ['that draws every frame', [5], drawing('const draw = (i) => fill(i, 0, 1, 0)')],
    ['that is not drawn again', [3], drawing('const draw = (i) => { if (i === 0 || i === 3) fill(i, 0, 1, 0) }')],
    [
      'that keeps its drawings',
      [0, 1, 2, 3, 4, 5],
      drawing('const draw = (i) => fill(i, 0, 1, 0)', '{ preserveDrawingBuffer: true }'),
    ],
    [
      'that is not drawn again and is shown at another size',
      [6, 7],
      drawing('const draw = (i) => { if (i === 0 || i === 3) fill(i, 0, 1, 0) }').replace(
        'width="64" height="8" style="',
        'width="32" height="4" style="width:64px;height:8px;',
      ),
    ],
    [
      'that is copied',
      [0, 1, 2, 3, 4, 5],
      drawing(`${copy} const draw = (i) => { fill(i, 0, 1, 0); copy.drawImage(canvas, 0, 0) }`),
    ],
    [
      'that is read',
      [5],
      drawing(`const pixel = new Uint8Array(4); let count = 0; const draw = (i) => {
        fill(0, 1, 0, 0); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); fill(count, 0, 1, 0); count += pixel[0] / 255 }`),
    ],
    [
      'that shows a texture with earlier frames',
      [0, 1, 2, 3, 4, 5],
      drawing(`const texture = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
        const buffer = gl.createFramebuffer(); gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        const pixels = new Uint8Array(64 * 8 * 4);
        const draw = (i) => { gl.bindFramebuffer(gl.FRAMEBUFFER, buffer); fill(i, 0, 1, 0);
          gl.readPixels(0, 0, 64, 8, gl.RGBA, gl.UNSIGNED_BYTE, pixels); gl.bindFramebuffer(gl.FRAMEBUFFER, null);
          for (let x = 0; x < 8; x++) fill(x, 0, pixels[32 * x + 1] / 255, 0) }`),
    ],
    ['in 2D that is cleared in each frame', [5], drawing2d(`const draw = (i) => { ${clear} fill(i) }`)],
    ['in 2D that keeps its drawings', [0, 1, 2, 3, 4, 5], drawing2d('const draw = (i) => fill(i)')],
    [
      'in 2D that is cleared first',
      [2, 3, 4, 5],
      drawing2d(`const draw = (i) => { if (i <= 2) { ${clear} } fill(i) }`),
    ],
    ['in 2D that is not drawn again', [3], drawing2d(`const draw = (i) => { if (i <= 3) { ${clear} fill(i) } }`)],
    [
      'in 2D that is not drawn again and is hidden',
      [6, 7],
      drawing2d(`pen.canvas.insertAdjacentHTML('afterend', '<div style="position:absolute;left:48px;top:0;width:16px;height:8px;background:#00ff00"></div>');
        const draw = (i) => { if (i <= 3) { ${clear} fill(i) } else canvas.style.visibility = 'hidden' }`),
    ],
    [
      'in 2D that is copied',
      [0, 1, 2, 3, 4, 5],
      drawing2d(`${copy} const draw = (i) => { ${clear} fill(i); copy.drawImage(canvas, 0, 0) }`),
    ],
    [
      'in 2D that is read',
      [5],
      drawing2d(`let count = 0; const draw = (i) => { ${clear} fill(count); const { data } = pen.getImageData(8 * count, 0, 1, 1);
        ${clear} fill(count); count += data[1] / 255 }`),
    ],
    [
      'in 2D with a path that is kept',
      [0, 1, 2, 3, 4, 5],
      drawing2d(`const draw = (i) => { ${clear} fill(i); pen.rect(8 * i, 0, 8, 8); pen.fill() }`),
    ],
    [
      'in 2D that becomes a texture',
      [0, 1, 2, 3, 4, 5],
      drawing2d(`const shown = canvas.cloneNode(); canvas.after(shown); const gl = shown.getContext('webgl', { preserveDrawingBuffer: true });
        const pixels = new Uint8Array(64 * 8 * 4); const buffer = gl.createFramebuffer(); gl.enable(gl.SCISSOR_TEST);
        const draw = (i) => { ${clear} fill(i); const texture = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, texture);
          gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas); gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
          gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
          gl.readPixels(0, 0, 64, 8, gl.RGBA, gl.UNSIGNED_BYTE, pixels); gl.bindFramebuffer(gl.FRAMEBUFFER, null);
          for (let x = 0; x < 8; x++) if (pixels[32 * x + 1]) { gl.scissor(8 * x, 0, 8, 8); gl.clearColor(0, 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) } }`),
    ],
  ])('for a canvas %s', async (_, cells, html) => {
    const projectDir = project({ 'index.html': html });
    const rendered = await renderFrames({ 'index.html': html });
    const output = join(temporaryFolder(), 'frame.png');
    const { capture } = await takeSnapshotWith(
      launchShared,
      { projectDir, at: ['5f'], fps: '10', output },
      surroundings,
    );
    expect(capture.path).toBe('paint');
    expect(filled(pictureOf(PNG.sync.read(readFileSync(output))))).toEqual(cells);
    expect(filled(rendered[5])).toEqual(cells);
  });
});

test('clears a canvas before each frame that draws on it, as browsers do', core, async () => {
  const frames = await renderFrames({ 'index.html': drawing('const draw = (i) => fill(i, 0, 1, 0)') });
  expect(filled(frames[3])).toEqual([3]);
});

test.each([
  ['WebGL', drawing('const draw = (i) => fill(i, 0, 1, 0)')],
  ['2D', drawing2d(`const draw = (i) => { ${clear} fill(i) }; draw(0)`)],
])('does not draw frames that are passed (%s)', async (_, html) => {
  const missing = await inReadyPage(html, (frame) =>
    frame.evaluate(async () => {
      const player = (window as unknown as Record<symbol, Required<Player>>)[Symbol.for('framework.player')];
      player?.seek(0, true);
      player?.seek(0.1, true);
      await player?.settle();
      const skipped = player?.missingFrom();
      player?.seek(0.2);
      await player?.settle();
      return [skipped, player?.missingFrom()];
    }),
  );
  expect(missing).toEqual([1, null]);
});

test('forgets a canvas that scripts do not use any more', async () => {
  await inReadyPage(page('<canvas hidden></canvas>', { duration: 0.3 }), async (frame, { tab }) => {
    await frame.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d')?.fillRect(0, 0, 9, 9);
      Object.assign(window, { forgotten: new WeakRef(canvas) });
    });
    const session = await tab.page.createCDPSession();
    await session.send('HeapProfiler.collectGarbage');
    const isGone = () => (window as unknown as { forgotten: WeakRef<object> }).forgotten.deref() === undefined;
    expect(await frame.evaluate(isGone)).toBe(true);
  });
});

/** Ways to begin a frame, and whether what was drawn before can still be visible. `color` changes with each frame. */
const beginnings: [isCovered: boolean, script: string][] = [
  [true, 'pen.clearRect(0, 0, 64, 8)'],
  [true, 'pen.clearRect(64, 8, -64, -8)'],
  [true, 'pen.scale(2, 2); pen.clearRect(0, 0, 32, 4); pen.resetTransform()'],
  [true, 'pen.rotate(0.3); pen.fillRect(-200, -200, 400, 400); pen.resetTransform()'],
  [true, 'pen.fillRect(-1, -1, 99, 99)'],
  [true, 'pen.save(); pen.clip(); pen.restore(); pen.clearRect(0, 0, 64, 8)'],
  [true, 'canvas.width = 64; pen.fillStyle = color'],
  [true, 'canvas.setAttribute("height", 8); pen.fillStyle = color'],
  [true, 'pen.reset(); pen.fillStyle = color'],
  [true, 'pen.putImageData(new ImageData(64, 8), 0, 0)'],
  [true, 'gradient(pen.createLinearGradient(0, 0, 9, 0), "red", "hsl(9 9% 9%)")'],
  [true, 'gradient(pen.createRadialGradient(9, 4, 0, 9, 4, 2), "red", "blue")'],
  [false, 'pen.clearRect(0, 0, 64, 7)'],
  [false, 'pen.clearRect(0.5, 0, 64, 8)'],
  [false, 'pen.rotate(0.3); pen.fillRect(0, 0, 64, 64); pen.resetTransform()'],
  [false, 'pen.globalAlpha = 0.9; pen.fillRect(0, 0, 64, 8); pen.globalAlpha = 1'],
  [false, 'pen.fillStyle = "rgb(0 0 0 / 0.9)"; pen.fillRect(0, 0, 64, 8); pen.fillStyle = color'],
  [false, 'pen.filter = "opacity(0.9)"; pen.fillRect(0, 0, 64, 8); pen.filter = "none"'],
  [
    false,
    'pen.globalCompositeOperation = "lighter"; pen.fillRect(0, 0, 64, 8); pen.globalCompositeOperation = "source-over"',
  ],
  [false, 'pen.beginPath(); pen.rect(0, 0, 9, 8); pen.save(); pen.clip(); pen.clearRect(0, 0, 64, 8); pen.restore()'],
  [false, 'pen.putImageData(new ImageData(60, 8), 0, 0)'],
  [false, 'gradient(pen.createLinearGradient(0, 0, 9, 0), "red", "transparent")'],
  [false, 'gradient(pen.createLinearGradient(0, 0, 9, 0), "red", "color-mix(in srgb, currentColor, transparent)")'],
  [false, 'gradient(pen.createLinearGradient(3, 3, 3, 3), "red", "blue")'],
  [false, 'gradient(pen.createRadialGradient(0, 0, 1, 9, 0, 1), "red", "blue")'],
  [false, 'pen.beginPath(); pen.rect(0, 0, 64, 8); pen.fill()'],
];

test('skips drawings on 2D canvases only if each frame covers what was drawn before', core, async () => {
  const skipped = await inReadyPage(page('<canvas hidden></canvas>', { duration: 0.3 }), (frame) =>
    frame.evaluate(
      async (scripts: string[]) => {
        const player = (window as unknown as Record<symbol, Required<Player>>)[Symbol.for('framework.player')];
        const canvases = scripts.map((script) => {
          const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 8 });
          document.body.append(canvas);
          const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
          const gradient = (style: CanvasGradient, ...colors: string[]) => {
            for (const [index, color] of colors.entries()) style.addColorStop(index, color);
            pen.fillStyle = style;
            pen.fillRect(0, 0, 64, 8);
          };
          const begin = new Function('canvas', 'pen', 'color', 'gradient', script);
          const draw = (color: string) => {
            pen.fillStyle = color;
            begin(canvas, pen, color, gradient);
            pen.fillStyle = color;
            for (let n = 0; n < 200; n++) pen.fillRect(2, 2, 4, 4);
          };
          return { draw, colorOf: () => pen.getImageData(3, 3, 1, 1).data.join() };
        });
        player?.skipDrawing(9);
        player?.seek(0);
        for (const { draw } of canvases) draw('#00ff00');
        player?.seek(0.1, true);
        for (const { draw } of canvases) draw('#0000ff');
        return canvases.map(({ colorOf }) => colorOf() !== '0,0,255,255');
      },
      beginnings.map(([, script]) => script),
    ),
  );
  expect(beginnings.map(([, script], index) => [skipped[index], script])).toEqual(beginnings);
});

// Frames that a page only passes are not drawn on WebGL canvases. A snapshot passes the frames before it, and a render with
// one page captures all of them: both must show the same.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepare } from '../../../renderer-core/render/prepare.ts';
import { probe } from '../../../renderer-core/render/probe.ts';
import { openReadyPage } from '../../../renderer-core/render/readyPage.ts';
import { snapshotIn } from '../../../renderer-core/render/snapshot/takeSnapshot.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import type { Player } from '../../../renderer-core/runtime/control.ts';
import { green, page, readCell, renderFrames } from '../../support/frames.ts';
import { project, temporaryFolder } from '../../support/project.ts';
import { type Picture, pictureOf } from '../../support/video.ts';
import { inSession, openSession, type SharedSession } from '../../support/warmRender.ts';

let shared: SharedSession;
beforeAll(async () => {
  shared = await openSession(tmpdir());
});
afterAll(() => shared.close());

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
  ])('for a canvas %s', async (_, cells, html) => {
    const projectDir = project({ 'index.html': html });
    const rendered = await renderFrames({ 'index.html': html });
    const output = join(temporaryFolder(), 'frame.png');
    const request = { projectDir, at: ['5f'], fps: '10', output };
    const { capture } = await inSession(shared, projectDir, (place) => snapshotIn(place, request));
    expect(capture.path).toBe('paint');
    expect(filled(pictureOf(PNG.sync.read(readFileSync(output))))).toEqual(cells);
    expect(filled(rendered[5])).toEqual(cells);
  });
});

test('clears a canvas before each frame that draws on it, as browsers do', async () => {
  const frames = await renderFrames({ 'index.html': drawing('const draw = (i) => fill(i, 0, 1, 0)') });
  expect(filled(frames[3])).toEqual([3]);
});

test('does not draw frames that are passed', async () => {
  const projectDir = project({ 'index.html': drawing('const draw = (i) => fill(i, 0, 1, 0)') });
  const request: RenderRequest = { projectDir, format: 'png', fps: '10' };
  await inSession(shared, projectDir, async (place) => {
    const probed = await probe(request, await prepare(request), place);
    const { page: opened } = await openReadyPage(probed, 'plain');
    const missing = opened.tab.page.frames()[1]?.evaluate(async () => {
      const player = (window as unknown as Record<symbol, Required<Player>>)[Symbol.for('framework.player')];
      player?.seek(0, true);
      player?.seek(0.1, true);
      await player?.settle();
      const skipped = player?.missingFrom();
      player?.seek(0.2);
      await player?.settle();
      return [skipped, player?.missingFrom()];
    });
    expect(await missing).toEqual([1, null]);
    await opened.close();
    await probed.close();
  });
});

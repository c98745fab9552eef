// Videos of a different size than their composition: the same layout, drawn with more or fewer pixels.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { black, blue, captureProject, green, red } from '../../support/renders/frames.ts';
import { describeVideo, hex } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';
import { core } from '../../support/suites.ts';

const renderVideo = warmRenderer();

/** A box with edges between the composition's pixels, and one whose position depends on the size of the window. */
const boxes = `
<div style="position:absolute;left:1.5px;top:0;width:3px;height:9px;background:#f00"></div>
<div id="far" style="position:absolute;top:0;width:2px;height:9px;background:#0f0"></div>
<script>document.getElementById('far').style.left = innerWidth / 2 + 'px'</script>`;

test.each(['paint', 'screenshot'] as const)('draws 4K at full resolution, by %s', async (capture) => {
  const html = composition(boxes, { width: 16, height: 9, duration: 0.1 });
  const [frame] = (await captureProject(html, { resolution: '4k', capture })).frames;
  expect(frame).toMatchObject({ width: 3840, height: 2160 });
  expect([359, 361, 1079, 1081].map((x) => hex(frame, x, 1000))).toEqual([black, red, red, black]);
  expect([1919, 1921, 2399, 2401].map((x) => hex(frame, x, 1000))).toEqual([black, green, green, black]);
});

test('scales a larger composition down to 1080p, like the browser', async () => {
  const projectDir = project(composition(boxes, { width: 3840, height: 2160, duration: 0.2 }));
  const output = join(temporaryFolder(), 'a.mp4');
  const report = await renderVideo({ projectDir, output, fps: '10', quality: 'draft', resolution: '1080p' });
  expect(report).toMatchObject({ width: 1920, height: 1080, capture: { path: 'paint' } });
  expect(await describeVideo(output)).toMatchObject({ stream: expect.stringContaining('1920x1080') });
});

test('paints a scaled canvas of a fixed size', core, async () => {
  const body = `<canvas id="c" width="16" height="9" style="position:absolute;left:0;top:0"></canvas>
    <script>const c = document.getElementById('c').getContext('2d'); c.fillStyle = '#00f'; c.fillRect(0, 0, 8, 9)</script>`;
  const html = composition(body, { width: 16, height: 9, duration: 0.1 });
  const { capture, frames } = await captureProject(html, { resolution: '4k' });
  expect(capture.path).toBe('paint');
  expect([100, 1700, 2200].map((x) => hex(frames[0], x, 1000))).toEqual([blue, blue, black]);
});

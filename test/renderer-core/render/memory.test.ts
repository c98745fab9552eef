// A render does not need more memory for each frame.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { measure } from '../../bench/processTree.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

/** A 2D canvas that changes in every frame. Its pixels have 3.5 MB. */
const canvas = `<canvas id="c" width="1280" height="720"></canvas>
<script>
const pen = document.getElementById('c').getContext('2d');
(function draw(t) { pen.fillStyle = 'hsl(' + t / 10 + ' 80% 50%)'; pen.fillRect(0, 0, 1280, 720); pen.fillStyle = '#fff'; pen.fillRect(t / 10, 300, 90, 90); requestAnimationFrame(draw) })(0)
</script>`;

test.skipIf(!existsSync('/proc/self/smaps_rollup'))('forgets the frames of a canvas', async () => {
  const folder = project(composition(canvas, { width: 1280, height: 720, duration: 12 }));
  const output = join(temporaryFolder(), 'out.mp4');
  const args = [cli, 'render', folder, '-o', output, '--capture', 'paint', '--workers', '1', '--json'];
  const { peakMiB, outputs } = await measure({ command: process.execPath, args });
  expect(JSON.parse(outputs[0] ?? '')).toMatchObject({ frames: 360, capture: { path: 'paint' } });
  // 360 frames have 1270 MB.
  expect(peakMiB).toBeLessThan(1100);
});

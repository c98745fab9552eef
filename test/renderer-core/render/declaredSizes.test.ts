// Videos in a size that the composition declares: its layout for that size, without bars.
import { describe, expect, test } from 'vitest';
import { composition } from '../../support/project.ts';
import { black, blue, captureProject, green, red } from '../../support/renders/frames.ts';
import { hex } from '../../support/renders/video.ts';

/** Red in landscape, green in portrait. The square in a corner is blue where a script reads the size of a portrait layout. */
const page = (attributes: string) =>
  composition(
    `<div id="all"></div><div id="corner"></div><script>
    const root = document.getElementById('root');
    const { width, height } = root.dataset;
    if (width === '32' && height === '64' && innerWidth === 32 && innerHeight === 64)
      document.getElementById('corner').style.background = '#00f';
    </script>`,
    {
      width: 64,
      height: 32,
      duration: 0.1,
      attributes,
      head: `<style>
      #root{width:100vw !important;height:100vh !important;container-type:size}
      #all{position:absolute;inset:0;background:#f00}
      #corner{position:absolute;right:0;bottom:0;width:8px;height:8px}
      @container (orientation:portrait){#all{background:#0f0}}
      </style>`,
    },
  );

describe.each(['paint', 'screenshot'] as const)('by %s', (capture) => {
  const colors = async (attributes: string, points: [number, number][]) => {
    const { frames } = await captureProject(page(attributes), { aspectRatio: '1:2', capture });
    const [frame] = frames;
    return [frame?.width, frame?.height, ...points.map(([x, y]) => hex(frame, x, y))];
  };

  test('lays the page out in the declared size', async () =>
    expect(
      await colors('data-sizes="32x64"', [
        [1, 1],
        [16, 62],
        [30, 62],
      ]),
    ).toEqual([32, 64, green, green, blue]));

  test('has bars without the declaration', async () =>
    expect(
      await colors('', [
        [1, 1],
        [16, 32],
        [30, 62],
      ]),
    ).toEqual([32, 64, black, red, black]));
});

// Videos of 10 bits and HDR videos of pages without footage; features/hdrVideo.test.ts has footage.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { type Light, lightIn, patchSize } from '../../support/renders/hdrFootage.ts';
import { decodePlanes, describeVideo } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';

const renderVideo = warmRenderer();

type Request = Partial<RenderRequest>;

const { encoders } = await findFfmpeg({ env: process.env });
const hasAv1 = encoders.has('libsvtav1') || encoders.has('libaom-av1');
const canMake = ({ codec }: { codec?: string }): boolean => codec !== 'av1' || hasAv1;

async function render(html: string, request: Request): Promise<RenderReport> {
  const output = join(temporaryFolder(), `video.${request.format ?? 'mp4'}`);
  return renderVideo({ projectDir: project(html), output, quality: 'high', fps: '25', capture: 'paint', ...request });
}

/** The lumas and opacities of the rows of the first frame. */
async function samplesOf(file: string, layout: string, width: number, height: number) {
  expect((await describeVideo(file)).stream).toContain(layout);
  const args = ['-v', 'error', '-i', file, '-frames:v', '1', '-f', 'rawvideo', '-'];
  const [samples] = decodePlanes(execFileSync(referenceFfmpeg, args), layout, width, height);
  return Array.from({ length: width }, (_, x) => samples?.(x, height / 2) ?? []);
}

describe('10 bits', () => {
  const width = 1024;
  const rampOf = (from: string) =>
    composition(`<div style="width:100%;height:100%;background:linear-gradient(90deg,${from},#fff)"></div>`, {
      ...{ width, height: 64, duration: 0.04 },
    });

  // In limited range, 877 of the codes from 0 to 1023 are between black and white, and 220 of those from 0 to 255.
  test.each<[Request, string, number]>(
    (
      [
        [{ codec: 'h265' }, 'yuv420p', 220],
        [{ codec: 'h265', bitDepth: 10 }, 'yuv420p10le', 877],
        [{ codec: 'av1', bitDepth: 10, crf: 4 }, 'yuv420p10le', 877],
        [{ format: 'webm', codec: 'vp9', bitDepth: 10 }, 'yuv420p10le', 877],
      ] as [Request, string, number][]
    ).filter(([request]) => canMake(request)),
  )('%j in %s has nearly all of %i levels in a gradient', async (request, layout, levels) => {
    const { output } = await render(rampOf('#000'), request);
    const found = new Set((await samplesOf(output, layout, width, 64)).map(([luma]) => luma)).size;
    expect(found).toBeGreaterThan(0.9 * levels);
    expect(found).toBeLessThanOrEqual(levels);
  });

  test('ProRes has more levels of opacity than 8 bits can have', async () => {
    const { output } = await render(rampOf('#fff0').replace('background:#000', ''), { format: 'mov' });
    const samples = await samplesOf(output, 'yuva444p12le', width, 64);
    expect(new Set(samples.map(([, , , opacity]) => opacity)).size).toBeGreaterThan(900);
  });
});

describe('HDR', () => {
  /** Red, green and blue of BT.2020 in cd/m². Rec. ITU-R BT.2087 has the matrix from BT.709. */
  const lights: [color: string, light: Light][] = [
    ['#fff', [203, 203, 203]],
    ['#808080', [43.8, 43.8, 43.8]],
    ['#f00', [127.4, 14, 3.3]],
    ['color(srgb 2 2 2)', [1005.6, 1005.6, 1005.6]],
    ['color(display-p3 0 1 0)', [40.3, 191.2, 3.6]],
    ['color(rec2020 0 1 0)', [0, 203, 0]],
  ];
  const size = { width: lights.length * patchSize, height: 2 * patchSize };
  const patches = (colors: readonly string[]) =>
    colors
      .map(
        (color, index) =>
          `<i style="position:absolute;left:${index * patchSize}px;width:${patchSize}px;height:100%;background:${color}"></i>`,
      )
      .join('');
  const html = composition(patches(lights.map(([color]) => color)), { ...size, duration: 0.08 });
  const lightsIn = (file: string, curve: 'pq' | 'hlg') => {
    const [at] = lightIn(file, curve, size);
    return lights.map((_, index) => at?.(index * patchSize + 16, patchSize) ?? [-1, -1, -1]);
  };
  /** A step of 10 bits is up to 1.8 % of the light. What is 0 has the rounding of half floats. */
  const isNear = (found: readonly number[], expected: Light) =>
    found.every((value, at) => Math.abs(value - (expected[at] ?? 0)) < 0.018 * Math.max(...expected));

  test.each<[Request, 'pq' | 'hlg']>(
    (
      [
        [{ hdr: true }, 'pq'],
        [{ hdr: 'hlg' }, 'hlg'],
        [{ hdr: 'pq', codec: 'av1', crf: 4 }, 'pq'],
      ] as [Request, 'pq' | 'hlg'][]
    ).filter(([request]) => canMake(request)),
  )('%j shows white as 203 nits, brighter colors, and those outside of sRGB', async (request, curve) => {
    const { output } = await render(html, request);
    const found = lightsIn(output, curve);
    expect(found.filter((light, index) => !isNear(light, lights[index]?.[1] ?? [0, 0, 0]))).toEqual([]);
  });

  test('screenshots end at white and at sRGB, and a warning says so', async () => {
    const { output, warnings } = await render(html, { hdr: true, capture: 'screenshot' });
    expect(warnings).toEqual(['The frames are screenshots with 8 bits, so gradients may have bands in the video.']);
    const found = lightsIn(output, 'pq').slice(0, 4);
    const expected = [...lights.slice(0, 3).map(([, light]) => light), [203, 203, 203] as Light];
    expect(found.filter((light, index) => !isNear(light, expected[index] ?? [0, 0, 0]))).toEqual([]);
  });

  test('HLG cannot be made of screenshots', async () => {
    await expect(render(html, { hdr: 'hlg', capture: 'screenshot' })).rejects.toMatchObject({
      code: 'render_failed',
      message: 'This HDR video cannot be made of screenshots, which the page needs: as requested',
    });
  });

  // The mean of the brightest channels of all patches: 203, 43.8, 127.4, 1005.6, 191.2 and 203.
  test.each<[Request, string, string | null]>(
    (
      [
        [{}, 'smpte2084', 'MaxCLL=1006, MaxFALL=296'],
        [{ codec: 'av1' }, 'smpte2084', 'MaxCLL=1006, MaxFALL=296'],
        [{ format: 'mov' }, 'smpte2084', 'MaxCLL=1006, MaxFALL=296'],
        [{ hdr: 'hlg' }, 'arib-std-b67', null],
      ] as [Request, string, string | null][]
    ).filter(([request]) => canMake(request)),
  )('%j has the curve %s, and declares how bright it is: %s', async (request, curve, levels) => {
    const { output } = await render(html, { hdr: true, quality: 'draft', ...request });
    const { stream, light } = await describeVideo(output);
    expect(stream).toContain(`yuv420p10le(tv, bt2020nc/bt2020/${curve}`);
    expect(light).toBe(levels);
  });

  test('paints translucent colors outside of sRGB, which blend in another way on screens', async () => {
    const body = '<div style="margin:16px;height:16px;background:color(display-p3 0 1 0 / .5)"></div>';
    const { capture } = await render(composition(body, { height: 64, duration: 0.08 }), { hdr: true, capture: 'auto' });
    expect(capture.path).toBe('paint');
  });

  test('writes a video of an odd size', async () => {
    const { output } = await render(composition('', { width: 65, height: 99, duration: 0.08 }), { hdr: true });
    expect((await describeVideo(output)).stream).toContain(', 66x100');
  });
});

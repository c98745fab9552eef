// HDR snapshots: PNG files with 16 bits whose colors are BT.2020 with the curve PQ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { asHdr } from '../../../../renderer-core/render/snapshot/hdrPng.ts';
import { type SnapshotRequest, takeSnapshotWith } from '../../../../renderer-core/render/snapshot/takeSnapshot.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { box } from '../../../support/renders/frames.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { launchShared, sharedBrowser } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const browser = sharedBrowser();

const size = { width: 65, height: 33 };

/** A transparent page with a row of cells. */
const cells = (...colors: string[]): string =>
  composition(colors.map((color, index) => box(index, color)).join(''), {
    ...{ ...size, duration: 0.1, head: '<style>html,body{background:none!important}</style>' },
  });

async function take(html: string, request: Partial<SnapshotRequest> = {}): Promise<Buffer> {
  const output = join(temporaryFolder(), 'shot.png');
  const all = { projectDir: project(html), hdr: true, output, ...request };
  const { pictures } = await takeSnapshotWith(launchShared, all, surroundings);
  expect(pictures).toMatchObject([{ output, ...size }]);
  return readFileSync(output);
}

/** The 16-bit values in the middle of each cell. */
function valuesOf(png: Buffer, count: number): number[][] {
  const { data, width, height } = PNG.sync.read(png, { skipRescale: true });
  expect([data.BYTES_PER_ELEMENT, width, height]).toEqual([2, 65, 33]);
  return Array.from({ length: count }, (_, index) => {
    const at = 4 * (4 * width + 8 * index + 4);
    return [...data.subarray(at, at + 4)];
  });
}

// PQ of Rec. ITU-R BT.2100, times 65535: 203 nits are 0.5807, and what is twice white in sRGB is 1005 nits.
test('has 16-bit values in PQ', core, async () => {
  const png = await take(cells('#fff', '#808080', 'color(srgb 2 2 2)', '#f00', '#fff8', '#0000'));
  expect(valuesOf(png, 6)).toEqual([
    [38055, 38055, 38055, 65535],
    [28037, 28037, 28037, 65535],
    [49311, 49311, 49311, 65535],
    [34900, 21431, 14422, 65535],
    [38055, 38055, 38055, 34943],
    [0, 0, 0, 0],
  ]);
});

test('keeps the colors of BT.2020', async () => {
  const [[red = 0, green = 0, blue = 0] = []] = valuesOf(await take(cells('color(rec2020 0 1 0)')), 1);
  // The half floats of the browser are in sRGB, where these are small differences.
  expect(Math.abs(green - 38055)).toBeLessThan(20);
  expect(Math.max(red, blue)).toBeLessThan(0.04 * 65535);
});

/** The colors that Chromium shows in the middle of each cell: sRGB, continued above 1. */
const shown = async (png: Buffer, count: number): Promise<number[]> => {
  const tab = await browser().browser.newPage();
  try {
    const reds = await tab.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d', { colorType: 'float16' } as CanvasRenderingContext2DSettings);
      context?.drawImage(image, 0, 0);
      const settings = { pixelFormat: 'rgba-float16' } as ImageDataSettings;
      return [...(context?.getImageData(0, 4, 65, 1, settings).data ?? [])].filter((_, index) => index % 4 === 0);
    }, png.toString('base64'));
    return Array.from({ length: count }, (_, index) => Math.round(100 * (reds[8 * index + 4] ?? 0)) / 100);
  } finally {
    await tab.close();
  }
};

test('looks in Chromium as the page', async () => {
  expect(await shown(await take(cells('#fff', '#808080', '#f00', '#000')), 4)).toEqual([1, 0.5, 1, 0]);
});

test('is made darker for a screen that cannot show its brightest color', async () => {
  const [white = 0, bright = 0] = await shown(await take(cells('#fff', 'color(srgb 2 2 2)')), 2);
  expect(white).toBeLessThan(0.8);
  expect(bright).toBe(1);
});

test('declares its colors and light levels before the pixels', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000011006000000e82c6b6300000000', 'hex');
  const hdr = asHdr(png, { maxCll: 203, maxFall: 50.5 });
  expect(hdr.subarray(0, 33).equals(png.subarray(0, 33))).toBe(true);
  expect(hdr.subarray(33, -4).toString('hex')).toBe(
    // Length, cICP, 9 16 0 1, checksum; length, cLLI, 2030000 and 505000, checksum.
    '0000000463494350091000014d2323fe00000008634c4c49001ef9b00007b4a846ac5078',
  );
});

test.each<[Partial<SnapshotRequest>, string]>([
  [{ sheet: true }, '--hdr and --contact-sheet cannot be used together'],
  [{ maxSide: 32 }, '--hdr and --max-side cannot be used together'],
  [{ capture: 'screenshot' }, '--hdr and --capture screenshot cannot be used together'],
  [{ output: 'shot.jpg' }, 'An HDR image must be a PNG file (got jpeg)'],
])('rejects %j', async (request, message) => {
  await expect(take(cells('#fff'), request)).rejects.toMatchObject({ code: 'usage', message });
});

test('fails if the page can only be captured with screenshots', async () => {
  const planes = [45, -45].map(
    (angle) => `<i style="position:absolute;inset:0;background:red;rotate:y ${angle}deg"></i>`,
  );
  const crossing = `<div style="position:absolute;inset:0;transform-style:preserve-3d">${planes.join('')}</div>`;
  const html = composition(crossing, { ...size, duration: 0.1 });
  await expect(take(html)).rejects.toMatchObject({
    code: 'render_failed',
    message: 'HDR images cannot be made of screenshots, which the page needs: elements with preserve-3d intersect',
  });
});

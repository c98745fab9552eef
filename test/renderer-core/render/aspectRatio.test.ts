// Videos with another aspect ratio than their composition: bars, crops and distortion, rasterized at the size of the video.
import { join } from 'node:path';
import { PNG } from 'pngjs';
import puppeteer from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { psnr } from '../../fidelity/compare.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { captureFrames, type Image } from '../../support/renders/captureFrames.ts';
import { black, blue, captureProject, green, red } from '../../support/renders/frames.ts';
import { decode, hex, type Picture } from '../../support/renders/video.ts';
import { launchShared, warmRenderer } from '../../support/renders/warmRender.ts';
import { core } from '../../support/suites.ts';

const render = warmRenderer();

/** A page of 64x32 pixels: red in the left quarter, green in the right one, blue between them. */
const thirds = (background: string) =>
  composition(
    `<div style="position:absolute;inset:0;background:linear-gradient(90deg,#f00 16px,#00f 16px,#00f 48px,#0f0 48px)"></div>`,
    {
      width: 64,
      height: 32,
      duration: 0.1,
      head: `<style>html{background:${background} !important}body{background:none !important}</style>`,
    },
  );

const captures = ['paint', 'screenshot'] as const;

async function firstFrame(html: string, request: Partial<RenderRequest>): Promise<Picture | undefined> {
  return (await captureProject(html, request)).frames[0];
}

/** `points`: such as `5,31 5,32`. */
const colors = (frame: Picture | undefined, points: string) =>
  points.split(' ').map((point) => {
    const [x = 0, y = 0] = point.split(',').map(Number);
    return hex(frame, x, y);
  });

describe.each(captures)('by %s', (capture) => {
  test('adds bars with the background of the page', async () => {
    const frame = await firstFrame(thirds('#123456'), { aspectRatio: '1:1', width: 128, capture });
    expect([frame?.width, frame?.height]).toEqual([128, 128]);
    expect(colors(frame, '5,31 5,32 5,95 5,96')).toEqual(['#123456', red, red, '#123456']);
    expect(colors(frame, '31,64 32,64 95,64 96,64')).toEqual([red, blue, blue, green]);
  });

  test.each([
    [undefined, black],
    ['tomato', '#ff6347'],
  ])('fills the bars of a page without a background with %s', async (background, expected) => {
    const given = background ? { background } : {};
    const frame = await firstFrame(thirds('none'), { aspectRatio: '1:1', capture, ...given });
    expect([frame?.width, frame?.height]).toEqual([32, 32]);
    expect(colors(frame, '2,7 2,8 2,23 2,24')).toEqual([expected, red, red, expected]);
  });

  test('leaves transparent bars', core, async () => {
    const frame = await firstFrame(thirds('#123456'), { aspectRatio: '1:1', capture, background: 'transparent' });
    expect([frame?.at(2, 2), frame?.at(2, 16)]).toEqual([
      [0, 0, 0, 0],
      [255, 0, 0, 255],
    ]);
  });

  test('crops the sides with cover', core, async () => {
    const frame = await firstFrame(thirds('none'), { aspectRatio: '1:1', height: 64, fit: 'cover', capture });
    expect([frame?.width, frame?.height]).toEqual([64, 64]);
    expect(colors(frame, '0,0 0,63 63,0 63,63')).toEqual([blue, blue, blue, blue]);
    const narrow = await firstFrame(thirds('none'), { aspectRatio: '8:5', height: 160, fit: 'cover', capture });
    // The page is 320 pixels wide, of which 32 are cut off on each side.
    expect(colors(narrow, '47,80 48,80 207,80 208,80')).toEqual([red, blue, blue, green]);
  });

  test('distorts with stretch, without blur', async () => {
    const frame = await firstFrame(thirds('none'), { width: 64, height: 128, fit: 'stretch', capture });
    expect(colors(frame, '15,0 16,0 47,127 48,127')).toEqual([red, blue, blue, green]);
    const line = composition('<div style="position:absolute;top:10px;width:64px;height:1px;background:#fff"></div>', {
      height: 32,
      duration: 0.1,
    });
    const lines = await firstFrame(line, { width: 64, height: 128, fit: 'stretch', capture });
    expect(colors(lines, '9,39 9,40 9,43 9,44')).toEqual([black, '#ffffff', '#ffffff', black]);
  });
});

test('moves the bars of an mp4 with an odd size to its padding', async () => {
  const output = join(temporaryFolder(), 'a.mp4');
  const request = {
    projectDir: project(thirds('none')),
    output,
    fps: '10',
    width: 65,
    height: 65,
    fit: 'contain',
    background: '#00f',
  } as const;
  const report = await render(request);
  expect(report).toMatchObject({ width: 65, height: 65, capture: { path: 'paint' } });
  const [frame] = await decode(output, 66, 66);
  for (const [x, y] of [
    [30, 2],
    [65, 2],
    [2, 65],
    [65, 65],
  ] as const)
    expect(frame?.at(x, y).map((channel) => Math.round(channel / 50))).toEqual([0, 0, 5, 5]);
});

describe('twice the size', () => {
  const page = (body: string) => composition(body, { width: 160, height: 60, duration: 0.1 });
  const shapes = page(
    `<div style="position:absolute;left:10.5px;top:40px;width:9px;height:9px;border-radius:5px;background:#fd0"></div><svg width="160" height="60" style="position:absolute"><path d="M2 2L150 31M30 55q50-70 120-20" stroke="#4af" stroke-width="1.5" fill="none"/></svg>`,
  );
  // SVG sets the baseline: other text has one that browsers round differently on dense screens.
  const text = page(
    `<svg width="160" height="60"><text x="4" y="24" style="font:20px sans-serif" fill="#fff">Sharp: ffi &amp; Wg</text></svg>`,
  );

  /** The browser of the comparison has no other fonts. */
  async function renderImage(html: string, request: Partial<RenderRequest>): Promise<Image> {
    const all = { projectDir: project(html), fps: '10', systemFonts: true, ...request };
    const { images } = await captureFrames(all, launchShared);
    return images[0] as Image;
  }

  test.each([
    ['shapes', shapes, 45],
    ['text', text, 27],
  ])('shows %s as a screen with two device pixels per pixel does', async (_, html, least) => {
    const shown = await screenshotOfDenseScreen(html, { width: 160, height: 60 });
    for (const capture of captures)
      expect(psnr(await renderImage(html, { width: 320, capture }), shown)).toBeGreaterThan(least);
    const enlarged = enlarge(await renderImage(html, {}));
    expect(psnr(enlarged, shown)).toBeLessThan(27);
  });
});

function enlarge({ width, height, data }: Image): PNG {
  const result = new PNG({ width: 2 * width, height: 2 * height });
  for (let at = 0; at < result.data.length; at++) {
    const [channel, x, y] = [at % 4, (at >> 2) % result.width, Math.floor((at >> 2) / result.width)];
    result.data[at] = data[((y >> 1) * width + (x >> 1)) * 4 + channel] ?? 0;
  }
  return result;
}

/** A screenshot of a screen with a scale factor of two: an emulated one would round positions to CSS pixels. */
async function screenshotOfDenseScreen(html: string, size: { width: number; height: number }): Promise<PNG> {
  const { path, headlessShell, env } = await findBrowser({ env: process.env });
  const browser = await puppeteer.launch({
    executablePath: path,
    headless: headlessShell ? 'shell' : true,
    pipe: true,
    env: { ...process.env, ...env },
    defaultViewport: null,
    args: [
      ...['--force-device-scale-factor=2', '--force-color-profile=srgb', '--font-render-hinting=none'],
      ...['--disable-lcd-text', '--hide-scrollbars', '--disable-gpu', '--no-sandbox'],
    ],
  });
  try {
    const page = await browser.newPage();
    const session = await page.createCDPSession();
    await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 0, mobile: false });
    await page.setContent(html);
    const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
    return PNG.sync.read(Buffer.from(data, 'base64'));
  } finally {
    await browser.close();
  }
}

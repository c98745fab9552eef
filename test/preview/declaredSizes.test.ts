// The sizes of a composition in the preview: a switch, and all of them next to each other.
import type { Frame, Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { openPreview } from '../support/editor/previewPage.ts';
import { composition, project } from '../support/project.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';

const launched = sharedBrowser();

/** Shows its size, by what scripts and styles see. */
const html = composition(
  '<p id="seen"></p><script>seen.textContent = `${root.dataset.width}x${innerHeight}`</script>',
  {
    width: 192,
    height: 108,
    duration: 4,
    attributes: 'data-sizes="192x108 108x192 108x108"',
  },
);

const seen = (frame: Frame) => frame.$eval('#seen', (element) => element.textContent);

async function seenIn(page: Page): Promise<(string | null)[]> {
  // Frames of the preview itself, and frames that are loading, do not have the element.
  const texts = await Promise.all(page.frames().map((frame) => seen(frame).catch(() => null)));
  return texts.filter((text) => text !== null).sort();
}

test('switches between the sizes', async () => {
  const { page, preview, shown, atRest } = await openPreview(launched(), project(html));
  await atRest();
  expect(await page.$$eval('.sizes option', (options) => options.map(({ textContent }) => textContent))).toEqual([
    'Video size',
    '16:9 (192 × 108)',
    '9:16 (108 × 192)',
    '1:1 (108 × 108)',
  ]);
  const choose = (size: string) => page.select('.sizes select', size);
  await choose('108x192');
  await expect.poll(async () => seen(await shown())).toBe('108x192');
  // A chosen size does not follow that of the video.
  preview.setOptions({ aspectRatio: '1:1' });
  await choose('192x108');
  await expect.poll(async () => seen(await shown())).toBe('192x108');
  await choose('');
  await expect.poll(async () => seen(await shown())).toBe('108x108');
  preview.show('index.html', {});
  expect(await seen(await shown())).toBe('108x108');
});

test('has no switch without other sizes', async () => {
  const { page, atRest } = await openPreview(launched(), project(composition('')));
  await atRest();
  expect(await page.$eval('.sizes', (group) => (group as HTMLElement).hidden)).toBe(true);
});

test('compares the sizes at the same time', async () => {
  const { page, goTo, atRest } = await openPreview(launched(), project(html));
  await atRest();
  await goTo('75f');
  await page.click('button[aria-label="Compare sizes"]');
  await expect.poll(() => seenIn(page)).toEqual(['108x108', '108x192', '192x108']);
  /** The frame numbers in the time fields of all pages. */
  const frames = () =>
    Promise.all(
      page
        .frames()
        .filter((frame) => frame.url().includes('/preview/'))
        .map((frame) => frame.$eval('.frame', (element) => element.textContent)),
    );
  await expect.poll(frames).toEqual(['Frame 75 of 120', 'Frame 75 of 120', 'Frame 75 of 120']);
  await page.keyboard.press('Home');
  await expect.poll(frames).toEqual(['Frame 0 of 120', 'Frame 0 of 120', 'Frame 0 of 120']);
  await page.click('button[aria-label="Compare sizes"]');
  await expect.poll(() => seenIn(page)).toEqual(['192x108']);
});

// Finished videos in the workbench: they open at their poster frame, and play from the start with sound.
import { readFileSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { icon, suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  closeNotifications,
  frameWith,
  openFile,
  pressButton,
  runCommand,
  selectors,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

/** The title appears after two seconds. */
const card = (attributes: string) => `<!doctype html><html><head><style>
body{margin:0;background:#16324f} h1{position:absolute;inset:0;margin:0;display:grid;place-items:center;font:700 64px sans-serif;color:#ffd166}
</style></head><body>
<div data-composition-id="card" data-width="640" data-height="360" data-duration="6" data-fps="10" ${attributes}>
<h1 class="clip" data-start="2" data-duration="4">Good evening</h1>
<audio src="gong.wav" data-start="0" data-duration="3"></audio>
</div></body></html>
`;

describe('finished videos', () => {
  const editor = suiteWindow(() => ({
    copies: [],
    name: 'cards',
    files: {
      'gong.wav': readFileSync(new URL('../../examples/countdown/gong.wav', import.meta.url)),
      'plain.html': card(''),
      'poster.html': card('data-poster-time="4.5"'),
      'damaged.mp4': 'not a video',
    },
    open: 'plain.html',
  }));
  const { inFolder } = editor;
  let page: Page;

  async function render(project: string): Promise<void> {
    // If the test is tried again, a video of the first try would give this one another name.
    await rm(inFolder(`renders/cards-${project}.mp4`), { force: true });
    await openFile(page, `${project}.html`);
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, `Rendered renders/cards-${project}.mp4`, 200_000);
  }
  /** The frame of the video in the active tab, when the poster frame is shown. */
  async function openedVideo(name: string): Promise<{ frame: Frame; seconds: number }> {
    await waitForText(page, '.tab.active', name);
    const frame = await frameWith(page, `video.ready[aria-label="Video ${name}"]`);
    return { frame, seconds: await frame.$eval('video', ({ currentTime }) => currentTime) };
  }

  beforeAll(() => {
    ({ page } = editor);
  });

  test('open at the first frame after the intro that shows something', async () => {
    await render('plain');
    await pressButton(page, 'Open');
    const { seconds } = await openedVideo('cards-plain.mp4');
    // The checks of the frames start at 1.5 s and are 0.75 s apart.
    expect(seconds).toBeCloseTo(2.25, 3);
    await closeNotifications(page);
    await saveScreenshot(page, 'video-editor');
  });

  test('play from the start, with sound', async () => {
    const { frame } = await openedVideo('cards-plain.mp4');
    const played = await frame.$eval('video', async (video) => {
      const { muted, volume } = video;
      await video.play();
      const from = video.currentTime;
      await new Promise((done) => video.addEventListener('timeupdate', done, { once: true }));
      video.pause();
      const { webkitAudioDecodedByteCount: bytes } = video as HTMLVideoElement & {
        webkitAudioDecodedByteCount: number;
      };
      return { muted, volume, isFromStart: from < 1, hasSound: bytes > 0 };
    });
    expect(played).toEqual({ muted: false, volume: 1, isFromStart: true, hasSound: true });
  });

  test('play a copy with sound where AAC cannot be played', async () => {
    await page.evaluateOnNewDocument(() => {
      const { canPlayType } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.canPlayType = function (type) {
        return type.includes('mp4a') ? '' : canPlayType.call(this, type);
      };
    });
    await runCommand(page, 'View: Close Editor');
    await page.click(icon);
    const row = '.pane:has(> .pane-header[aria-label^="Videos"]) .monaco-list-row[aria-level="2"]';
    await waitForText(page, row, 'cards-plain');
    await page.click(row);
    const { frame } = await openedVideo('cards-plain.mp4');
    await frame.waitForSelector('video.copy', { timeout: 60_000 });
    const played = await frame.$eval('video', async (video) => {
      const { src, currentTime } = video;
      await video.play();
      await new Promise((done) => video.addEventListener('timeupdate', done, { once: true }));
      video.pause();
      const { webkitAudioDecodedByteCount: bytes } = video as HTMLVideoElement & {
        webkitAudioDecodedByteCount: number;
      };
      return { isCopy: /\/videos\/[0-9a-f]{32}\.mp4$/.test(src), currentTime, hasSound: bytes > 0 };
    });
    expect(played).toEqual({ isCopy: true, currentTime: 2.25, hasSound: true });
    await saveScreenshot(page, 'video-editor-copy');
  });

  test('open at the time of data-poster-time', async () => {
    await render('poster');
    await pressButton(page, 'Open');
    expect((await openedVideo('cards-poster.mp4')).seconds).toBe(4.5);
    await closeNotifications(page);
  });

  test('say that they do not exist, until they are rendered again', async () => {
    await runCommand(page, 'View: Close All Editors');
    await rm(inFolder('renders/cards-plain.mp4'));
    const row = '.pane:has(> .pane-header[aria-label^="Videos"]) .monaco-list-row[aria-level="2"]';
    await waitForText(page, row, 'cards-plain');
    for (const one of await page.$$(row))
      if ((await one.evaluate(({ textContent }) => textContent))?.startsWith('cards-plain')) await one.click();
    const frame = await frameWith(page, 'main.failed');
    expect(await frame.$eval('main.failed', ({ textContent }) => textContent)).toBe('cards-plain.mp4 does not exist');
    await saveScreenshot(page, 'video-editor-missing');
    await copyFile(inFolder('renders/cards-poster.mp4'), inFolder('renders/new.mp4'));
    await rename(inFolder('renders/new.mp4'), inFolder('renders/cards-plain.mp4'));
    await openedVideo('cards-plain.mp4');
  });

  test('offer another program when they cannot be played', async () => {
    await openFile(page, 'damaged.mp4');
    await runCommand(page, 'View: Reopen Editor With...');
    await waitForText(page, selectors.inputRow, 'Framework Video');
    await page.keyboard.type('Framework Video');
    await waitForText(page, selectors.focusedRow, 'Framework Video');
    await page.keyboard.press('Enter');
    const frame = await frameWith(page, 'main.failed button');
    expect(await frame.$eval('main.failed', (one) => (one as HTMLElement).innerText.split(/\n+/))).toEqual([
      'VS Code cannot play this video.',
      'Open in Another Program',
    ]);
    await saveScreenshot(page, 'video-editor-damaged');
  });
});

// Finished videos in the workbench: they open at their poster frame, and play from the start with sound.
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { closeNotifications, frameWith, openFile, pressButton, runCommand, selectors, waitForText } from './ui.ts';
import { remoteUri, saveScreenshot, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

// Longer than the default, for slow machines.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

/** The title appears after two seconds. */
const card = (attributes: string) => `<!doctype html><html><head><style>
body{margin:0;background:#16324f} h1{position:absolute;inset:0;margin:0;display:grid;place-items:center;font:700 64px sans-serif;color:#ffd166}
</style></head><body>
<div data-composition-id="card" data-width="640" data-height="360" data-duration="6" data-fps="10" ${attributes}>
<h1 class="clip" data-start="2" data-duration="4">Good evening</h1>
<audio src="gong.wav" data-start="0" data-duration="3"></audio>
</div></body></html>
`;

describe.skipIf(process.env.VSCODE_EXECUTABLE)('finished videos', () => {
  let workbench: Workbench;
  let folder: string;
  let page: Page;

  async function render(project: string): Promise<void> {
    // If the test is tried again, a video of the first try would give this one another name.
    await rm(join(folder, `renders/cards-${project}.mp4`), { force: true });
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

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'fw-videos-')), 'cards');
    await mkdir(folder);
    await cp(fileURLToPath(new URL('../../examples/countdown/gong.wav', import.meta.url)), join(folder, 'gong.wav'));
    await writeFile(join(folder, 'plain.html'), card(''));
    await writeFile(join(folder, 'poster.html'), card('data-poster-time="4.5"'));
    await writeFile(join(folder, 'damaged.mp4'), 'not a video');
    workbench = await startWorkbench({ vsix });
    page = await workbench.open(folder, [['openFile', remoteUri(workbench.authority, join(folder, 'plain.html'))]]);
    await waitForText(page, selectors.editor, 'data-composition-id');
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
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
    await (await page.waitForSelector('.activitybar .action-label[aria-label^="Framework"]'))?.click();
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
    await rm(join(folder, 'renders/cards-plain.mp4'));
    const row = '.pane:has(> .pane-header[aria-label^="Videos"]) .monaco-list-row[aria-level="2"]';
    await waitForText(page, row, 'cards-plain');
    for (const one of await page.$$(row))
      if ((await one.evaluate(({ textContent }) => textContent))?.startsWith('cards-plain')) await one.click();
    const frame = await frameWith(page, 'main.failed');
    expect(await frame.$eval('main.failed', ({ textContent }) => textContent)).toBe('cards-plain.mp4 does not exist');
    await saveScreenshot(page, 'video-editor-missing');
    await copyFile(join(folder, 'renders/cards-poster.mp4'), join(folder, 'renders/new.mp4'));
    await rename(join(folder, 'renders/new.mp4'), join(folder, 'renders/cards-plain.mp4'));
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

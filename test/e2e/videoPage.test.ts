// The page of a finished video in a browser without VS Code: it shows every video that the browser can play.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToVideo } from '../../client/render/video/videoMessages.ts';
import { openWebview, type WebviewPage } from '../support/editor/webview.ts';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';

const launched = sharedBrowser();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framework-video-page-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The address of a video of three seconds. */
async function video(...options: string[]): Promise<string> {
  const file = join(folder, 'video.webm');
  const picture = ['-f', 'lavfi', '-i', 'testsrc=duration=3:size=64x48:rate=10', '-c:v', 'libvpx'];
  execFileSync(referenceFfmpeg, ['-v', 'error', '-y', ...picture, ...options, file]);
  return `data:video/webm;base64,${(await readFile(file)).toString('base64')}`;
}

/** Shows a video. The browser claims to play FLAC, so that the page uses a copy. */
async function show(source: string, prepare: () => void = () => undefined): Promise<WebviewPage> {
  const opened = await openWebview(launched().browser, 'video');
  await opened.page.evaluate(prepare);
  await opened.page.evaluate(() => {
    HTMLMediaElement.prototype.canPlayType = () => 'probably';
  });
  const texts = { video: 'Video', failed: 'VS Code cannot play this video.', open: 'Open in Another Program' };
  await opened.post({ type: 'show', source, poster: null, texts } satisfies ToVideo);
  return opened;
}
const stateOf = ({ page }: WebviewPage) =>
  page.$eval('video', ({ duration, currentTime, src }) => ({
    duration: String(duration),
    currentTime,
    isCopy: src.includes('#copy'),
  }));

test('shows a video whose duration is unknown at its start', async () => {
  const opened = await show(await video('-live', '1'));
  await opened.page.waitForSelector('video.ready');
  expect(await stateOf(opened)).toEqual({ duration: 'Infinity', currentTime: 0, isCopy: false });
});

test('looks at a frame for the poster when the browser shows it, which may be later than it says', async () => {
  const opened = await show(await video(), () => {
    const { requestVideoFrameCallback: request } = HTMLVideoElement.prototype;
    const { drawImage: draw } = CanvasRenderingContext2D.prototype;
    let isShown = false;
    addEventListener('seeking', () => (isShown = false), { capture: true });
    HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
      const later = (...facts: Parameters<typeof callback>) => {
        isShown = true;
        callback(...facts);
      };
      return request.call(this, (...facts) => void setTimeout(later, 100, ...facts));
    };
    CanvasRenderingContext2D.prototype.drawImage = function (
      this: CanvasRenderingContext2D,
      ...args: Parameters<typeof draw>
    ) {
      if (isShown) draw.apply(this, args);
    } as typeof draw;
  });
  await opened.page.waitForSelector('video.ready');
  expect((await stateOf(opened)).currentTime).toBe(1);
});

test('shows a file that has only sound', async () => {
  const opened = await show(
    'data:audio/wav;base64,UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==',
  );
  await opened.page.waitForSelector('video.ready');
  expect(await opened.page.$('.failed')).toBeNull();
});

test('continues with a copy at the same time', async () => {
  const source = await video();
  const opened = await show(source);
  await opened.post({ type: 'copy', source: `${source}#copy` } satisfies ToVideo);
  await opened.page.waitForSelector('video.copy');
  expect(await stateOf(opened)).toEqual({ duration: '3', currentTime: 1, isCopy: true });
});

test('continues with the video itself, at the same time, when its copy cannot be played', async () => {
  const opened = await show(await video());
  await opened.page.waitForSelector('video.ready');
  await opened.page.$eval('video', (one) => {
    const restored = () => one.classList.add('restored');
    one.addEventListener('error', () => one.addEventListener('seeked', restored));
  });
  await opened.post({ type: 'copy', source: 'data:video/mp4;base64,bm90IGEgdmlkZW8=#copy' } satisfies ToVideo);
  await opened.page.waitForSelector('.restored');
  expect(await stateOf(opened)).toEqual({ duration: '3', currentTime: 1, isCopy: false });
  expect(await opened.page.$('.copy, .failed')).toBeNull();
});

// The page of a finished video: it opens at the poster frame, and plays from the start with sound.
import { isPlain } from '../../renderer-core/plan/plainFrame.ts';
import { choosePosterTime } from '../../renderer-core/plan/posterTime.ts';
import type { FromVideo, ToVideo } from '../render/videoMessages.ts';
import { element } from '../webviewElement.ts';
import './video.css';

declare function acquireVsCodeApi(): { postMessage(message: FromVideo): void };

const editor = acquireVsCodeApi();
const side = 64;

function once(video: HTMLVideoElement, type: string): Promise<void> {
  return new Promise((done) => video.addEventListener(type, () => done(), { once: true }));
}

async function seek(video: HTMLVideoElement, seconds: number): Promise<void> {
  const sought = once(video, 'seeked');
  video.currentTime = seconds;
  await sought;
}

/** Whether the current frame has one color. A frame that cannot be read counts as one that has more. */
function isBlank(video: HTMLVideoElement): boolean {
  const canvas = element('canvas', { width: side, height: side });
  const brush = canvas.getContext('2d', { willReadFrequently: true });
  try {
    brush?.drawImage(video, 0, 0, side, side);
    return isPlain(brush?.getImageData(0, 0, side, side).data ?? [], 4);
  } catch {
    return false;
  }
}

async function showPoster(video: HTMLVideoElement, posterTime: number | null): Promise<void> {
  const { duration } = video;
  const time = await choosePosterTime({ posterTime, duration }, async (seconds) => {
    await seek(video, seconds);
    return isBlank(video);
  });
  if (video.currentTime !== time) await seek(video, time);
  // The poster frame stands for the video, but is not where it starts.
  const atPoster = video.currentTime;
  video.addEventListener(
    'play',
    () => {
      if (video.currentTime === atPoster) video.currentTime = 0;
    },
    { once: true },
  );
  video.classList.add('ready');
}

function show({ source, poster, texts }: ToVideo): void {
  const video = element('video', { controls: true, preload: 'auto', crossOrigin: 'anonymous', src: source });
  video.setAttribute('aria-label', texts.video);
  video.addEventListener('loadeddata', () => void showPoster(video, poster), { once: true });
  video.addEventListener('error', () => document.body.replaceChildren(element('p', {}, texts.failed)), { once: true });
  document.body.replaceChildren(video);
}

addEventListener('message', ({ data }: MessageEvent<ToVideo>) => show(data));
editor.postMessage({ type: 'ready' });

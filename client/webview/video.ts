// The page of a finished video: it opens at the poster frame, and plays from the start with sound.
import { isPlain } from '../../renderer-core/plan/plainFrame.ts';
import { choosePosterTime } from '../../renderer-core/plan/posterTime.ts';
import type { FromVideo, ToVideo } from '../render/video/videoMessages.ts';
import { element } from './shared/webviewElement.ts';
import './video.css';

declare function acquireVsCodeApi(): { postMessage(message: FromVideo): void };

const editor = acquireVsCodeApi();
const side = 64;
/** In milliseconds. */
const maxFrameDelay = 1000;
let posterShown: Promise<void> | undefined;

type Position = { seconds: number; isPlaying: boolean };
/** Where the video was when its copy was loaded. */
let position: Position = { seconds: 0, isPlaying: false };

function once(video: HTMLVideoElement, type: string): Promise<void> {
  return new Promise((done) => video.addEventListener(type, () => done(), { once: true }));
}

/**
 * Waits for an event and for the next frame: on a busy machine, the browser reports that it has found a frame while it still
 * shows the previous one. A hidden page shows no frame, and neither does a file that has only sound.
 */
async function onceShown(video: HTMLVideoElement, type: string): Promise<void> {
  const shown = new Promise((done) => video.requestVideoFrameCallback(done));
  await once(video, type);
  if (video.videoWidth > 0) await Promise.race([shown, new Promise((done) => setTimeout(done, maxFrameDelay))]);
}

async function seek(video: HTMLVideoElement, seconds: number): Promise<void> {
  const sought = onceShown(video, 'seeked');
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
  const time = Number.isFinite(duration)
    ? await choosePosterTime({ posterTime, duration }, async (seconds) => {
        await seek(video, seconds);
        return isBlank(video);
      })
    : (posterTime ?? 0);
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
}

function show({ source, poster, texts }: Extract<ToVideo, { type: 'show' }>): void {
  const video = element('video', { controls: true, preload: 'auto', crossOrigin: 'anonymous', src: source });
  video.setAttribute('aria-label', texts.video);
  posterShown = onceShown(video, 'loadeddata')
    .then(() => showPoster(video, poster))
    // A video without its poster frame plays too.
    .catch(console.error)
    .finally(() => video.classList.add('ready'));
  video.addEventListener('error', () => {
    // The copy cannot be played.
    if (video.getAttribute('src') !== source) void playFrom(video, source, position);
    else showFailure(texts);
  });
  document.body.replaceChildren(video);
}

function showFailure({ failed, open }: Extract<ToVideo, { type: 'show' }>['texts']): void {
  const button = element('button', { type: 'button' }, open);
  button.addEventListener('click', () => editor.postMessage({ type: 'openOutside' }));
  showMessage(failed, button);
}

function showMessage(text: string, ...buttons: HTMLElement[]): void {
  document.body.replaceChildren(element('main', { className: 'failed' }, element('p', {}, text), ...buttons));
}

/** Continues with a copy of the video at the same time, when the poster frame has been found. */
async function continueWith(source: string): Promise<void> {
  await posterShown;
  const video = document.querySelector('video');
  if (!video || video.canPlayType('video/mp4; codecs="avc1.42e01e, flac"') === '') return;
  position = { seconds: video.currentTime, isPlaying: !video.paused };
  if (await playFrom(video, source, position)) video.classList.add('copy');
}

/** Returns false when the video was replaced in the meantime, or this source of it. */
async function playFrom(video: HTMLVideoElement, source: string, { seconds, isPlaying }: Position): Promise<boolean> {
  const loaded = onceShown(video, 'loadeddata');
  video.src = source;
  await loaded;
  if (!video.isConnected || video.getAttribute('src') !== source) return false;
  await seek(video, seconds);
  if (isPlaying) await video.play();
  return true;
}

const playsAac = element('video').canPlayType('video/mp4; codecs="avc1.42e01e, mp4a.40.2"') !== '';

addEventListener('message', ({ data }: MessageEvent<ToVideo>) => {
  if (data.type === 'show') show(data);
  else if (data.type === 'missing') showMessage(data.text);
  else void continueWith(data.source);
});
editor.postMessage({ type: 'ready', playsAac });

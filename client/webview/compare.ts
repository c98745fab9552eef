// The script of the panel that compares two sets of values: two pages of the preview, and one transport for both.
import type { FromPage, ToPage } from '../../preview/messages.ts';
import { type ComparedValues, type FromCompare, type Side, sides, type ToCompare } from '../preview/compareMessages.ts';
import { createCompareTransport, type TransportState } from '../preview/compareTransport.ts';
import type { PanelNotice } from '../preview/previewMessages.ts';
import { element, icon, setText } from './shared/webviewElement.ts';
import { noticeElement } from './shared/webviewNotice.ts';
import { currentTheme, followTheme } from './shared/webviewTheme.ts';
import './compare.css';

declare function acquireVsCodeApi(): { postMessage(message: FromCompare): void };
const editor = acquireVsCodeApi();

const playIcon = 'M4 2.5v11l9-5.5z';
const pauseIcon = 'M4 3h3v10H4zM9 3h3v10H9z';

type Frames = Extract<ToCompare, { type: 'frames' }>;
let shown: (Frames & { frames: Record<Side, HTMLIFrameElement> }) | undefined;

const selects = { left: createSelect('left'), right: createSelect('right') };
const play = element('button', { type: 'button', className: 'play' });
const slider = element('input', { type: 'range', min: '0', step: '1' });
const time = element('output');
/** Frames per second of the longer video. */
let fps = 1;
const transport = createCompareTransport(toPage, showTransport);

play.addEventListener('click', transport.togglePlay);
slider.addEventListener('input', () => transport.seek(Number(slider.value) / fps));

window.addEventListener('message', ({ data, source, origin }: MessageEvent) => {
  const side = sides.find((one) => source !== null && source === shown?.frames[one].contentWindow);
  if (!side) return fromEditor(data);
  if (origin === shown?.origin && data?.framework === 'preview') fromPage(side, data);
});
window.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
  const actions: Record<string, () => void> = {
    ' ': transport.togglePlay,
    ArrowLeft: () => transport.step(-1),
    ArrowRight: () => transport.step(1),
    Home: () => transport.seek(0),
    End: () => transport.seek(Number.POSITIVE_INFINITY),
  };
  const action = actions[event.key];
  if (!action || (event.key === ' ' && event.target === play)) return;
  event.preventDefault();
  action();
});
// Hidden pages pause by themselves.
document.addEventListener('visibilitychange', () => document.hidden && transport.pause());
editor.postMessage({ type: 'ready' });

function createSelect(side: Side): HTMLSelectElement {
  const select = element('select');
  select.addEventListener('change', () =>
    editor.postMessage({ type: 'choose', side, value: select.value as ComparedValues }),
  );
  return select;
}

function fromEditor(message: ToCompare): void {
  if (message.type === 'frames') showFrames(message);
  if (message.type === 'notice') showNotice(message.notice);
  if (message.type !== 'choices') return;
  for (const side of sides) {
    const options = message.choices.map(({ value, label }) => element('option', { value, textContent: label }));
    selects[side].replaceChildren(...options);
    selects[side].value = message.chosen[side];
  }
}

function fromPage(side: Side, message: FromPage): void {
  if (message.type === 'loaded') {
    shown?.frames[side].classList.add('loaded');
    toPage(side, currentTheme());
    if (shown) toPage(side, { framework: 'preview', type: 'strings', texts: shown.texts });
  }
  if (message.type === 'shown') transport.shown(side);
  if (message.type === 'state') transport.update(side, message.state);
  // VS Code handles keyboard shortcuts in this document, not in the frames.
  if (message.type === 'key') window.dispatchEvent(new KeyboardEvent('keydown', { ...message.key, bubbles: true }));
  if (message.type === 'reveal' || message.type === 'open') editor.postMessage({ type: 'page', message });
}

function toPage(side: Side, message: ToPage): void {
  if (shown) shown.frames[side].contentWindow?.postMessage(message, shown.origin);
}

function showFrames(message: Frames): void {
  const { strings, urls } = message;
  const createFrame = (side: Side) => {
    const frame = element('iframe', { src: urls[side], title: strings[side] });
    frame.allow = 'autoplay';
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    selects[side].setAttribute('aria-label', strings[side]);
    return frame;
  };
  const frames = { left: createFrame('left'), right: createFrame('right') };
  shown = { ...message, frames };
  slider.setAttribute('aria-label', strings.time);
  showPlaying(false);
  const columns = sides.map((side) => element('section', {}, element('header', {}, selects[side]), frames[side]));
  document.body.replaceChildren(element('main', {}, ...columns), element('footer', {}, play, slider, time));
}

function showPlaying(playing: boolean): void {
  const label = (playing ? shown?.strings.pause : shown?.strings.play) ?? '';
  if (play.title === label) return;
  play.title = label;
  play.setAttribute('aria-label', label);
  play.replaceChildren(icon(playing ? pauseIcon : playIcon));
}

function showTransport({ playing, time: seconds, duration, frame, frames }: TransportState): void {
  showPlaying(playing);
  slider.max = String(frames - 1);
  fps = frames / duration;
  slider.value = String(frame);
  slider.style.setProperty('--part', `${(100 * frame) / Math.max(1, frames - 1)}%`);
  setText(time, `${seconds.toFixed(2)} / ${duration.toFixed(2)} s`);
  slider.setAttribute('aria-valuetext', time.textContent ?? '');
}

function showNotice(notice: PanelNotice): void {
  shown = undefined;
  document.body.replaceChildren(noticeElement(notice, () => editor.postMessage({ type: 'action' })));
}

followTheme(() => {
  for (const side of sides) toPage(side, currentTheme());
});

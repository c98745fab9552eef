// The script of the preview panel. It shows the preview's page in a frame or a message instead, forwards messages, and sends
// the theme colors to the page.
import type { FromPage, ToPage } from '../../preview/messages.ts';
import type { FromPanel, PanelNotice, SavedPanel, ToPanel } from '../preview/previewMessages.ts';
import { element } from './shared/webviewElement.ts';
import { noticeElement } from './shared/webviewNotice.ts';
import { currentTheme, followTheme } from './shared/webviewTheme.ts';
import './preview.css';

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void; setState(state: SavedPanel): void };
const editor = acquireVsCodeApi();

/** Time for the page to load, in milliseconds. After it, the failure message is shown. */
const timeoutMs = 15_000;

let frame: { element: HTMLIFrameElement; origin: string; isLoaded: boolean } | undefined;

window.addEventListener('message', ({ data, source, origin }: MessageEvent) => {
  if (source !== null && source === frame?.element.contentWindow) {
    if (origin === frame.origin && isFromPage(data)) fromPage(data);
    return;
  }
  fromEditor(data);
});
editor.postMessage({ type: 'ready' });

function isFromPage(data: unknown): data is FromPage {
  return typeof data === 'object' && data !== null && 'framework' in data && data.framework === 'preview';
}

function fromEditor(message: ToPanel): void {
  if (message.type === 'frame') showFrame(message);
  if (message.type === 'notice') showNotice(message.notice);
  if (message.type === 'saveState') editor.setState(message.state);
  if (message.type === 'page') toPage(message.message);
}

function fromPage(message: FromPage): void {
  if (message.type === 'loaded') {
    if (frame) frame.isLoaded = true;
    document.body.classList.remove('waiting');
    sendTheme();
  }
  // VS Code handles keyboard shortcuts in this document, not in the frame.
  if (message.type === 'key') window.dispatchEvent(new KeyboardEvent('keydown', { ...message.key, bubbles: true }));
  else editor.postMessage({ type: 'page', message });
}

function toPage(message: ToPage): void {
  // VS Code marks its own setting for reduced motion, which the page in the frame cannot see.
  if (message.type === 'playOnce' && document.body.classList.contains('vscode-reduce-motion')) return;
  frame?.element.contentWindow?.postMessage(message, frame.origin);
}

function showFrame({ url, origin, title, failed }: Extract<ToPanel, { type: 'frame' }>): void {
  const iframe = element('iframe', { src: url, title });
  iframe.allow = 'autoplay; fullscreen';
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-pointer-lock');
  const shown = { element: iframe, origin, isLoaded: false };
  frame = shown;
  document.body.classList.add('waiting');
  document.body.replaceChildren(iframe);
  setTimeout(() => {
    if (frame === shown && !shown.isLoaded) showNotice(failed);
  }, timeoutMs);
  // The page gets the keyboard focus together with the panel.
  window.addEventListener('focus', () => iframe.contentWindow?.focus());
}

function showNotice(notice: PanelNotice): void {
  const hadFocus = document.hasFocus() && document.activeElement === frame?.element;
  frame = undefined;
  document.body.classList.remove('waiting');
  document.body.replaceChildren(
    noticeElement(notice, () => notice.button && editor.postMessage({ type: 'action', action: notice.button.action })),
  );
  if (hadFocus) document.querySelector('button')?.focus();
}

const sendTheme = () => toPage(currentTheme());
followTheme(sendTheme);

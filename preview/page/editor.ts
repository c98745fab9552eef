// Communication with the editor that embeds the page: messages in both directions, and its theme.
import type { FromPage, ToPage } from '../messages.ts';

export type WithoutName<Message> = Message extends unknown ? Omit<Message, 'framework'> : never;

/** Whether the page is embedded in a frame. */
export const isFramed = parent !== window;

export function postToEditor(message: WithoutName<FromPage>): void {
  // The origin of the parent is not known. It knows the page's secret URL, so it may receive the messages.
  if (isFramed) parent.postMessage({ framework: 'preview', ...message }, '*');
}

/** Forwards a key that the page does not use to the editor: function keys and keys with Ctrl, Alt or Meta, or all keys. */
export function forwardKey(event: KeyboardEvent, all = false): void {
  const { key, code, keyCode, ctrlKey, shiftKey, altKey, metaKey, repeat } = event;
  if (event.defaultPrevented || !(all || ctrlKey || altKey || metaKey || /^F\d+$/.test(key))) return;
  postToEditor({ type: 'key', key: { key, code, keyCode, ctrlKey, shiftKey, altKey, metaKey, repeat } });
}

/** Receives messages from the parent only. */
export function listenToEditor(onMessage: (message: ToPage) => void): void {
  window.addEventListener('message', ({ source, data }: MessageEvent<ToPage | undefined>) => {
    if (isFramed && source === parent && data?.framework === 'preview') onMessage(data);
  });
}

export function setTheme({ kind, variables }: { kind: string; variables: Record<string, string> }): void {
  const { documentElement } = document;
  documentElement.dataset.kind = kind;
  for (const [name, value] of Object.entries(variables)) {
    if (name.startsWith('--vscode-')) documentElement.style.setProperty(name, value);
  }
}

/** Uses the color scheme of the system. For pages that are not embedded. */
export function followSystemTheme(): void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const set = () => {
    const kind = contrast.matches
      ? light.matches
        ? 'high-contrast-light'
        : 'high-contrast'
      : light.matches
        ? 'light'
        : 'dark';
    document.documentElement.dataset.kind = kind;
  };
  for (const query of [light, contrast]) query.addEventListener('change', set);
  set();
}

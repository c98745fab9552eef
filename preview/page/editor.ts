// The editor around the page, if there is one: messages in both directions, and its theme.
import type { FromPage, ToPage } from '../preview/messages.ts';

type WithoutName<Message> = Message extends unknown ? Omit<Message, 'framework'> : never;

/** Whether the page stands in somebody's frame. */
export const isFramed = parent !== window;

export function tellEditor(message: WithoutName<FromPage>): void {
  // Whoever put the page here knows its secret address; where that stands is not for the page to know.
  if (isFramed) parent.postMessage({ framework: 'preview', ...message }, '*');
}

/** Hands a key that nobody here has taken to the editor: with Ctrl, Alt or Meta, or of the row above the digits. */
export function passOn(event: KeyboardEvent): void {
  const { key, code, keyCode, ctrlKey, shiftKey, altKey, metaKey, repeat } = event;
  if (event.defaultPrevented || !(ctrlKey || altKey || metaKey || /^F\d+$/.test(key))) return;
  tellEditor({ type: 'key', key: { key, code, keyCode, ctrlKey, shiftKey, altKey, metaKey, repeat } });
}

/** Listens to the parent alone. */
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

/** Alone in a browser, the page is as dark as everything else there. */
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

// Sends the theme of the editor to pages of the preview in frames. Runs in webviews.
import type { ToPage } from '../../../preview/messages.ts';

export type Theme = Extract<ToPage, { type: 'theme' }>;

/** VS Code sets the theme colors as variables of the root element and the kind of theme as a class of the body. */
export function currentTheme(): Theme {
  const { style } = document.documentElement;
  const names = [...style].filter((name) => name.startsWith('--vscode-'));
  const variables = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
  const kinds: [string, Theme['kind']][] = [
    ['vscode-high-contrast-light', 'high-contrast-light'],
    ['vscode-high-contrast', 'high-contrast'],
    ['vscode-light', 'light'],
  ];
  const kind = kinds.find(([name]) => document.body.classList.contains(name))?.[1] ?? 'dark';
  return { framework: 'preview', type: 'theme', kind, variables };
}

/** Calls `onTheme` for every change. */
export function followTheme(onTheme: () => void): void {
  const themes = new MutationObserver(onTheme);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}

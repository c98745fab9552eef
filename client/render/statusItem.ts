// The entry of the status bar while something renders: how far it is, and the way to the list.
import { type Disposable, l10n, MarkdownString, StatusBarAlignment, window } from 'vscode';
import { statusText } from './statusText.ts';

export type StatusItem = Disposable & { show(running: readonly { name: string; percent: number }[]): void };

export function createStatusItem(): StatusItem {
  const item = window.createStatusBarItem('framework.rendering', StatusBarAlignment.Left);
  item.name = l10n.t('Framework Renders');
  item.command = 'framework.renders.focus';
  return {
    show(running) {
      if (running.length === 0) return item.hide();
      const text = statusText(running);
      item.text = `$(loading~spin) ${text}`;
      item.accessibilityInformation = { label: text };
      const lines = running.map(({ name, percent }) => l10n.t('{0}: {1} %', name, Math.floor(percent)));
      item.tooltip = new MarkdownString().appendText([...lines, l10n.t('Click to show the renders.')].join('\n'));
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

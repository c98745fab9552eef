// The status bar item with the progress of the running renders. A click shows the Videos view.
import { type Disposable, l10n, MarkdownString, StatusBarAlignment, window } from 'vscode';

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

/** One render is shown by name, several by their number. The percentage is the average. */
export function statusText(running: readonly { name: string; percent: number }[]): string {
  const percent = Math.floor(running.reduce((sum, job) => sum + job.percent, 0) / running.length);
  const [first] = running;
  return running.length === 1 && first
    ? l10n.t('Rendering {0}: {1} %', first.name, percent)
    : l10n.t('{0} renders: {1} %', running.length, percent);
}

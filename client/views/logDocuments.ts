// What was said on the way of a render, as a document that nobody can change and that grows with it.
import { type Disposable, EventEmitter, l10n, Uri, window, workspace } from 'vscode';
import type { RenderEntry, RenderHistory } from '../render/history.ts';

export type LogDocuments = Disposable & { show(entryId: string): Promise<void> };

const scheme = 'framework-log';

export function createLogDocuments(history: RenderHistory): LogDocuments {
  const changed = new EventEmitter<Uri>();
  const find = (id: string) => history.entries().find((entry) => entry.id === id);
  const uriOf = ({ id, name }: RenderEntry) =>
    Uri.from({ scheme, path: `/${name.replaceAll(/[\\/?#]/g, '_')}.log`, query: id });
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent({ query }) {
      const entry = find(query);
      return entry ? logText(entry) : l10n.t('This render is no longer in the list.');
    },
  });
  const listening = history.onDidChange((entry) => entry && changed.fire(uriOf(entry)));
  return {
    async show(entryId) {
      const entry = find(entryId);
      if (!entry) return;
      const document = await workspace.openTextDocument(uriOf(entry));
      await window.showTextDocument(document, { preview: true });
    },
    dispose() {
      for (const owned of [changed, provider, listening]) owned.dispose();
    },
  };
}

/** The error stands at the end, where one looks for it. */
export function logText({ name, startedAt, log, error, output, remoteId }: RenderEntry): string {
  const head = [name, new Date(startedAt).toLocaleString(), ...(remoteId === undefined ? [] : [remoteId])].join(', ');
  const isSaid = error === undefined || log.some((line) => line.includes(error));
  const end = [...(isSaid ? [] : [error]), ...(output === undefined ? [] : [output])];
  return `${[head, '', ...log, ...end].join('\n')}\n`;
}

// The logs of renders as read-only documents, which are updated while the render runs.
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

/** The error is the last line. */
export function logText({ name, startedAt, log, error, output, remoteId }: RenderEntry): string {
  const head = [name, new Date(startedAt).toLocaleString(), ...(remoteId === undefined ? [] : [remoteId])].join(', ');
  const isLogged = error === undefined || log.some((line) => line.includes(error));
  const end = [...(isLogged ? [] : [error]), ...(output === undefined ? [] : [output])];
  return `${[head, '', ...log, ...end].join('\n')}\n`;
}

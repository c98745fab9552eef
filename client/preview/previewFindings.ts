// What a check has found, drawn over the preview of its composition until a file of the project changes.
import { Disposable, RelativePattern, Uri, workspace } from 'vscode';
import type { CheckFinding } from '../../renderer-core/check/checkReport.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { DraftValues } from '../compositions/draftValues.ts';
import type { PreviewPanel } from './previewPanel.ts';
import { isProjectFile, pathInProject } from './projectFiles.ts';

export type PreviewFindings = Disposable & {
  /** Replaces the findings of a composition, and draws those that are not about a row. */
  set(composition: CompositionInfo, findings: readonly CheckFinding[]): void;
  /** The preview shows the values of a row now. */
  showRow(compositionUri: string, row: number): void;
  /** The page of a preview is loaded. */
  send(preview: Pick<PreviewPanel, 'composition' | 'post'>): void;
};

type Found = {
  composition: CompositionInfo;
  findings: readonly CheckFinding[];
  /** The row whose values are shown; null: the values of the check; undefined: others, for which nothing is known. */
  row: number | null | undefined;
  watcher: Disposable;
};

export function createPreviewFindings(
  values: Pick<DraftValues, 'onDidChange'>,
  panelOf: (compositionUri: string) => Pick<PreviewPanel, 'composition' | 'post'> | undefined,
): PreviewFindings {
  const all = new Map<string, Found>();
  const send: PreviewFindings['send'] = (preview) => {
    const checked = preview.composition();
    const { findings = [], row, composition = checked } = all.get(checked.uri) ?? {};
    const { width, height } = composition;
    const drawn = findings.filter((finding) => finding.row === row);
    preview.post({ framework: 'preview', type: 'findings', findings: drawn, width, height });
  };
  const change = (uri: string, found: Found | undefined): void => {
    if (found) all.set(uri, found);
    else all.delete(uri);
    const preview = panelOf(uri);
    if (preview) send(preview);
  };
  const discard = (uri: string): void => {
    all.get(uri)?.watcher.dispose();
    if (all.has(uri)) change(uri, undefined);
  };
  const showRow = (uri: string, row: Found['row']): void => {
    const found = all.get(uri);
    if (found) change(uri, { ...found, row });
  };
  const onChange = (file: Uri): void => {
    for (const { composition } of [...all.values()]) {
      const path = pathInProject(composition.projectUri, file);
      if (path !== undefined && isProjectFile(path)) discard(composition.uri);
    }
  };
  const subscriptions = Disposable.from(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) onChange(document.uri);
    }),
    values.onDidChange((changed) => {
      for (const uri of [...all.keys()]) if (Uri.parse(uri).toString() === changed.toString()) showRow(uri, undefined);
    }),
  );
  return {
    set(composition, findings) {
      discard(composition.uri);
      if (findings.length === 0) return;
      const files = new RelativePattern(Uri.parse(composition.projectUri), '**/*');
      const watcher = workspace.createFileSystemWatcher(files);
      for (const on of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) on(onChange);
      change(composition.uri, { composition, findings, row: null, watcher });
    },
    showRow,
    send,
    dispose() {
      subscriptions.dispose();
      for (const { watcher } of all.values()) watcher.dispose();
    },
  };
}

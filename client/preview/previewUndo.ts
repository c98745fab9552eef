// Undo and redo in previews: one history for all edits of the preview and of the form, in the order in which they were made.
import { type Disposable, l10n, Uri, workspace } from 'vscode';
import type { ClipChange, FromPage } from '../../preview/messages.ts';
import type { Values } from '../compositions/draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { FileEdit } from '../language/workspaceEdit.ts';
import { undoEdit } from './clipEdits.ts';
import { changedIds, createEditHistory, type EditHistory, isValues, type ValuesStep } from './editHistory.ts';
import type { PreviewPanel } from './previewPanel.ts';

export type PreviewUndo = Disposable & {
  /** Follows the values of a new preview. */
  add(preview: PreviewPanel): void;
  remove(preview: PreviewPanel): void;
  /** An edit of a file that was made in a preview. */
  record(preview: PreviewPanel, label: string, edit: FileEdit): void;
  /** Undoes or redoes the last edit, and says in the preview what it was. */
  run(preview: PreviewPanel, redo: boolean): Promise<void>;
};

/** `values`: the draft values after the last step. */
type Followed = { history: EditHistory; values: Values };

export function createPreviewUndo({ values: drafts, now }: Pick<ExtensionServices, 'values' | 'now'>): PreviewUndo {
  const all = new Map<PreviewPanel, Followed>();
  const uriOf = (preview: PreviewPanel) => Uri.parse(preview.composition().uri);
  const following = drafts.onDidChange((changed) => {
    for (const [preview, followed] of all) {
      if (uriOf(preview).toString() !== changed.toString()) continue;
      const [before, after] = [followed.values, drafts.get(changed)];
      const ids = changedIds(before, after);
      if (ids.length === 0) continue;
      followed.values = after;
      followed.history.add({ label: valuesLabel(ids), before, after, at: now() });
    }
  });
  const undoValues = (preview: PreviewPanel, followed: Followed, step: ValuesStep, redo: boolean): string => {
    followed.history.move(redo);
    followed.values = redo ? step.after : step.before;
    drafts.set(uriOf(preview), followed.values);
    return step.label;
  };
  return {
    add: (preview) => void all.set(preview, { history: createEditHistory(), values: drafts.get(uriOf(preview)) }),
    remove: (preview) => void all.delete(preview),
    record(preview, label, { edited }) {
      if (edited) all.get(preview)?.history.add({ label, ...edited });
    },
    async run(preview, redo) {
      const followed = all.get(preview);
      const step = followed?.history.next(redo);
      const label =
        followed && step && isValues(step)
          ? undoValues(preview, followed, step, redo)
          : await undoFile(preview, followed?.history, redo);
      const shown =
        label === undefined ? nothing(redo) : redo ? l10n.t('Redone: {0}', label) : l10n.t('Undone: {0}', label);
      preview.post({ framework: 'preview', type: 'undone', text: shown });
    },
    dispose: () => following.dispose(),
  };
}

const nothing = (redo: boolean): string =>
  redo ? l10n.t('There is nothing to redo.') : l10n.t('There is nothing to undo.');

/** Undoes the last edit of the next step's file. Undefined if nothing has changed. The text may have been edited since that step. */
async function undoFile(
  preview: PreviewPanel,
  history: EditHistory | undefined,
  redo: boolean,
): Promise<string | undefined> {
  const next = history?.next(redo);
  const step = next && !isValues(next) ? next : undefined;
  const composition = preview.composition();
  const file = Uri.parse(step?.file ?? composition.uri);
  const { before, after } = await undoEdit(composition, file, redo, () => preview.panel.reveal(undefined, false));
  const isStep = step && before === (redo ? step.before : step.after) && after === (redo ? step.after : step.before);
  if (isStep) history?.move(redo);
  if (step && before === after) history?.forget(redo);
  if (before === after) return undefined;
  return isStep ? step.label : l10n.t('the last edit of {0}', workspace.asRelativePath(file, false));
}

export function clipLabel({ startBy, duration, track }: ClipChange): string {
  if (duration !== undefined) return l10n.t('clip trimmed');
  if (track !== undefined && !startBy) return l10n.t('track of a clip changed');
  return l10n.t('clip moved');
}

export function changeLabel(message: Extract<FromPage, { type: 'changeText' | 'changePart' | 'addVariable' }>): string {
  if (message.type === 'addVariable') return l10n.t('variable added');
  if (message.type === 'changeText' || message.part.name === 'text') return l10n.t('text changed');
  return message.part.name === 'image' ? l10n.t('image changed') : l10n.t('color changed');
}

const valuesLabel = (ids: readonly string[]): string =>
  ids.length === 1 ? l10n.t('value of {0} changed', ids[0] ?? '') : l10n.t('values of {0} changed', ids.join(', '));

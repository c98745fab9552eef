// The edits that the user makes in the page of a preview, and how they are undone.
import { l10n, Uri, window, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../compositions/draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { editClip, undoEdit } from './clipEdits.ts';
import type { PreviewPanel } from './previewPanel.ts';
import { showsTyping } from './previewProcess.ts';
import type { PreviewServers } from './previewServers.ts';
import { type Changed, changeText, findText } from './textEdits.ts';

export type EditContext = {
  services: ExtensionServices;
  servers: PreviewServers;
  /** What a preview has edited last: a file, or draft values, with what undo restores. */
  lastEdits: WeakMap<PreviewPanel, string | { other: Values }>;
};

type Message<Type> = Extract<FromPage, { type: Type }>;
type Change = Message<'changeText' | 'changePart' | 'addVariable'>;

/** Ignores messages that are not about edits. */
export async function receiveEdit(preview: PreviewPanel, message: FromPage, context: EditContext): Promise<void> {
  const { services, lastEdits } = context;
  const composition = preview.composition();
  const reportError = (error: unknown) => {
    services.log.error(`${error}`);
    preview.post({ framework: 'preview', type: 'textEdited', reason: `${error}` });
  };
  switch (message.type) {
    case 'editClip': {
      lastEdits.set(preview, message.file);
      const reason = await editClip(composition, message, services);
      preview.post({ framework: 'preview', type: 'edited', reason });
      return showEdit(composition, message.file, context);
    }
    case 'findText': {
      const found = await findText(composition, message.text, services);
      return preview.post({ framework: 'preview', type: 'foundText', found });
    }
    case 'findParts':
      return sendParts(preview, message, services).catch(reportError);
    case 'changeText':
    case 'changePart':
    case 'addVariable':
      return change(preview, message, context).catch(reportError);
    case 'undo':
      return undo(preview, message.redo, context);
  }
}

async function sendParts(preview: PreviewPanel, { element }: Message<'findParts'>, services: ExtensionServices) {
  // Loaded lazily, because it is rarely used.
  const { findParts } = await import('./partEdits.ts');
  const found = await findParts(preview.composition(), element, services);
  preview.post({ framework: 'preview', type: 'foundParts', ...found });
}

async function change(preview: PreviewPanel, message: Change, context: EditContext): Promise<void> {
  const { services, lastEdits } = context;
  const composition = preview.composition();
  const before = services.values.get(Uri.parse(composition.uri));
  const { reason, file } = await applied(composition, message, services);
  const isCancelled = message.type === 'addVariable' && file === undefined;
  if (reason === null && !isCancelled) lastEdits.set(preview, file ?? { other: before });
  preview.post({ framework: 'preview', type: 'textEdited', reason });
  // The prompt for the name has taken the focus.
  if (message.type === 'addVariable') preview.panel.reveal(undefined, false);
  const shown = message.type === 'changeText' ? message.text : message.element;
  await showEdit(composition, file ?? shown.file, context);
}

async function applied(composition: CompositionInfo, message: Change, services: ExtensionServices): Promise<Changed> {
  if (message.type === 'changeText') return changeText(composition, message, services);
  const { addPartVariable, changePart } = await import('./partEdits.ts');
  return message.type === 'changePart'
    ? changePart(composition, message, services)
    : addPartVariable(composition, message, services);
}

async function undo(preview: PreviewPanel, redo: boolean, { services, lastEdits }: EditContext): Promise<void> {
  const composition = preview.composition();
  const last = lastEdits.get(preview) ?? composition.path;
  if (typeof last === 'string') return undoEdit(composition, last, redo, () => preview.panel.reveal(undefined, false));
  const uri = Uri.parse(composition.uri);
  lastEdits.set(preview, { other: services.values.get(uri) });
  services.values.set(uri, last.other);
}

/**
 * An edit of the preview is shown, and its next one has the offsets of the current text, also if typing is not shown. Never
 * rejects: the text has been edited.
 */
async function showEdit(
  { projectUri }: CompositionInfo,
  file: string,
  { services, servers }: EditContext,
): Promise<void> {
  try {
    const document = await workspace.openTextDocument(Uri.joinPath(Uri.parse(projectUri), file));
    if (document.isDirty && !showsTyping()) servers.showText(projectUri, file, document.getText());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    services.log.error(`The preview could not show the edit of ${file}: ${reason}`);
    void window.showErrorMessage(l10n.t('The preview could not show the edit of {0}: {1}', file, reason));
  }
}

// The edits that the user makes in the page of a preview.
import { l10n, Uri, window, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { editClip } from './clipEdits.ts';
import type { PreviewPanel } from './previewPanel.ts';
import { showsTyping } from './previewProcess.ts';
import type { PreviewServers } from './previewServers.ts';
import { changeLabel, clipLabel, type PreviewUndo } from './previewUndo.ts';
import { type Changed, changeText, findText } from './textEdits.ts';

export type EditContext = {
  services: ExtensionServices;
  servers: PreviewServers;
  undo: PreviewUndo;
};

type Message<Type> = Extract<FromPage, { type: Type }>;
type Change = Message<'changeText' | 'changePart' | 'addVariable'>;

/** Ignores messages that are not about edits. */
export async function receiveEdit(preview: PreviewPanel, message: FromPage, context: EditContext): Promise<void> {
  const { services } = context;
  const composition = preview.composition();
  const reportError = (error: unknown) => {
    services.log.error(`${error}`);
    preview.post({ framework: 'preview', type: 'textEdited', reason: `${error}` });
  };
  switch (message.type) {
    case 'editClip': {
      const edit = await editClip(composition, message, services);
      context.undo.record(preview, clipLabel(message.change), edit);
      preview.post({ framework: 'preview', type: 'edited', reason: edit.reason });
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
      return context.undo.run(preview, message.redo);
  }
}

async function sendParts(preview: PreviewPanel, { element }: Message<'findParts'>, services: ExtensionServices) {
  // Loaded lazily, because it is rarely used.
  const { findParts } = await import('./partEdits.ts');
  const found = await findParts(preview.composition(), element, services);
  preview.post({ framework: 'preview', type: 'foundParts', ...found });
}

async function change(preview: PreviewPanel, message: Change, context: EditContext): Promise<void> {
  const { services } = context;
  const composition = preview.composition();
  const { file, ...edit } = await applied(composition, message, services);
  context.undo.record(preview, changeLabel(message), edit);
  preview.post({ framework: 'preview', type: 'textEdited', reason: edit.reason });
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

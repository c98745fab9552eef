// The edits that the user makes in the page of a preview, and how they are undone.
import { Uri, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { editClip, undoEdit } from './clipEdits.ts';
import type { PreviewPanel } from './previewPanel.ts';
import { showsTyping } from './previewProcess.ts';
import type { PreviewServers } from './previewServers.ts';
import { changeText, findText } from './textEdits.ts';

export type EditContext = {
  services: ExtensionServices;
  servers: PreviewServers;
  /** What a preview has edited last: a file, or draft values, with what undo restores. */
  lastEdits: WeakMap<PreviewPanel, string | { other: Values }>;
};

type Message<Type> = Extract<FromPage, { type: Type }>;
type PartMessage = Message<'findParts' | 'changePart' | 'addVariable'>;

/** Ignores messages that are not about edits. */
export function receiveEdit(preview: PreviewPanel, message: FromPage, context: EditContext): void {
  const logError = (error: unknown) => context.services.log.error(`${error}`);
  if (message.type === 'editClip') void onClip(preview, message, context);
  if (message.type === 'findText')
    void findText(preview.composition(), message.text, context.services).then((found) =>
      preview.post({ framework: 'preview', type: 'foundText', found }),
    );
  if (message.type === 'changeText') void onText(preview, message, context);
  if (message.type === 'findParts' || message.type === 'changePart' || message.type === 'addVariable')
    onPart(preview, message, context).catch((error) => {
      logError(error);
      preview.post({ framework: 'preview', type: 'textEdited', reason: `${error}` });
    });
  if (message.type === 'undo') undo(preview, message.redo, context).catch(logError);
}

async function onClip(preview: PreviewPanel, message: Message<'editClip'>, context: EditContext): Promise<void> {
  const composition = preview.composition();
  context.lastEdits.set(preview, message.file);
  const reason = await editClip(composition, message, context.services);
  preview.post({ framework: 'preview', type: 'edited', reason });
  await showEdit(composition, message.file, context);
}

async function onText(preview: PreviewPanel, message: Message<'changeText'>, context: EditContext): Promise<void> {
  const { services, lastEdits } = context;
  const composition = preview.composition();
  const before = services.values.get(Uri.parse(composition.uri));
  const { reason, file } = await changeText(composition, message, services);
  if (reason === null) lastEdits.set(preview, file ?? { other: before });
  preview.post({ framework: 'preview', type: 'textEdited', reason });
  await showEdit(composition, file ?? message.text.file, context);
}

async function onPart(preview: PreviewPanel, message: PartMessage, context: EditContext): Promise<void> {
  // Loaded lazily, because it is rarely used.
  const { addPartVariable, changePart, findParts } = await import('./partEdits.ts');
  const { services, lastEdits } = context;
  const composition = preview.composition();
  if (message.type === 'findParts') {
    const found = await findParts(composition, message.element, services);
    return preview.post({ framework: 'preview', type: 'foundParts', ...found });
  }
  const before = services.values.get(Uri.parse(composition.uri));
  const isChange = message.type === 'changePart';
  const { reason, file } = isChange
    ? await changePart(composition, message, services)
    : await addPartVariable(composition, message, services);
  if (reason === null && (isChange || file !== undefined)) lastEdits.set(preview, file ?? { other: before });
  preview.post({ framework: 'preview', type: 'textEdited', reason });
  // The prompt for the name has taken the focus.
  if (!isChange) preview.panel.reveal(undefined, false);
  await showEdit(composition, file ?? message.element.file, context);
}

async function undo(preview: PreviewPanel, redo: boolean, { services, lastEdits }: EditContext): Promise<void> {
  const composition = preview.composition();
  const last = lastEdits.get(preview) ?? composition.path;
  if (typeof last === 'string') return undoEdit(composition, last, redo, () => preview.panel.reveal(undefined, false));
  const uri = Uri.parse(composition.uri);
  lastEdits.set(preview, { other: services.values.get(uri) });
  services.values.set(uri, last.other);
}

/** An edit of the preview is shown, and its next one has the offsets of the current text, also if typing is not shown. */
async function showEdit({ projectUri }: CompositionInfo, file: string, { servers }: EditContext): Promise<void> {
  const document = await workspace.openTextDocument(Uri.joinPath(Uri.parse(projectUri), file));
  if (document.isDirty && !showsTyping()) servers.showText(projectUri, file, document.getText());
}

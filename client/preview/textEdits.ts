// Texts that are edited in the preview: literal text in a file, or values of variables.
import { l10n, Uri } from 'vscode';
import type { FoundText, FromPage, PreviewText } from '../../preview/messages.ts';
import type { CompositionInfo, ServerRequests } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { withValue } from '../form/formModel.ts';
import { applyFileEdits, type FileEdit } from '../language/workspaceEdit.ts';
import { pathInProject } from './projectFiles.ts';

type TextChange = NonNullable<ServerRequests['framework/changeText']['result']>;

/** `file`: the changed file, in the project; absent for a draft value. */
export type Changed = FileEdit & { file?: string };

export async function findText(
  composition: CompositionInfo,
  text: PreviewText,
  services: ExtensionServices,
): Promise<FoundText> {
  const notFound = { reason: l10n.t('{0} is not a composition.', text.file) };
  try {
    return (await services.server.request('framework/findText', requestOf(composition, text, services))) ?? notFound;
  } catch (error) {
    services.log.error(`The text was not found: ${error}`);
    return notFound;
  }
}

/** Changes the text in one undo step, without saving the file, or sets the draft value. */
export async function changeText(
  composition: CompositionInfo,
  { text, value }: Extract<FromPage, { type: 'changeText' }>,
  services: ExtensionServices,
): Promise<Changed> {
  const failed = { reason: l10n.t('{0} could not be edited.', text.file) };
  try {
    const parameters = { ...requestOf(composition, text, services), value };
    const found = await services.server.request('framework/changeText', parameters);
    if (!found) return failed;
    if ('reason' in found) return found;
    return await applyChange(composition, text.file, found, services);
  } catch (error) {
    services.log.error(`The text was not edited: ${error}`);
    return failed;
  }
}

/** `file`: the name of the file in messages, if it is not in the project. */
export async function applyChange(
  { uri, projectUri, variables }: CompositionInfo,
  file: string,
  change: Exclude<TextChange, { reason: string }>,
  { values }: ExtensionServices,
): Promise<Changed> {
  if ('draft' in change) {
    const { id, value } = change.draft;
    values.set(Uri.parse(uri), withValue(variables, values.get(Uri.parse(uri)), id, value));
    return { reason: null };
  }
  const target = Uri.parse(change.uri);
  const path = pathInProject(projectUri, target) ?? file;
  return { ...(await applyFileEdits(target, path, change)), file: path };
}

/** A request about what the preview shows of a file. */
export function requestOf<Shown extends { file: string }>(
  { uri, projectUri }: CompositionInfo,
  { file, ...shown }: Shown,
  { values }: ExtensionServices,
) {
  const drafts = { ...values.get(Uri.parse(uri)) };
  return { uri: Uri.joinPath(Uri.parse(projectUri), file).toString(), request: { ...shown, drafts } };
}

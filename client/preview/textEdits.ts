// Texts that are edited in the preview: literal text in a file, or values of variables.
import { l10n, Uri } from 'vscode';
import type { FoundText, FromPage, PreviewText } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { withValue } from '../form/formModel.ts';
import { applyFileEdits } from '../workspaceEdit.ts';
import { pathInProject } from './projectFiles.ts';

/** `file`: the changed file; absent for a draft value. */
type Changed = { reason: string | null; file?: string };

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
    if ('draft' in found) {
      const uri = Uri.parse(composition.uri);
      const { id, value: draft } = found.draft;
      services.values.set(uri, withValue(composition.variables, services.values.get(uri), id, draft));
      return { reason: null };
    }
    const uri = Uri.parse(found.uri);
    const file = pathInProject(composition.projectUri, uri) ?? text.file;
    return { reason: await applyFileEdits(uri, file, found), file };
  } catch (error) {
    services.log.error(`The text was not edited: ${error}`);
    return failed;
  }
}

function requestOf(
  { uri, projectUri }: CompositionInfo,
  { file, shown, hosts }: PreviewText,
  { values }: ExtensionServices,
) {
  const drafts = { ...values.get(Uri.parse(uri)) };
  return { uri: Uri.joinPath(Uri.parse(projectUri), file).toString(), request: { shown, hosts, drafts } };
}

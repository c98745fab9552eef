// The parts of elements that are changed in the popup of the preview: colors, images, and new variables.
import { l10n } from 'vscode';
import type { ElementPart, FromPage, MenuTexts, PartReference, PreviewElement } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { promptForId } from '../form/promptForId.ts';
import { applyChange, type Changed, requestOf } from './textEdits.ts';

export async function findParts(
  composition: CompositionInfo,
  element: PreviewElement,
  services: ExtensionServices,
): Promise<{ parts: ElementPart[]; texts: MenuTexts }> {
  const found = await services.server.request('framework/findParts', requestOf(composition, element, services));
  return { parts: found ?? [], texts: menuTexts() };
}

/** Changes the text in one undo step, without saving the file, or sets the draft value. */
export async function changePart(
  composition: CompositionInfo,
  { element, part, value }: Extract<FromPage, { type: 'changePart' }>,
  services: ExtensionServices,
): Promise<Changed> {
  const request = { ...requestOf(composition, element, services), part, value };
  const found = await services.server.request('framework/changePart', request);
  if (!found) return { reason: l10n.t('{0} could not be edited.', element.file) };
  return 'reason' in found ? found : applyChange(composition, element.file, found, services);
}

/** Asks for a name, and turns the part into a variable in one undo step. */
export async function addPartVariable(
  composition: CompositionInfo,
  { element, part }: Extract<FromPage, { type: 'addVariable' }>,
  services: ExtensionServices,
): Promise<Changed> {
  const find = (id?: string) => requestVariable(composition, element, part, services, id);
  const suggested = await find();
  if ('reason' in suggested) return suggested;
  const title = l10n.t('Add Variable');
  const problemOf = async (id: string) => {
    const found = await find(id);
    return 'reason' in found ? found.reason : undefined;
  };
  const id = await promptForId(title, problemOf, suggested.id);
  if (id === undefined) return { reason: null };
  const found = await find(id);
  return 'reason' in found ? found : applyChange(composition, element.file, found, services);
}

async function requestVariable(
  composition: CompositionInfo,
  element: PreviewElement,
  part: PartReference,
  services: ExtensionServices,
  id?: string,
) {
  const request = { ...requestOf(composition, element, services), part, ...(id === undefined ? {} : { id }) };
  const found = await services.server.request('framework/partVariable', request);
  return found ?? { reason: l10n.t('{0} could not be edited.', element.file) };
}

function menuTexts(): MenuTexts {
  return {
    text: l10n.t('Text'),
    image: l10n.t('Image'),
    color: l10n.t('Color'),
    'background-color': l10n.t('Background'),
    fill: l10n.t('Fill'),
    stroke: l10n.t('Stroke'),
    addVariable: l10n.t('Add Variable'),
    variable: l10n.t('variable {0}'),
    goTo: l10n.t('Go to Source'),
    none: l10n.t('Nothing here can be changed in the preview.'),
    notFound: l10n.t('No style of this file sets it.'),
    other: l10n.t('The frame shows another color: a script, an animation or another style sheet sets it.'),
  };
}

// The prompts for the size and aspect ratio of renders.

import { l10n, type QuickPickItem, window } from 'vscode';
import { given } from '../../renderer-core/model/variables/given.ts';
import { commonAspectRatios, fits, resolutions } from '../../renderer-core/plan/resolution.ts';
import type { SizeChoice } from './jobArguments.ts';

/** Undefined when the user cancels. */
export async function promptForSize(known: SizeChoice): Promise<SizeChoice | undefined> {
  const ratio = await pick(l10n.t('Aspect ratio of the video'), commonAspectRatios, known.aspectRatio);
  if (!ratio) return undefined;
  const aspectRatio = ratio.value;
  const shape = aspectRatio === undefined ? {} : await promptForShape(known);
  if (!shape) return undefined;
  const size = await pick(l10n.t('Pixels of the shorter side'), resolutions, known.resolution);
  if (!size) return undefined;
  const choice = { aspectRatio, ...shape, resolution: size.value };
  return given(choice);
}

async function promptForShape(known: SizeChoice): Promise<Pick<SizeChoice, 'fit' | 'background'> | undefined> {
  const details = {
    contain: l10n.t('The whole page, with bars'),
    cover: l10n.t('Fills the video; the rest of the page is cropped'),
    stretch: l10n.t('Distorts the page'),
  };
  const items = fits.map((label) => ({ label, description: details[label] }));
  const fit = await window.showQuickPick(marked(items, known.fit), { title: l10n.t('How the page fills the video') });
  if (fit?.label !== 'contain') return fit && { fit: fit.label };
  const background = await window.showInputBox({
    title: l10n.t('Color of the bars'),
    prompt: l10n.t("#rrggbb or the name of a CSS color. Leave empty to use the page's background."),
    value: known.background ?? '',
  });
  return background === undefined
    ? undefined
    : { fit: fit.label, ...(background.trim() && { background: background.trim() }) };
}

/** One of `values`, or the default of the composition. */
async function pick(title: string, values: readonly string[], known: string | undefined) {
  const items = values.map((value) => ({ label: value, value }));
  const own = { label: l10n.t('Same as the composition'), value: undefined };
  return window.showQuickPick<QuickPickItem & { value: string | undefined }>([own, ...marked(items, known)], { title });
}

/** Marks the current choice. */
const marked = <Item extends QuickPickItem>(items: readonly Item[], known: string | undefined): Item[] =>
  items.map((item) => (item.label === known ? { ...item, detail: l10n.t('Current choice') } : item));

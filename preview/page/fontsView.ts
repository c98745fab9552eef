// The list of fonts that the text of the composition uses, in a popover of the toolbar.
import type { PinnedFonts } from '../../renderer-core/page/features/pinnedFonts/pinnedFontsInPage.ts';
import { element } from './element.ts';
import type { Screen } from './screen.ts';
import { text, whenTexts } from './texts.ts';

export type FontsView = { root: HTMLElement; toggle(screen: Screen | undefined): void };

export function createFontsView(): FontsView {
  const title = element('strong');
  const list = element('ul');
  const root = element('section', { class: 'fonts', popover: 'auto' }, title, list);
  whenTexts(() => {
    title.textContent = text('fonts');
  });
  return {
    root,
    toggle(screen) {
      list.replaceChildren(...(screen ? rowsOf(screen) : []).map((row) => element('li', {}, ...row)));
      root.togglePopover();
    },
  };
}

/** A row for each family: its name, its weights and where it comes from. */
function rowsOf({ player, facts: { fonts } }: Screen): HTMLElement[][] {
  if (!fonts) return [[element('span', { class: 'hint' }, text('systemFonts'))]];
  const weights = new Map<string, Set<string>>();
  for (const { family, weight } of (player.handles.pinnedFonts as PinnedFonts)?.usedFaces() ?? [])
    weights.set(family, (weights.get(family) ?? new Set()).add(weight.replace(' ', '–')));
  return [...weights.keys()]
    .sort()
    .map((family) => [
      element('span', {}, family),
      element('span', { class: 'hint' }, [...(weights.get(family) ?? [])].sort().join(', ')),
      element('span', { class: 'hint' }, sourceOf(family, fonts)),
    ]);
}

function sourceOf(family: string, { substitutes, project }: NonNullable<Screen['facts']['fonts']>): string {
  const substitute = substitutes[family];
  if (substitute !== undefined) return substitute === family ? text('pinnedFont') : text('substitute', substitute);
  return text(project.includes(family.toLowerCase()) ? 'projectFont' : 'compositionFont');
}

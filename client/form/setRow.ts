// The row of the variables form that selects, saves and deletes named sets.
import { element, fill, icon } from '../webview/shared/webviewElement.ts';
import type { FormAction, FormSets } from './formMessages.ts';
import type { FormStrings } from './formStrings.ts';

type Events = { onOpen(): void; onChoose(name: string): void; onAction(action: FormAction): void };

const saveIcon = 'M2 2h9.4L14 4.6V14H2V2Zm1 1v10h1V8h8v5h1V5l-2-2v3H4V3H3Zm2 0v2h5V3H5Zm0 6v4h6V9H5Z';
const deleteIcon = 'M6 2h4v1h4v1h-1l-.7 10H3.7L3 4H2V3h4V2Zm-2 2 .6 9h6.8l.6-9H4Zm2 1.5h1v6H6v-6Zm3 0h1v6H9v-6Z';

export type SetRow = { parts: Node[]; update(sets: FormSets): void };

/** Created once and updated, so that a button is not replaced while it is pressed. */
export function createSetRow(strings: FormStrings, events: Events): SetRow {
  const select = element('select', { attributes: { 'aria-label': strings.set } });
  select.addEventListener('focus', () => events.onOpen());
  select.addEventListener('change', () => events.onChoose(select.value));
  const button = (action: 'saveSet' | 'deleteSet', path: string) => {
    const created = element('button', { type: 'button', className: 'icon-button', title: strings[action] }, icon(path));
    created.setAttribute('aria-label', strings[action]);
    created.addEventListener('click', () => events.onAction(action));
    return created;
  };
  const [save, remove] = [button('saveSet', saveIcon), button('deleteSet', deleteIcon)];
  const label = element('span', { className: 'label', textContent: strings.set });
  let shown = '';
  return {
    parts: [label, select, save, remove],
    update({ names, chosen, isModified }) {
      const text = (name: string) => (name === chosen && isModified ? fill(strings.modifiedSet, name) : name);
      const options = [['', strings.noSet], ...names.map((name) => [name, text(name)])] as [string, string][];
      const facts = JSON.stringify(options);
      if (facts !== shown)
        select.replaceChildren(...options.map(([value, textContent]) => element('option', { value, textContent })));
      shown = facts;
      select.value = chosen ?? '';
      remove.disabled = chosen === undefined;
    },
  };
}

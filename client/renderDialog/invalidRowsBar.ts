// The line above the table of rows that says what happens to invalid rows. Runs in the page of the render dialog.
import type { TableRow } from '../../server/protocol.ts';
import { element, fill, setText } from '../webview/shared/webviewElement.ts';
import type { DialogStrings } from './dialogStrings.ts';
import { isChosen, type RowChoices } from './rowChoices.ts';

export type InvalidRowsBar = { root: HTMLElement; show(rows: readonly TableRow[], choices: RowChoices): void };

export function createInvalidRowsBar(
  strings: DialogStrings,
  { onChoose, onShow }: { onChoose(rows: readonly TableRow[], isChecked: boolean): void; onShow(row: TableRow): void },
): InvalidRowsBar {
  let shown: readonly TableRow[] = [];
  let areChosen = false;
  const text = element('span', { attributes: { role: 'status' } });
  const link = (textContent: string, onClick: () => void): HTMLButtonElement => {
    const button = element('button', { type: 'button', className: 'link', textContent });
    button.addEventListener('click', onClick);
    return button;
  };
  const first = link(strings.showInvalid, () => shown[0] && onShow(shown[0]));
  const decide = link('', () => onChoose(shown, !areChosen));
  const root = element('div', { className: 'invalid-rows', hidden: true }, text, first, decide);
  return {
    root,
    show(rows, choices) {
      shown = rows;
      const chosen = rows.filter((row) => isChosen(row, choices)).length;
      areChosen = chosen === rows.length;
      root.hidden = rows.length === 0;
      setText(text, fill(strings.invalidRows, rows.length, rows.length - chosen));
      setText(decide, areChosen ? strings.leaveOut : strings.renderWithDefaults);
    },
  };
}

// A row of the table in the render dialog: its check mark, image, video, buttons and cells. Runs in its page.
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { RowChange, TableRow } from '../../server/protocol.ts';
import { element, fill, icon, setText } from '../webview/shared/webviewElement.ts';
import type { DialogStrings } from './dialogStrings.ts';
import { isDrawn, type RowImage } from './imageQueue.ts';
import { type Cell, cellKind, createCell } from './rowCells.ts';
import { isChosen, type RowChoices, withChoice } from './rowChoices.ts';
import type { Column, FromRows, RowStatus, RowsState } from './rowMessages.ts';

/** What all rows of the table share. */
export type RowContext = {
  strings: DialogStrings;
  state: RowsState;
  /** By the number of the row. An old image stays until the new one is captured. */
  images: Map<number, { image: RowImage | undefined; isOld: boolean }>;
  statuses: Readonly<Record<number, RowStatus>>;
  choices: RowChoices;
  send(message: FromRows): void;
  change(given: RowChange): void;
  choose(next: RowChoices): void;
};

export type RowElement = ReturnType<typeof createRowElement>;

const copyIcon = 'M4 4V1h11v11h-3v3H1V4h3Zm1 0h7v7h2V2H5v2ZM2 5v9h9V5H2Z';
const warningIcon = 'M8 1 15.5 14.5H.5L8 1Zm0 2.1L2.2 13.5h11.6L8 3.1ZM7.5 6h1v4h-1V6Zm0 5h1v1.2h-1V11Z';
const removeIcon = 'M8 7.3l3.6-3.7.8.8L8.7 8l3.7 3.6-.8.8L8 8.7l-3.6 3.7-.8-.8L7.3 8 3.6 4.4l.8-.8L8 7.3Z';

/** `at`: the position of the row in the table. Its cells are created when it is updated. */
export function createRowElement(at: number, context: RowContext) {
  const check = element('input', { type: 'checkbox' });
  check.addEventListener('change', () => {
    const row = context.state.rows[at];
    if (row) context.choose(withChoice(context.choices, [row], check.checked));
  });
  const number = element('span', { className: 'row-number' });
  const label = element('label', { className: 'cell number-cell', attributes: { role: 'cell' } }, check, number);
  const video = element('div', { className: 'cell video-cell', attributes: { role: 'cell' } });
  const image = element('div', { className: 'cell image-cell', attributes: { role: 'cell' } });
  const copy = iconButton(copyIcon, () => context.change({ kind: 'duplicate', row: indexOf(at, context) }));
  const remove = iconButton(removeIcon, () => context.change({ kind: 'remove', rows: [indexOf(at, context)] }));
  const actions = element('div', { className: 'cell row-actions', attributes: { role: 'cell' } }, copy, remove);
  const root = element('div', { className: 'row', attributes: { role: 'row' } }, label, image, video, actions);
  const cells: Cell[] = [];
  return { at, root, label, check, number, image, video, copy, remove, actions, cells };
}

export function updateRow(shown: RowElement, row: TableRow, context: RowContext): void {
  const { strings, state, choices } = context;
  const { label, check, copy, remove } = shown;
  const own = problemsOf(row, null);
  const isMarked = isChosen(row, choices);
  setText(shown.number, String(rowNumber(row.index)));
  label.title = own.join('\n');
  label.classList.toggle('invalid', own.length > 0);
  check.checked = isMarked;
  check.title = row.isInvalid ? strings.renderWithDefaults : '';
  check.setAttribute('aria-label', [fill(strings.row, rowNumber(row.index)), ...own].join(': '));
  shown.root.classList.toggle('excluded', !isMarked);
  for (const [position, column] of state.columns.entries()) {
    const value = Object.hasOwn(row.values, column.id) ? row.values[column.id] : undefined;
    cellAt(shown, position, column, value, context).update(value, problemsOf(row, column.id).join('\n'));
  }
  setTitle(copy, fill(strings.duplicateRow, rowNumber(row.index)));
  setTitle(remove, fill(strings.removeRow, rowNumber(row.index)));
  showImage(shown.image, row, context);
  showStatus(shown.video, row.index, context);
}

const indexOf = (at: number, { state }: RowContext): number => state.rows[at]?.index ?? at;

/** `key`: a column, or null for the row itself. */
const problemsOf = ({ problems }: TableRow, key: string | null): string[] =>
  problems.filter((problem) => problem.key === key).map(({ message }) => message);

function cellAt(shown: RowElement, position: number, column: Column, value: unknown, context: RowContext): Cell {
  const { at, cells, actions } = shown;
  const kind = cellKind(column, value);
  const before = cells[position];
  if (before?.kind === kind) return before;
  const name = `${fill(context.strings.row, rowNumber(at))}, ${column.label}`;
  const cell = createCell(column, kind, name, (given) => {
    const rest = given === undefined ? {} : { value: given };
    context.change({ kind: 'set', row: indexOf(at, context), key: column.id, ...rest });
  });
  if (before) before.root.replaceWith(cell.root);
  else actions.before(cell.root);
  cells[position] = cell;
  return cell;
}

function showImage(cell: HTMLElement, row: TableRow, { strings, state, images }: RowContext): void {
  const { index } = row;
  const declared = new Set(state.columns.flatMap(({ id, declaration }) => (declaration ? [id] : [])));
  const found = isDrawn(row, declared) ? images.get(index) : undefined;
  const { image } = found ?? {};
  cell.classList.toggle('waiting', found?.isOld === true);
  const key = image && 'source' in image ? image.source : (image?.problem ?? '');
  if (cell.dataset.key === key) return;
  cell.dataset.key = key;
  cell.title = image && 'problem' in image ? image.problem : '';
  if (!image) cell.replaceChildren();
  else if ('source' in image)
    cell.replaceChildren(element('img', { src: image.source, alt: fill(strings.imageOf, rowNumber(index)) }));
  else
    cell.replaceChildren(
      icon(warningIcon),
      element('span', { className: 'visually-hidden', textContent: image.problem }),
    );
}

function showStatus(video: HTMLElement, index: number, { strings, statuses, send }: RowContext): void {
  const found = statuses[index];
  const key = JSON.stringify(found ?? null);
  if (video.dataset.key === key) return;
  video.dataset.key = key;
  video.replaceChildren();
  video.title = found?.message ?? '';
  video.className = `cell video-cell ${found?.status ?? ''}`;
  if (found?.usedDefaults) video.append(icon(warningIcon));
  if (found?.status === 'running') video.append(element('span', { className: 'spinner' }), strings.rendering);
  if (found?.status === 'failed') video.append(strings.failed);
  if (found?.status !== 'completed') return;
  const textContent = found.isOutdated ? strings.openOutdated : strings.openVideo;
  const play = element('button', { type: 'button', className: 'link', textContent });
  play.addEventListener('click', () => send({ type: 'rowsOpenVideo', row: index }));
  play.title = found.isOutdated ? strings.isOutdated : fill(strings.openRow, rowNumber(index));
  video.append(play);
}

function setTitle(button: HTMLButtonElement, title: string): void {
  button.title = title;
  button.setAttribute('aria-label', title);
}

function iconButton(path: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button', className: 'icon-button' }, icon(path));
  created.addEventListener('click', onClick);
  return created;
}

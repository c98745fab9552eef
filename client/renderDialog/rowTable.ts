// The table of rows in the render dialog. Only the visible rows have elements. Runs in its page.
import type { RowChange, TableRow } from '../../server/protocol.ts';
import { element, fill, setText } from '../webview/shared/webviewElement.ts';
import type { DialogStrings } from './dialogStrings.ts';
import type { RowImage } from './imageQueue.ts';
import { createInvalidRowsBar, type InvalidRowsBar } from './invalidRowsBar.ts';
import { isChosen, movedChoices, type RowChoices, withChoice } from './rowChoices.ts';
import { createRowElement, type RowContext, type RowElement, updateRow } from './rowElement.ts';
import type { FromRows, RowsState } from './rowMessages.ts';

export type RowTableElement = RowContext & {
  elements: ReturnType<typeof createElements>;
  /** The rows that the user sees, as they were sent last. */
  visible?: string;
  /** The file and the columns of the shown rows. */
  layout?: string;
  /** By the position in the table. */
  shown: Map<number, RowElement>;
};

const rowHeight = 62;
/** Rows above and below the visible ones. */
const margin = 8;

export function createRowTable(strings: DialogStrings, send: (message: FromRows) => void): RowTableElement {
  const invalid = createInvalidRowsBar(strings, {
    onChoose: (rows, isChecked) => choose(table, withChoice(table.choices, rows, isChecked)),
    onShow: ({ index }) =>
      elements.scroll.scrollTo({ top: table.state.rows.findIndex((row) => row.index === index) * rowHeight }),
  });
  const elements = createElements(strings, invalid);
  const table: RowTableElement = {
    strings,
    state: { files: [], file: '', columns: [], rows: [], problems: [] },
    images: new Map(),
    statuses: {},
    choices: new Map(),
    send,
    change: (given) => change(table, given),
    choose: (next) => choose(table, next),
    elements,
    shown: new Map(),
  };
  elements.add.addEventListener('click', () => change(table, { kind: 'add' }));
  elements.open.addEventListener('click', () => send({ type: 'rowsOpenFile' }));
  elements.all.addEventListener('change', () =>
    choose(table, withChoice(table.choices, validRows(table), elements.all.checked)),
  );
  elements.scroll.addEventListener('scroll', () => requestAnimationFrame(() => showVisible(table)));
  new ResizeObserver(() => showVisible(table)).observe(elements.scroll);
  return table;
}

function createElements(strings: DialogStrings, invalid: InvalidRowsBar) {
  const count = element('span', { className: 'row-count', attributes: { role: 'status' } });
  const progress = element('span', { className: 'row-progress', attributes: { role: 'status' } });
  const add = element('button', { type: 'button', className: 'secondary', textContent: strings.addRow });
  const open = element('button', { type: 'button', className: 'link', textContent: strings.openFile });
  const bar = element('div', { className: 'row-bar' }, count, progress, open, add);
  const all = element('input', { type: 'checkbox', title: strings.allRows });
  all.setAttribute('aria-label', strings.allRows);
  const head = element('div', { className: 'row head-row', attributes: { role: 'row' } });
  const body = element('div', { className: 'row-body', attributes: { role: 'rowgroup' } });
  const scroll = element('div', { className: 'row-scroll', attributes: { role: 'table' } }, head, body);
  const fileProblems = element('div', { className: 'alert', hidden: true, attributes: { role: 'alert' } });
  const fileNotes = element('p', { className: 'row-note', hidden: true, attributes: { role: 'status' } });
  const root = element('section', { className: 'rows', attributes: { 'aria-label': strings.rows } });
  root.append(bar, fileProblems, fileNotes, invalid.root, scroll);
  return { root, count, progress, add, open, all, head, body, scroll, invalid, fileProblems, fileNotes };
}

function change(table: RowTableElement, given: RowChange): void {
  if (given.kind === 'duplicate') table.choices = movedChoices(table.choices, (at) => (at > given.row ? at + 1 : at));
  if (given.kind === 'remove') {
    const gone = new Set(given.rows);
    const before = (at: number) => given.rows.filter((row) => row < at).length;
    table.choices = movedChoices(table.choices, (at) => (gone.has(at) ? undefined : at - before(at)));
  }
  table.send({ type: 'rowsChoose', choices: [...table.choices] });
  table.send({ type: 'rowsChange', change: given });
}

function choose(table: RowTableElement, next: RowChoices): void {
  table.choices = next;
  table.send({ type: 'rowsChoose', choices: [...next] });
  showAll(table);
}

export function updateTable(table: RowTableElement, next: RowsState): void {
  if (next.file !== table.state.file) {
    table.choices = new Map();
    table.images.clear();
  }
  table.state = next;
  const wanted = JSON.stringify([next.file, next.columns]);
  if (wanted !== table.layout) {
    table.layout = wanted;
    for (const { root } of table.shown.values()) root.remove();
    table.shown.clear();
    showHead(table);
  }
  showAll(table);
}

export function showStatuses(table: RowTableElement, statuses: RowContext['statuses'], progress: string): void {
  table.statuses = statuses;
  setText(table.elements.progress, progress);
  showVisible(table);
}

export function showImages(table: RowTableElement, next: Readonly<Record<number, RowImage | null>>): void {
  for (const [row, image] of Object.entries(next)) {
    const before = table.images.get(Number(row))?.image;
    table.images.set(Number(row), { image: image ?? before, isOld: image === null });
  }
  showVisible(table);
}

/** The number of rows with a check mark. */
export const countChosen = ({ state, choices }: RowTableElement): number =>
  state.rows.filter((row) => isChosen(row, choices)).length;

const validRows = ({ state }: RowTableElement): TableRow[] => state.rows.filter(({ isInvalid }) => !isInvalid);

function showHead({ strings, state: { columns }, elements: { root, head, all } }: RowTableElement): void {
  const labels = columns.map(({ id, label }) =>
    element('div', { className: 'cell', textContent: label, title: id, attributes: { role: 'columnheader' } }),
  );
  const check = element('div', { className: 'cell number-cell', attributes: { role: 'columnheader' } }, all);
  const names = [strings.imageColumn, strings.videoColumn].map((textContent) =>
    element('div', { className: 'cell', textContent, attributes: { role: 'columnheader' } }),
  );
  head.replaceChildren(check, ...names, ...labels);
  root.style.setProperty('--columns', String(columns.length));
}

function showAll(table: RowTableElement): void {
  const { strings, state, choices, elements } = table;
  const { rows, problems } = state;
  const wrong = rows.filter((row) => row.problems.length > 0).length;
  const found = rows.reduce((sum, row) => sum + row.problems.length, 0);
  const facts = found === 0 ? strings.noProblems : fill(strings.problemCount, found, wrong);
  setText(elements.count, `${fill(strings.rowCount, rows.length)} · ${facts}`);
  elements.count.classList.toggle('has-problems', found > 0);
  const marks = validRows(table).map((row) => isChosen(row, choices));
  elements.all.checked = !marks.includes(false);
  elements.all.indeterminate = marks.includes(false) && marks.includes(true);
  elements.invalid.show(
    rows.filter(({ isInvalid }) => isInvalid),
    choices,
  );
  const errors = problems.filter(({ isError }) => isError);
  elements.fileProblems.hidden = errors.length === 0;
  elements.fileProblems.replaceChildren(
    ...errors.map(({ message, line }) => element('p', { textContent: fill(strings.lineProblem, line, message) })),
  );
  const notes = problems.filter(({ isError }) => !isError).map(({ message }) => message);
  elements.fileNotes.hidden = notes.length === 0;
  setText(elements.fileNotes, notes.join('\n'));
  elements.body.style.height = `${rows.length * rowHeight}px`;
  showVisible(table);
}

function showVisible(table: RowTableElement): void {
  const { shown, elements } = table;
  const { rows } = table.state;
  const { scrollTop, clientHeight } = elements.scroll;
  const top = Math.floor(scrollTop / rowHeight);
  const bottom = Math.ceil((scrollTop + clientHeight) / rowHeight);
  sendVisible(table, top, Math.min(rows.length, bottom) - 1);
  const first = Math.max(0, top - margin);
  const last = Math.min(rows.length, bottom + margin);
  for (const [at, { root }] of shown) {
    const isVisible = at >= first && at < last;
    // The row in which the user is typing stays.
    if (at < rows.length && (isVisible || root.contains(document.activeElement))) continue;
    root.remove();
    shown.delete(at);
  }
  for (let at = first; at < last; at++) {
    const row = shown.get(at) ?? insertRow(table, at);
    const values = rows[at];
    if (values) updateRow(row, values, table);
  }
}

/** Images are captured only for the rows that the user sees. */
function sendVisible(table: RowTableElement, first: number, last: number): void {
  if (table.elements.scroll.clientHeight === 0 || table.visible === `${first} ${last}`) return;
  table.visible = `${first} ${last}`;
  table.send({ type: 'rowsVisible', first, last });
}

function insertRow(table: RowTableElement, at: number): RowElement {
  const row = createRowElement(at, table);
  row.root.style.top = `${at * rowHeight}px`;
  // In the order of the rows, also for the Tab key.
  const next = [...table.shown].filter(([other]) => other > at).sort(([one], [other]) => one - other)[0];
  table.elements.body.insertBefore(row.root, next?.[1].root ?? null);
  table.shown.set(at, row);
  return row;
}

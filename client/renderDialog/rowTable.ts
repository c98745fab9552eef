// The table of rows in the render dialog. Only the visible rows have elements. Runs in its page.
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { RowChange, TableRow } from '../../server/protocol.ts';
import { element, fill, icon, setText } from '../webviewElement.ts';
import type { DialogStrings } from './dialogStrings.ts';
import { isDrawn, type RowImage } from './imageQueue.ts';
import { createInvalidRowsBar } from './invalidRowsBar.ts';
import { type Cell, cellKind, createCell } from './rowCells.ts';
import { isChosen, movedChoices, type RowChoices, withChoice } from './rowChoices.ts';
import type { Column, FromRows, RowStatus, RowsState } from './rowMessages.ts';

export type RowTableElement = {
  root: HTMLElement;
  update(state: RowsState): void;
  showImages(images: Readonly<Record<number, RowImage | null>>): void;
  showStatuses(statuses: Readonly<Record<number, RowStatus>>, progress: string): void;
  /** The number of rows with a check mark. */
  chosen(): number;
};

const rowHeight = 62;
/** Rows above and below the visible ones. */
const margin = 8;
const copyIcon = 'M4 4V1h11v11h-3v3H1V4h3Zm1 0h7v7h2V2H5v2ZM2 5v9h9V5H2Z';
const warningIcon = 'M8 1 15.5 14.5H.5L8 1Zm0 2.1L2.2 13.5h11.6L8 3.1ZM7.5 6h1v4h-1V6Zm0 5h1v1.2h-1V11Z';
const removeIcon = 'M8 7.3l3.6-3.7.8.8L8.7 8l3.7 3.6-.8.8L8 8.7l-3.6 3.7-.8-.8L7.3 8 3.6 4.4l.8-.8L8 7.3Z';

type RowElement = { root: HTMLElement; update(row: TableRow): void };

export function createRowTable(strings: DialogStrings, send: (message: FromRows) => void): RowTableElement {
  let state: RowsState = { files: [], file: '', columns: [], rows: [], problems: [] };
  /** By the number of the row. An old image stays until the new one is captured. */
  const images = new Map<number, { image: RowImage | undefined; isOld: boolean }>();
  let visible = '';
  let statuses: Readonly<Record<number, RowStatus>> = {};
  let choices: RowChoices = new Map();
  let layout = '';
  const shown = new Map<number, RowElement>();

  const count = element('span', { className: 'row-count', attributes: { role: 'status' } });
  const progress = element('span', { className: 'row-progress', attributes: { role: 'status' } });
  const add = button(strings.addRow, 'secondary', () => change({ kind: 'add' }));
  const open = button(strings.openFile, 'link', () => send({ type: 'rowsOpenFile' }));
  const bar = element('div', { className: 'row-bar' }, count, progress, open, add);
  const all = element('input', {
    type: 'checkbox',
    title: strings.allRows,
    attributes: { 'aria-label': strings.allRows },
  });
  all.addEventListener('change', () => choose(withChoice(choices, validRows(), all.checked)));
  const head = element('div', { className: 'row head-row', attributes: { role: 'row' } });
  const body = element('div', { className: 'row-body', attributes: { role: 'rowgroup' } });
  const scroll = element('div', { className: 'row-scroll', attributes: { role: 'table' } }, head, body);
  scroll.addEventListener('scroll', () => requestAnimationFrame(showVisible));
  new ResizeObserver(() => showVisible()).observe(scroll);
  const fileProblems = element('div', { className: 'alert', hidden: true, attributes: { role: 'alert' } });
  const fileNotes = element('p', { className: 'row-note', hidden: true, attributes: { role: 'status' } });
  const root = element('section', { className: 'rows', attributes: { 'aria-label': strings.rows } });
  const invalid = createInvalidRowsBar(strings, {
    onChoose: (rows, isChecked) => choose(withChoice(choices, rows, isChecked)),
    onShow: ({ index }) => scroll.scrollTo({ top: state.rows.findIndex((row) => row.index === index) * rowHeight }),
  });
  root.append(bar, fileProblems, fileNotes, invalid.root, scroll);

  function change(given: RowChange): void {
    if (given.kind === 'duplicate') choices = movedChoices(choices, (at) => (at > given.row ? at + 1 : at));
    if (given.kind === 'remove') {
      const gone = new Set(given.rows);
      choices = movedChoices(choices, (at) =>
        gone.has(at) ? undefined : at - given.rows.filter((row) => row < at).length,
      );
    }
    send({ type: 'rowsChoose', choices: [...choices] });
    send({ type: 'rowsChange', change: given });
  }
  function choose(next: RowChoices): void {
    choices = next;
    send({ type: 'rowsChoose', choices: [...choices] });
    showAll();
  }
  function validRows(): TableRow[] {
    return state.rows.filter(({ isInvalid }) => !isInvalid);
  }
  function showHead(): void {
    const labels = state.columns.map(({ id, label }) =>
      element('div', { className: 'cell', textContent: label, title: id, attributes: { role: 'columnheader' } }),
    );
    const check = element('div', { className: 'cell number-cell', attributes: { role: 'columnheader' } }, all);
    const names = [strings.imageColumn, strings.videoColumn].map((textContent) =>
      element('div', { className: 'cell', textContent, attributes: { role: 'columnheader' } }),
    );
    head.replaceChildren(check, ...names, ...labels);
    root.style.setProperty('--columns', String(state.columns.length));
  }
  function showAll(): void {
    const { rows, problems } = state;
    const wrong = rows.filter((row) => row.problems.length > 0).length;
    const found = rows.reduce((sum, row) => sum + row.problems.length, 0);
    const facts = found === 0 ? strings.noProblems : fill(strings.problemCount, found, wrong);
    setText(count, `${fill(strings.rowCount, rows.length)} · ${facts}`);
    count.classList.toggle('has-problems', found > 0);
    const isMarked = (row: TableRow) => isChosen(row, choices);
    all.checked = validRows().every(isMarked);
    all.indeterminate = !all.checked && validRows().some(isMarked);
    invalid.show(
      rows.filter((row) => row.isInvalid),
      choices,
    );
    const errors = problems.filter(({ isError }) => isError);
    fileProblems.hidden = errors.length === 0;
    fileProblems.replaceChildren(
      ...errors.map(({ message, line }) => element('p', { textContent: fill(strings.lineProblem, line, message) })),
    );
    const notes = problems.filter(({ isError }) => !isError).map(({ message }) => message);
    fileNotes.hidden = notes.length === 0;
    setText(fileNotes, notes.join('\n'));
    body.style.height = `${rows.length * rowHeight}px`;
    showVisible();
  }
  function showVisible(): void {
    const top = Math.floor(scroll.scrollTop / rowHeight);
    const bottom = Math.ceil((scroll.scrollTop + scroll.clientHeight) / rowHeight);
    sendVisible(top, Math.min(state.rows.length, bottom) - 1);
    const first = Math.max(0, top - margin);
    const last = Math.min(state.rows.length, bottom + margin);
    for (const [at, row] of shown) {
      const isVisible = at >= first && at < last;
      // The row in which the user is typing stays.
      if (at < state.rows.length && (isVisible || row.root.contains(document.activeElement))) continue;
      row.root.remove();
      shown.delete(at);
    }
    for (let at = first; at < last; at++) {
      const row = shown.get(at) ?? createRow(at);
      shown.set(at, row);
      const values = state.rows[at];
      if (values) row.update(values);
    }
  }
  /** Images are captured only for the rows that the user sees. */
  function sendVisible(first: number, last: number): void {
    if (scroll.clientHeight === 0 || visible === `${first} ${last}`) return;
    visible = `${first} ${last}`;
    send({ type: 'rowsVisible', first, last });
  }
  function createRow(at: number): RowElement {
    const index = () => state.rows[at]?.index ?? at;
    const check = element('input', { type: 'checkbox' });
    check.addEventListener('change', () => {
      const row = state.rows[at];
      if (row) choose(withChoice(choices, [row], check.checked));
    });
    const number = element('span', { className: 'row-number' });
    const label = element('label', { className: 'cell number-cell', attributes: { role: 'cell' } }, check, number);
    const video = element('div', { className: 'cell video-cell', attributes: { role: 'cell' } });
    const image = element('div', { className: 'cell image-cell', attributes: { role: 'cell' } });
    const cells: Cell[] = [];
    const copy = iconButton(copyIcon, () => change({ kind: 'duplicate', row: index() }));
    const remove = iconButton(removeIcon, () => change({ kind: 'remove', rows: [index()] }));
    const actions = element('div', { className: 'cell row-actions', attributes: { role: 'cell' } }, copy, remove);
    const rowRoot = element('div', { className: 'row', attributes: { role: 'row' } }, label, image, video, actions);
    rowRoot.style.top = `${at * rowHeight}px`;
    // In the order of the rows, also for the Tab key.
    const next = [...shown].filter(([other]) => other > at).sort(([one], [other]) => one - other)[0];
    body.insertBefore(rowRoot, next?.[1].root ?? null);
    const cellAt = (column: Column, position: number, value: unknown): Cell => {
      const kind = cellKind(column, value);
      const before = cells[position];
      if (before?.kind === kind) return before;
      const name = `${fill(strings.row, rowNumber(at))}, ${column.label}`;
      const cell = createCell(column, kind, name, (given) => {
        const rest = given === undefined ? {} : { value: given };
        change({ kind: 'set', row: index(), key: column.id, ...rest });
      });
      if (before) before.root.replaceWith(cell.root);
      else actions.before(cell.root);
      cells[position] = cell;
      return cell;
    };
    return {
      root: rowRoot,
      update(row) {
        const own = row.problems.filter(({ key }) => key === null).map(({ message }) => message);
        setText(number, String(rowNumber(row.index)));
        label.title = own.join('\n');
        label.classList.toggle('invalid', own.length > 0);
        const isMarked = isChosen(row, choices);
        check.checked = isMarked;
        check.title = row.isInvalid ? strings.renderWithDefaults : '';
        check.setAttribute('aria-label', [fill(strings.row, rowNumber(row.index)), ...own].join(': '));
        rowRoot.classList.toggle('excluded', !isMarked);
        for (const [position, column] of state.columns.entries()) {
          const value = Object.hasOwn(row.values, column.id) ? row.values[column.id] : undefined;
          const problems = row.problems.filter(({ key }) => key === column.id).map(({ message }) => message);
          cellAt(column, position, value).update(value, problems.join('\n'));
        }
        for (const [one, text] of [
          [copy, strings.duplicateRow],
          [remove, strings.removeRow],
        ] as const) {
          one.title = fill(text, rowNumber(row.index));
          one.setAttribute('aria-label', one.title);
        }
        showImage(image, row);
        showStatus(video, row.index);
      },
    };
  }
  function showImage(cell: HTMLElement, row: TableRow): void {
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
  function showStatus(video: HTMLElement, index: number): void {
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
    const play = button(found.isOutdated ? strings.openOutdated : strings.openVideo, 'link', () =>
      send({ type: 'rowsOpenVideo', row: index }),
    );
    play.title = found.isOutdated ? strings.isOutdated : fill(strings.openRow, rowNumber(index));
    video.append(play);
  }
  return {
    root,
    update(next) {
      if (next.file !== state.file) {
        choices = new Map();
        images.clear();
      }
      state = next;
      const wanted = JSON.stringify([state.file, state.columns]);
      if (wanted !== layout) {
        layout = wanted;
        for (const { root: one } of shown.values()) one.remove();
        shown.clear();
        showHead();
      }
      showAll();
    },
    showImages(next) {
      for (const [row, image] of Object.entries(next)) {
        const before = images.get(Number(row))?.image;
        images.set(Number(row), { image: image ?? before, isOld: image === null });
      }
      showVisible();
    },
    showStatuses(next, text) {
      statuses = next;
      setText(progress, text);
      showVisible();
    },
    chosen: () => state.rows.filter((row) => isChosen(row, choices)).length,
  };
}

function button(text: string, className: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button', className, textContent: text });
  created.addEventListener('click', onClick);
  return created;
}

function iconButton(path: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button', className: 'icon-button' }, icon(path));
  created.addEventListener('click', onClick);
  return created;
}

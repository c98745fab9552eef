// The script of the render dialog: the variables form, the options of the video, and the bar with estimates and buttons.
import './renderDialog.css';
import './rows.css';
import type { DialogAction, FromDialog, ToDialog } from '../renderDialog/dialogMessages.ts';
import type { DialogStrings } from '../renderDialog/dialogStrings.ts';
import { createEstimateBar, type EstimateBar } from '../renderDialog/estimateBar.ts';
import { createOptionForm, type OptionForm } from '../renderDialog/optionForm.ts';
import type { RowsState } from '../renderDialog/rowMessages.ts';
import {
  countChosen,
  createRowTable,
  type RowTableElement,
  showImages,
  showStatuses,
  updateTable,
} from '../renderDialog/rowTable.ts';
import { editor, parts } from './form.ts';
import { element, fill, setText } from './shared/webviewElement.ts';

let strings: DialogStrings | undefined;
let options: OptionForm | undefined;
let bar: EstimateBar | undefined;
let table: RowTableElement | undefined;
const heading = element('h1');
/** One video, or a data file; hidden if the composition has none. */
const source = element('select', { hidden: true });

const send = (message: FromDialog) => editor.postMessage(message);
const act = (type: DialogAction) => () => send({ type });

window.addEventListener('message', ({ data }: MessageEvent<ToDialog>) => {
  if (data.type === 'dialogStart') start(data.strings);
  if (data.type === 'dialogState' && strings) {
    setText(heading, fill(strings.heading, data.state.name));
    options?.update(data.state);
  }
  if (data.type === 'rows') showRows(data.state);
  if (data.type === 'rowImages' && table) showImages(table, data.images);
  if (data.type === 'rowStatuses' && table) showStatuses(table, data.statuses, data.progress);
  if (data.type === 'dialogCheck') bar?.show(data.result);
});
send({ type: 'dialogReady' });

function start(texts: DialogStrings): void {
  strings = texts;
  document.body.classList.add('dialog');
  const form = createOptionForm(texts, {
    onChange: (choice, output) => send({ type: 'dialogChoice', choice, output }),
    onChooseStack: act('dialogChooseStack'),
  });
  options = form;
  bar = createEstimateBar(texts, { onRender: act('dialogRender'), onCopy: act('dialogCopy') });
  const values = element('section', { className: 'values' });
  values.append(element('h2', { textContent: texts.values }), ...parts);
  const rows = createRowTable(texts, (message) => {
    send(message);
    if (message.type === 'rowsChoose') bar?.setRows(countChosen(rows));
  });
  table = rows;
  source.setAttribute('aria-label', texts.videos);
  source.addEventListener('change', () => send({ type: 'rowsFile', file: source.value }));
  const columns = element('div', { className: 'columns' }, values, rows.elements.root, form.root);
  document.body.prepend(element('header', {}, heading, source), columns);
  document.body.append(bar.root);
}

function showRows(state: RowsState): void {
  if (!strings || !table) return;
  const { oneVideo, rowsOf } = strings;
  source.hidden = state.files.length === 0;
  source.replaceChildren(
    element('option', { value: '', textContent: oneVideo }),
    ...state.files.map(({ uri, path }) => element('option', { value: uri, textContent: fill(rowsOf, path) })),
  );
  source.value = state.file;
  document.body.classList.toggle('has-rows', state.file !== '');
  updateTable(table, state);
  bar?.setRows(state.file === '' ? undefined : countChosen(table));
}

// A cell writes its text when it loses the focus, which must happen before the rows are rendered.
window.addEventListener(
  'keydown',
  ({ key, ctrlKey, metaKey }) => {
    if (key === 'Enter' && (ctrlKey || metaKey) && document.activeElement?.closest('.row-body'))
      (document.activeElement as HTMLElement).blur();
  },
  { capture: true },
);

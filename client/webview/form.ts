// The script of the variables form: a field for each declared variable, the named sets, and the action buttons.
import './form.css';
import type { Values } from '../compositions/draftValues.ts';
import { controlKey, createFieldElement, type FieldElement } from '../form/fieldElement.ts';
import type { FormAction, FormLocation, FormState, FromForm, ToForm } from '../form/formMessages.ts';
import { type Field, formFields, unknownValues, withValue } from '../form/formModel.ts';
import type { FormStrings } from '../form/formStrings.ts';
import { createSetRow, type SetRow } from '../form/setRow.ts';
import { textOf } from '../form/valueText.ts';
import type { FromDialog } from '../renderDialog/dialogMessages.ts';
import { element, fill, icon, setText } from './shared/webviewElement.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromForm | FromDialog): void };
export const editor = acquireVsCodeApi();

const addIcon = 'M7.5 2h1v5.5H14v1H8.5V14h-1V8.5H2v-1h5.5V2Z';
const removeIcon = 'M8 7.3l3.6-3.7.8.8L8.7 8l3.7 3.6-.8.8L8 8.7l-3.6 3.7-.8-.8L7.3 8 3.6 4.4l.8-.8L8 7.3Z';

let location: FormLocation = 'sidebar';
let strings: FormStrings;
let state: FormState | undefined;
/** Edits are numbered, so that a late state from the extension does not undo newer edits. */
let edit = 0;
let fields = new Map<string, FieldElement>();
let setRow: SetRow | undefined;
let sizeButton: HTMLElement | undefined;

const main = element('main');
const title = element('h1');
const alert = element('div', { className: 'alert', hidden: true, attributes: { role: 'status' } });
const sets = element('div', { className: 'sets' });
const list = element('div', { className: 'fields' });
const add = element('button', { type: 'button', className: 'add', hidden: true });
const unknown = element('section', { className: 'unknown' });
const notice = element('div', { className: 'notice', attributes: { role: 'status' } });
const actions = element('footer');
const count = element('span', { className: 'count', attributes: { 'aria-live': 'polite' } });
main.append(title, sets, list, add, unknown);
// Below the fields, so that they do not move while a declaration is being typed.
/** The render dialog moves them. */
export const parts = [main, alert, notice, actions];
document.body.append(...parts);

window.addEventListener('message', ({ data }: MessageEvent<ToForm>) => {
  if (data.type === 'start') start(data.location, data.strings);
  if (data.type === 'state') receive(data.state);
  if (data.type === 'empty') showEmpty();
});
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  act('render');
});
editor.postMessage({ type: 'ready' });

function start(formLocation: FormLocation, texts: FormStrings): void {
  location = formLocation;
  strings = texts;
  document.body.className = `${document.body.className} ${location}`;
  setRow = createSetRow(strings, {
    onOpen: () => state && editor.postMessage({ type: 'refresh', uri: state.uri }),
    onChoose: (name) => state && editor.postMessage({ type: 'chooseSet', uri: state.uri, name }),
    onAction: act,
  });
  sets.replaceChildren(...setRow.parts);
  add.replaceChildren(icon(addIcon), strings.addVariable);
  add.onclick = () => act('addVariable');
  const button = (action: FormAction, className: string) =>
    element('button', { type: 'button', className, textContent: strings[action], onclick: () => act(action) });
  const reset = element('button', { type: 'button', className: 'link', textContent: strings.resetAll });
  reset.id = 'resetAll';
  reset.addEventListener('click', resetAll);
  const render = button('render', 'primary');
  render.title = strings.renderKeys;
  const tally = element('div', { className: 'tally' }, count, reset);
  // The render dialog has its own buttons.
  if (location === 'panel') {
    actions.replaceChildren(tally);
    return;
  }
  sizeButton = button('chooseSize', 'secondary');
  actions.replaceChildren(
    tally,
    sizeButton,
    render,
    button('writeDefaults', 'secondary'),
    button('copyCommand', 'secondary'),
  );
}

function act(action: FormAction): void {
  if (state) editor.postMessage({ type: 'action', uri: state.uri, action });
}

function receive(given: FormState): void {
  const isOther = given.uri !== state?.uri;
  if (isOther) {
    hideNotice();
    edit = 0;
  }
  // A state that does not include the latest edit must not replace the values.
  const values = isOther || given.edit >= edit ? given.values : (state?.values ?? given.values);
  const before = state;
  state = { ...given, values };
  if (!isOther && before && given.sets.chosen !== undefined && before.sets.chosen !== given.sets.chosen)
    offerUndo(fill(strings.setUsed, given.sets.chosen), before.values, values);
  show(isOther);
  if (isOther && location === 'panel') list.querySelector<HTMLElement>('input, textarea, select')?.focus();
}

function change(values: Values): void {
  if (!state) return;
  edit += 1;
  state = { ...state, values };
  editor.postMessage({ type: 'values', uri: state.uri, values, edit });
  show(false);
}

function show(isOther: boolean): void {
  if (!state) return;
  document.body.classList.remove('empty');
  const { name, declarations, values } = state;
  main.setAttribute('aria-label', fill(strings.form, name));
  title.replaceChildren(name);
  const shown = formFields(declarations, values);
  showProblem(shown.length > 0);
  if (shown.length === 0 && state.problem) list.replaceChildren();
  else if (shown.length === 0) list.replaceChildren(emptyMessage(fill(strings.noVariables, name), strings.declareThem));
  else showFields(shown, isOther);
  // The render dialog is for values only.
  add.hidden = location === 'panel' || state.problem !== undefined;
  sets.hidden = shown.length === 0;
  setRow?.update(state.sets);
  if (sizeButton) setText(sizeButton, fill(strings.chooseSize, state.size || strings.ownSize));
  const changed = shown.filter(({ isChanged }) => isChanged).length;
  setText(count, shown.length === 0 ? '' : fill(strings.changedCount, changed, shown.length));
  // With an error in the declarations, it is not known which variables are declared.
  const others = state.problem ? [] : unknownValues(declarations, values);
  actions.querySelector<HTMLElement>('#resetAll')?.toggleAttribute('hidden', changed === 0 && others.length === 0);
  showUnknown(others);
}

/** The error is also a diagnostic; here it explains why the form does not follow the text. */
function showProblem(hasFields: boolean): void {
  const problem = state?.problem;
  alert.hidden = problem === undefined;
  alert.replaceChildren();
  if (!problem) return;
  const link = element('button', {
    type: 'button',
    className: 'link',
    textContent: fill(strings.goToLine, problem.line),
  });
  link.addEventListener('click', () => state && editor.postMessage({ type: 'goToProblem', uri: state.uri }));
  const text = fill(strings.brokenDeclarations, problem.message);
  alert.append(element('p', { textContent: text, title: hasFields ? strings.lastValid : '' }), link);
}

/** Reuses the elements of unchanged declarations, which keeps the focus and the typed text. */
function showFields(shown: readonly Field[], isOther: boolean): void {
  const kept = isOther ? new Map<string, FieldElement>() : fields;
  fields = new Map();
  for (const field of shown) {
    const before = kept.get(field.id);
    const isSame = before !== undefined && before.key === controlKey(field);
    const made = isSame ? before : createFieldElement(field, strings, { onValue: setValue });
    if (isSame) made.update(field);
    fields.set(field.id, made);
  }
  const roots = [...fields.values()].map(({ root }) => root);
  const isInPlace = roots.length === list.children.length && roots.every((root, at) => list.children[at] === root);
  if (!isInPlace) list.replaceChildren(...roots);
}

function setValue(id: string, value: unknown): void {
  if (!state) return;
  hideNotice();
  const { declarations, values } = state;
  change(withValue(declarations, values, id, value));
}

function showUnknown(others: readonly [string, unknown][]): void {
  unknown.hidden = others.length === 0;
  unknown.replaceChildren(
    element('h2', { textContent: strings.unknown }),
    element('p', { className: 'hint', textContent: strings.unknownWhy }),
    ...others.map(([id, value]) => {
      const remove = element('button', { type: 'button', className: 'icon-button' }, icon(removeIcon));
      remove.title = fill(strings.remove, id);
      remove.setAttribute('aria-label', remove.title);
      remove.addEventListener('click', () => {
        setValue(id, undefined);
        // The focused button was removed with its row.
        (unknown.querySelector('button') ?? actions.querySelector<HTMLElement>('.primary'))?.focus();
      });
      const text = element('code', { textContent: textOf(value) });
      return element(
        'div',
        { className: 'unknown-value' },
        element('span', { className: 'label', textContent: id }),
        text,
        remove,
      );
    }),
  );
}

function resetAll(): void {
  if (!state) return;
  const before = state.values;
  for (const field of fields.values()) field.root.classList.remove('invalid');
  fields = new Map();
  change({});
  offerUndo(strings.wasReset, before, {});
  // The focused button is hidden now.
  notice.querySelector('button')?.focus();
}

/** The notice is hidden with the next edit, so that undo only reverts this change. */
function offerUndo(text: string, before: Values, after: Values): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const undo = element('button', { type: 'button', className: 'link', textContent: strings.undo });
  undo.addEventListener('click', () => {
    hideNotice();
    fields = new Map();
    change(before);
    actions.querySelector<HTMLElement>('#resetAll')?.focus();
  });
  notice.replaceChildren(element('span', { textContent: text }), undo);
  notice.hidden = false;
}

function hideNotice(): void {
  notice.hidden = true;
  notice.replaceChildren();
}

function emptyMessage(...lines: string[]): HTMLElement {
  return element('div', { className: 'empty-message' }, ...lines.map((text) => element('p', { textContent: text })));
}

function showEmpty(): void {
  state = undefined;
  fields = new Map();
  document.body.classList.add('empty');
  title.replaceChildren();
  alert.hidden = true;
  add.hidden = true;
  sets.hidden = true;
  unknown.hidden = true;
  hideNotice();
  list.replaceChildren(emptyMessage(strings.noComposition));
}

// A field of the variables form: its label, reset button, control, hint and error message.
import { element, fill, icon, setText } from '../webview/shared/webviewElement.ts';
import { type Control, createControl } from './controls.ts';
import type { Field } from './formModel.ts';
import type { FormStrings } from './formStrings.ts';
import type { Problem } from './valueText.ts';

export type FieldElement = {
  root: HTMLElement;
  /** The `controlKey` that it was created for. A field with another key needs a new element. */
  key: string;
  /** Updates the field without changing the text that is being typed. */
  update(field: Field): void;
};

export type FieldEvents = {
  /** `value` is valid; undefined means the default. */
  onValue(id: string, value: unknown): void;
};

const resetIcon = 'M8 3a5 5 0 1 1-4.6 3H2.3A6 6 0 1 0 4 3.5V1.8H3V5.3h3.5v-1H4.7A5 5 0 0 1 8 3Z';

/** Fields with equal keys have the same control. */
export function controlKey({ kind, declaration }: Field): string {
  const { default: _, ...rest } = declaration;
  return JSON.stringify([kind, rest]);
}

/** For element ids. Variable ids can contain spaces, which `aria-describedby` does not allow. */
let fieldCount = 0;

export function createFieldElement(first: Field, strings: FormStrings, events: FieldEvents): FieldElement {
  const { id, label } = first;
  fieldCount += 1;
  const base = `field-${fieldCount}`;
  const name = element('span', { id: `${base}-label`, className: 'label', textContent: label, title: id });
  const reset = element(
    'button',
    { type: 'button', className: 'icon-button reset', title: fill(strings.reset, label) },
    icon(resetIcon),
  );
  reset.setAttribute('aria-label', fill(strings.reset, label));
  const { description = '' } = first.declaration;
  const help = element('div', { id: `${base}-help`, className: 'hint', textContent: description });
  const hint = element('div', { id: `${base}-hint`, className: 'hint' });
  const message = element('div', {
    id: `${base}-problem`,
    className: 'problem',
    attributes: { 'aria-live': 'polite' },
  });
  const showProblem = (problem: Problem | undefined) =>
    showMessage(problem && fill(strings[problem.key], ...problem.values));
  const showMessage = (text: string | undefined) => {
    setText(message, text ?? '');
    root.classList.toggle('invalid', text !== undefined);
    control.setInvalid(text !== undefined);
  };
  const control: Control = createControl(first, base, strings, {
    onValue(value) {
      showProblem(undefined);
      events.onValue(id, value);
    },
    onProblem: showProblem,
  });
  const head = element('div', { className: 'head' }, name, reset);
  const root = element('div', { className: `field ${first.kind}`, attributes: { 'data-id': id } });
  root.append(head, element('div', { className: 'body' }, help, control.root, hint, message));
  // A switch is next to its label.
  if (first.kind === 'switch') head.prepend(control.root);
  name.addEventListener('click', () => control.focus());
  reset.addEventListener('click', () => {
    control.clear();
    events.onValue(id, undefined);
    control.focus();
  });
  const update = (field: Field) => {
    root.classList.toggle('changed', field.isChanged);
    reset.hidden = !field.isChanged;
    control.show(field.value);
    setText(hint, hintOf(field, strings));
    if (!control.isInvalid()) showMessage(field.problem);
  };
  update(first);
  return { root, key: controlKey(first), update };
}

/** The accepted values, and the default when the value differs from it. */
function hintOf({ declaration, kind, isChanged, value }: Field, strings: FormStrings): string {
  const { min, max, step, maxLength, default: byDefault, options } = declaration;
  const range =
    min !== undefined && max !== undefined
      ? fill(strings.range, min, max)
      : min !== undefined
        ? fill(strings.from, min)
        : max !== undefined
          ? fill(strings.upTo, max)
          : '';
  const facts = [
    range,
    step === undefined || step === 1 ? '' : fill(strings.steps, step),
    maxLength === undefined ? '' : fill(strings.counter, String(value ?? '').length, maxLength),
    kind === 'radios' && !options?.length ? strings.noOptions : '',
  ].filter((fact) => fact !== '');
  const back = isChanged && byDefault !== undefined ? fill(strings.defaultIs, defaultText(declaration, strings)) : '';
  return [facts.join(', '), back].filter((part) => part !== '').join(' · ');
}

function defaultText({ default: value, options, type }: Field['declaration'], strings: FormStrings): string {
  if (type === 'boolean') return value ? strings.yes : strings.no;
  if (value === '') return strings.emptyText;
  const text = options?.find((option) => option.value === value)?.label ?? String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

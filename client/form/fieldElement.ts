// One field of the variables form as elements: a label, a way back to the default, the control, and what is to be said of it.
import { element, fill, icon, setText } from '../webviewElement.ts';
import { type Control, makeControl } from './controls.ts';
import type { Field } from './formModel.ts';
import type { FormStrings } from './formStrings.ts';
import type { Problem } from './valueText.ts';

/** A field on the page. */
export type FieldElement = {
  root: HTMLElement;
  /** What it was made for: another kind of control needs another element. */
  made: string;
  /** Shows other facts; what is being typed stays. */
  update(field: Field): void;
};

export type FieldEvents = {
  /** A value that can be used; undefined: the default. */
  onValue(id: string, value: unknown): void;
};

const resetIcon = 'M8 3a5 5 0 1 1-4.6 3H2.3A6 6 0 1 0 4 3.5V1.8H3V5.3h3.5v-1H4.7A5 5 0 0 1 8 3Z';

/** What decides which control a field has. */
export function controlKey({ kind, declaration }: Field): string {
  const { default: _, ...rest } = declaration;
  return JSON.stringify([kind, rest]);
}

/** Ids of elements; those of variables may hold spaces, which lists of ids cannot. */
let made = 0;

export function createFieldElement(first: Field, strings: FormStrings, events: FieldEvents): FieldElement {
  const { id, label } = first;
  made += 1;
  const base = `field-${made}`;
  const name = element('span', { id: `${base}-label`, className: 'label', textContent: label, title: id });
  const reset = element(
    'button',
    { type: 'button', className: 'icon-button reset', title: fill(strings.reset, label) },
    icon(resetIcon),
  );
  reset.setAttribute('aria-label', fill(strings.reset, label));
  const hint = element('div', { id: `${base}-hint`, className: 'hint' });
  const fault = element('div', { id: `${base}-fault`, className: 'fault', attributes: { 'aria-live': 'polite' } });
  const say = (problem: Problem | undefined) => showFault(problem && fill(strings[problem.say], ...problem.values));
  const showFault = (text: string | undefined) => {
    setText(fault, text ?? '');
    root.classList.toggle('faulty', text !== undefined);
    control.setInvalid(text !== undefined);
  };
  const control: Control = makeControl(first, base, strings, {
    onValue(value) {
      say(undefined);
      events.onValue(id, value);
    },
    onProblem: say,
  });
  const head = element('div', { className: 'head' }, name, reset);
  const root = element('div', { className: `field ${first.kind}`, attributes: { 'data-id': id } });
  root.append(head, control.root, hint, fault);
  // A switch stands beside its name.
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
    if (!control.isFaulty()) showFault(field.problem);
  };
  update(first);
  return { root, made: controlKey(first), update };
}

/** What may be given, and the default where another value is tried. */
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
  const back = isChanged && byDefault !== undefined ? fill(strings.defaultIs, shown(declaration, strings)) : '';
  return [facts.join(', '), back].filter((part) => part !== '').join(' · ');
}

function shown({ default: value, options, type }: Field['declaration'], strings: FormStrings): string {
  if (type === 'boolean') return value ? strings.yes : strings.no;
  if (value === '') return strings.emptyText;
  const text = options?.find((option) => option.value === value)?.label ?? String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

// The form controls for each kind of variable.
import { element, fill } from '../webview/shared/webviewElement.ts';
import type { Field } from './formModel.ts';
import type { FormStrings } from './formStrings.ts';
import { checkColor, checkText, type Problem, stepOf, stepped, textOf } from './valueText.ts';

export type Control = {
  root: HTMLElement;
  /** Shows a value, unless the typed text already means this value or is invalid. */
  show(value: unknown): void;
  /** Discards the typed text. */
  clear(): void;
  focus(): void;
  /** Whether the typed text is invalid. */
  isInvalid(): boolean;
  setInvalid(isInvalid: boolean): void;
};

type Events = { onValue(value: unknown): void; onProblem(problem: Problem): void };

export function createControl(field: Field, base: string, strings: FormStrings, events: Events): Control {
  switch (field.kind) {
    case 'switch':
      return createSwitch(base, events);
    case 'radios':
      return createRadios(field, base, events);
    case 'select':
      return createSelect(field, base, events);
    default:
      return createTextControl(field, base, strings, events);
  }
}

const described = (base: string) => ({
  'aria-labelledby': `${base}-label`,
  'aria-describedby': `${base}-help ${base}-hint ${base}-problem`,
});

/** An input for text, numbers or colors, with a slider or a color picker next to it. */
function createTextControl(field: Field, base: string, strings: FormStrings, events: Events): Control {
  const { declaration, kind } = field;
  const input = createInput(field, base);
  let isInvalid = false;
  const applyText = (text: string) => {
    const checked = checkText(text, declaration);
    isInvalid = 'problem' in checked;
    if ('problem' in checked) return events.onProblem(checked.problem);
    companion?.show(checked.value);
    announceNumber(input, field, checked.value);
    events.onValue(checked.value);
  };
  const replaceText = (text: string) => {
    input.value = text;
    applyText(text);
  };
  const companion = createCompanion(field, strings, replaceText);
  input.addEventListener('input', () => applyText(input.value));
  if (kind === 'color') showColorAsHex(input);
  if (declaration.type === 'number') stepWithArrowKeys(input, field, replaceText);
  return {
    root: textControlRoot(field, input, companion),
    show(value) {
      if (isInvalid) return;
      const checked = checkText(input.value, declaration);
      if ('problem' in checked || checked.value !== value) input.value = textOf(value);
      companion?.show(value);
      announceNumber(input, field, value);
    },
    clear() {
      isInvalid = false;
      input.value = '';
    },
    focus: () => input.focus(),
    isInvalid: () => isInvalid,
    setInvalid: (isInvalid) => input.setAttribute('aria-invalid', String(isInvalid)),
  };
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

function createInput({ declaration, kind }: Field, base: string): TextInput {
  const attributes = described(base);
  const input =
    kind === 'lines' ? element('textarea', { rows: 3, attributes }) : element('input', { type: 'text', attributes });
  input.spellcheck = kind === 'text' || kind === 'lines';
  if (declaration.placeholder !== undefined) input.placeholder = declaration.placeholder;
  if (declaration.type === 'number') {
    input.setAttribute('inputmode', 'decimal');
    input.setAttribute('role', 'spinbutton');
    for (const end of ['min', 'max'] as const)
      if (declaration[end] !== undefined) input.setAttribute(`aria-value${end}`, String(declaration[end]));
  }
  return input;
}

/** Arrow keys change the number without typing, so screen readers need the new value. */
function announceNumber(input: TextInput, { declaration }: Field, value: unknown): void {
  if (declaration.type === 'number') input.setAttribute('aria-valuenow', String(value));
}

/** A color can be typed by name; afterwards the input shows the hexadecimal value. */
function showColorAsHex(input: TextInput): void {
  input.addEventListener('change', () => {
    const checked = checkColor(input.value);
    if ('value' in checked) input.value = String(checked.value);
  });
}

function stepWithArrowKeys(input: TextInput, { declaration }: Field, onText: (text: string) => void): void {
  input.addEventListener('keydown', (event) => {
    const { key, shiftKey } = event as KeyboardEvent;
    const direction = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    const value = Number(input.value);
    if (direction === 0 || !Number.isFinite(value)) return;
    event.preventDefault();
    onText(String(stepped(value, direction * (shiftKey ? 10 : 1), declaration)));
  });
}

function textControlRoot({ declaration }: Field, input: TextInput, companion: Companion | undefined) {
  const root = element('div', { className: 'control' });
  if (companion) root.append(companion.root);
  root.append(input);
  if (declaration.unit) root.append(element('span', { className: 'unit', textContent: declaration.unit }));
  return root;
}

/** A control next to the input that shows the same value. */
type Companion = { root: HTMLElement; show(value: unknown): void };

function createCompanion(field: Field, strings: FormStrings, onText: (text: string) => void): Companion | undefined {
  if (field.kind === 'slider') return createSlider(field, onText);
  return field.kind === 'color' ? createColorPicker(field, strings, onText) : undefined;
}

function createSlider({ declaration, label }: Field, onText: (text: string) => void): Companion {
  const { min = 0, max = 0 } = declaration;
  const range = element('input', {
    type: 'range',
    attributes: {
      min: String(min),
      max: String(max),
      step: String(stepOf({ min, max, step: declaration.step })),
      // The input has the same name; the roles differ.
      'aria-label': label,
    },
  });
  const paint = () => {
    const part = ((Number(range.value) - min) / (max - min)) * 100;
    range.style.setProperty('--part', `${part}%`);
  };
  range.addEventListener('input', () => {
    paint();
    onText(range.value);
  });
  return {
    root: range,
    show(value) {
      if (typeof value === 'number') range.value = String(value);
      paint();
    },
  };
}

function createColorPicker({ label }: Field, strings: FormStrings, onText: (text: string) => void): Companion {
  const picker = element('input', { type: 'color', attributes: { 'aria-label': fill(strings.pickColor, label) } });
  picker.title = fill(strings.pickColor, label);
  picker.addEventListener('input', () => onText(picker.value));
  return {
    root: picker,
    show(value) {
      const checked = checkColor(String(value ?? ''));
      if ('value' in checked) picker.value = String(checked.value);
    },
  };
}

function createSwitch(base: string, events: Events): Control {
  const box = element('input', { type: 'checkbox', attributes: { role: 'switch', ...described(base) } });
  box.addEventListener('change', () => events.onValue(box.checked));
  return {
    root: box,
    show: (value) => {
      box.checked = value === true;
    },
    clear: () => undefined,
    focus: () => box.focus(),
    isInvalid: () => false,
    setInvalid: (isInvalid) => box.setAttribute('aria-invalid', String(isInvalid)),
  };
}

function createRadios({ declaration }: Field, base: string, events: Events): Control {
  const root = element('div', { className: 'control radios', attributes: { role: 'radiogroup', ...described(base) } });
  const radios = (declaration.options ?? []).map(({ value, label }) => {
    const radio = element('input', { type: 'radio', name: base, value });
    radio.addEventListener('change', () => events.onValue(value));
    root.append(element('label', { title: value }, radio, element('span', { textContent: label || value })));
    return radio;
  });
  return {
    root,
    show(value) {
      for (const radio of radios) radio.checked = radio.value === value;
    },
    clear: () => undefined,
    focus: () => (radios.find((radio) => radio.checked) ?? radios[0])?.focus(),
    isInvalid: () => false,
    setInvalid: (isInvalid) => root.setAttribute('aria-invalid', String(isInvalid)),
  };
}

function createSelect({ declaration }: Field, base: string, events: Events): Control {
  const select = element('select', { attributes: described(base) });
  for (const { value, label } of declaration.options ?? [])
    select.append(element('option', { value, textContent: label || value }));
  select.addEventListener('change', () => events.onValue(select.value));
  return {
    root: element('div', { className: 'control' }, select),
    show(value) {
      // Index -1 selects nothing when the value is not an option.
      select.selectedIndex = (declaration.options ?? []).findIndex((option) => option.value === value);
    },
    clear: () => undefined,
    focus: () => select.focus(),
    isInvalid: () => false,
    setInvalid: (isInvalid) => select.setAttribute('aria-invalid', String(isInvalid)),
  };
}

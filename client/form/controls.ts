// The control of each kind of variable: what the user works with, and what comes of it.
import { element, fill } from '../webviewElement.ts';
import type { Field } from './formModel.ts';
import type { FormStrings } from './formStrings.ts';
import { checkColor, checkText, type Problem, stepOf, stepped, textOf } from './valueText.ts';

export type Control = {
  root: HTMLElement;
  /** Shows a value, unless what is typed stands for it, or is being mended. */
  show(value: unknown): void;
  /** Forgets what is typed. */
  clear(): void;
  focus(): void;
  /** What is typed cannot be used. */
  isFaulty(): boolean;
  setInvalid(isInvalid: boolean): void;
};

type Events = { onValue(value: unknown): void; onProblem(problem: Problem): void };

export function makeControl(field: Field, base: string, strings: FormStrings, events: Events): Control {
  switch (field.kind) {
    case 'switch':
      return makeSwitch(base, events);
    case 'radios':
      return makeRadios(field, base, events);
    case 'select':
      return makeSelect(field, base, events);
    default:
      return makeTyped(field, base, strings, events);
  }
}

const described = (base: string) => ({
  'aria-labelledby': `${base}-label`,
  'aria-describedby': `${base}-hint ${base}-fault`,
});

/** Texts, numbers and colours: an input, with a slider or a swatch beside it. */
function makeTyped(field: Field, base: string, strings: FormStrings, events: Events): Control {
  const { declaration, kind } = field;
  const attributes = described(base);
  const input =
    kind === 'lines' ? element('textarea', { rows: 3, attributes }) : element('input', { type: 'text', attributes });
  input.spellcheck = kind === 'text' || kind === 'lines';
  if (declaration.placeholder !== undefined) input.placeholder = declaration.placeholder;
  const root = element('div', { className: 'control' });
  let isFaulty = false;
  /** Arrows change the number where nobody types: what it is now is told, and only to who cannot see it. */
  const tellNumber = (value: unknown) => {
    if (declaration.type === 'number') input.setAttribute('aria-valuenow', String(value));
  };
  const take = (text: string) => {
    const checked = checkText(text, declaration);
    isFaulty = 'problem' in checked;
    if ('problem' in checked) events.onProblem(checked.problem);
    else {
      aside?.show(checked.value);
      tellNumber(checked.value);
      events.onValue(checked.value);
    }
  };
  const put = (text: string) => {
    input.value = text;
    take(text);
  };
  const aside =
    kind === 'slider' ? makeSlider(field, put) : kind === 'color' ? makeSwatch(field, strings, put) : undefined;
  root.append(...(kind === 'color' && aside ? [aside.root, input] : [...(aside ? [aside.root] : []), input]));
  if (declaration.unit) root.append(element('span', { className: 'unit', textContent: declaration.unit }));
  input.addEventListener('input', () => take(input.value));
  if (kind === 'color') {
    // A colour may be typed by its name; what is used is shown when that is done.
    input.addEventListener('change', () => {
      const checked = checkColor(input.value);
      if ('value' in checked) input.value = String(checked.value);
    });
  }
  if (declaration.type === 'number') {
    input.setAttribute('inputmode', 'decimal');
    input.setAttribute('role', 'spinbutton');
    for (const end of ['min', 'max'] as const)
      if (declaration[end] !== undefined) input.setAttribute(`aria-value${end}`, String(declaration[end]));
    input.addEventListener('keydown', (event) => {
      const { key, shiftKey } = event as KeyboardEvent;
      const direction = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
      const value = Number(input.value);
      if (direction === 0 || !Number.isFinite(value)) return;
      event.preventDefault();
      put(String(stepped(value, direction * (shiftKey ? 10 : 1), declaration)));
    });
  }
  return {
    root,
    show(value) {
      const checked = checkText(input.value, declaration);
      const isShown = !isFaulty && 'value' in checked && checked.value === value;
      if (!isFaulty && !isShown) input.value = textOf(value);
      if (isFaulty) return;
      aside?.show(value);
      tellNumber(value);
    },
    clear() {
      isFaulty = false;
      input.value = '';
    },
    focus: () => input.focus(),
    isFaulty: () => isFaulty,
    setInvalid: (isInvalid) => input.setAttribute('aria-invalid', String(isInvalid)),
  };
}

type Aside = { root: HTMLElement; show(value: unknown): void };

function makeSlider({ declaration, label }: Field, put: (text: string) => void): Aside {
  const { min = 0, max = 0 } = declaration;
  const range = element('input', {
    type: 'range',
    attributes: {
      min: String(min),
      max: String(max),
      step: String(stepOf({ min, max, step: declaration.step })),
      // Beside a field of the same name: the role tells them apart.
      'aria-label': label,
    },
  });
  const paint = () => {
    const part = ((Number(range.value) - min) / (max - min)) * 100;
    range.style.setProperty('--part', `${part}%`);
  };
  range.addEventListener('input', () => {
    paint();
    put(range.value);
  });
  return {
    root: range,
    show(value) {
      if (typeof value === 'number') range.value = String(value);
      paint();
    },
  };
}

function makeSwatch({ label }: Field, strings: FormStrings, put: (text: string) => void): Aside {
  const picker = element('input', { type: 'color', attributes: { 'aria-label': fill(strings.pickColor, label) } });
  picker.title = fill(strings.pickColor, label);
  picker.addEventListener('input', () => put(picker.value));
  return {
    root: picker,
    show(value) {
      const checked = checkColor(String(value ?? ''));
      if ('value' in checked) picker.value = String(checked.value);
    },
  };
}

function makeSwitch(base: string, events: Events): Control {
  const box = element('input', { type: 'checkbox', attributes: { role: 'switch', ...described(base) } });
  box.addEventListener('change', () => events.onValue(box.checked));
  return {
    root: box,
    show: (value) => {
      box.checked = value === true;
    },
    clear: () => undefined,
    focus: () => box.focus(),
    isFaulty: () => false,
    setInvalid: (isInvalid) => box.setAttribute('aria-invalid', String(isInvalid)),
  };
}

function makeRadios({ declaration }: Field, base: string, events: Events): Control {
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
    isFaulty: () => false,
    setInvalid: (isInvalid) => root.setAttribute('aria-invalid', String(isInvalid)),
  };
}

function makeSelect({ declaration }: Field, base: string, events: Events): Control {
  const select = element('select', { attributes: described(base) });
  for (const { value, label } of declaration.options ?? [])
    select.append(element('option', { value, textContent: label || value }));
  select.addEventListener('change', () => events.onValue(select.value));
  return {
    root: element('div', { className: 'control' }, select),
    show(value) {
      // None is chosen where the value is none of the options.
      select.selectedIndex = (declaration.options ?? []).findIndex((option) => option.value === value);
    },
    clear: () => undefined,
    focus: () => select.focus(),
    isFaulty: () => false,
    setInvalid: (isInvalid) => select.setAttribute('aria-invalid', String(isInvalid)),
  };
}

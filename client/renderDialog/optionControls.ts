// The controls for the options of a video in the render dialog. They run in its page.
import { element } from '../webview/shared/webviewElement.ts';

/** A control with its label. `update` shows a value, unless the user is typing. */
export type OptionControl = {
  root: HTMLElement;
  update(value: string): void;
  setHint(text: string): void;
  setDisabled(isDisabled: boolean): void;
};

export type Option = { value: string; label: string };

let count = 0;

/** Segmented buttons: all options are visible. */
export function segmentedControl(
  label: string,
  options: readonly Option[],
  onValue: (value: string) => void,
): OptionControl {
  const base = `option-${++count}`;
  const group = element('div', {
    className: 'control radios',
    attributes: { role: 'radiogroup', 'aria-labelledby': `${base}-label`, 'aria-describedby': `${base}-hint` },
  });
  const radios = options.map((option) => {
    const radio = element('input', { type: 'radio', name: base, value: option.value });
    radio.addEventListener('change', () => onValue(option.value));
    group.append(element('label', {}, radio, element('span', { textContent: option.label })));
    return radio;
  });
  return labelled(base, label, group, {
    update(value) {
      for (const radio of radios) radio.checked = radio.value === value;
    },
    setDisabled(isDisabled) {
      for (const radio of radios) radio.disabled = isDisabled;
    },
  });
}

/** A list with the default first, whose value is empty. */
export function listControl(
  label: string,
  options: readonly Option[],
  onValue: (value: string) => void,
): OptionControl & { setDefault(text: string): void; setAvailable(values: readonly string[]): void } {
  const base = `option-${++count}`;
  const select = element('select', { id: base, attributes: { 'aria-labelledby': `${base}-label` } });
  select.append(...options.map(({ value, label: textContent }) => element('option', { value, textContent })));
  select.addEventListener('change', () => onValue(select.value));
  const control = labelled(base, label, element('div', { className: 'control' }, select), {
    update(value) {
      select.value = value;
    },
    setDisabled(isDisabled) {
      select.disabled = isDisabled;
    },
  });
  return {
    ...control,
    setDefault(text) {
      const first = select.options[0];
      if (first) first.textContent = text;
    },
    setAvailable(values) {
      for (const option of select.options) option.disabled = option.value !== '' && !values.includes(option.value);
    },
  };
}

/** A line of text. `suggestions` can be chosen from a list, and anything else can be typed. */
export function textControl(
  label: string,
  onValue: (value: string) => void,
  suggestions: readonly string[] = [],
): OptionControl & { setPlaceholder(text: string): void } {
  const base = `option-${++count}`;
  const input = element('input', {
    id: base,
    type: 'text',
    spellcheck: false,
    attributes: { 'aria-labelledby': `${base}-label`, 'aria-describedby': `${base}-hint` },
  });
  const row = element('div', { className: 'control' }, input);
  if (suggestions.length > 0) {
    input.setAttribute('list', `${base}-list`);
    const options = suggestions.map((value) => element('option', { value }));
    row.append(element('datalist', { id: `${base}-list` }, ...options));
  }
  input.addEventListener('input', () => onValue(input.value));
  const control = labelled(base, label, row, {
    update(value) {
      if (document.activeElement !== input) input.value = value;
    },
    setDisabled(isDisabled) {
      input.disabled = isDisabled;
    },
  });
  return {
    ...control,
    setPlaceholder(text) {
      input.placeholder = text;
    },
  };
}

/** Several controls in one row. */
export function optionRow(...controls: readonly OptionControl[]): HTMLElement {
  return element('div', { className: 'option-row' }, ...controls.map(({ root }) => root));
}

function labelled(
  base: string,
  label: string,
  control: HTMLElement,
  rest: Pick<OptionControl, 'update' | 'setDisabled'>,
): OptionControl {
  const name = element('label', { id: `${base}-label`, className: 'label', textContent: label });
  if (control.querySelector(`#${base}`)) name.htmlFor = base;
  const hint = element('div', { id: `${base}-hint`, className: 'hint' });
  const root = element('div', { className: 'option' }, element('div', { className: 'head' }, name), control, hint);
  return {
    root,
    ...rest,
    setHint(text) {
      if (hint.textContent !== text) hint.textContent = text;
    },
    setDisabled(isDisabled) {
      root.classList.toggle('disabled', isDisabled);
      rest.setDisabled(isDisabled);
    },
  };
}

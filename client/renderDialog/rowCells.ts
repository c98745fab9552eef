// The cells of the table of rows: a control for each type of variable. Runs in the page of the render dialog.
import { opaqueColor } from '../../renderer-core/model/text/cssColors.ts';
import { textOf } from '../form/valueText.ts';
import { element } from '../webview/shared/webviewElement.ts';
import type { Column } from './rowMessages.ts';

export type Cell = {
  root: HTMLElement;
  /** Cells of another kind need a new element. */
  kind: CellKind;
  /** Shows a value and its problem, unless the user is typing. */
  update(value: unknown, problem: string): void;
};

export type CellKind = 'text' | 'number' | 'color' | 'switch' | 'select';

/** A value that does not fit the control of its type is shown as text. */
export function cellKind({ declaration }: Column, value: unknown): CellKind {
  if (declaration?.type === 'boolean') return value === undefined || typeof value === 'boolean' ? 'switch' : 'text';
  if (declaration?.type === 'enum') return 'select';
  if (declaration?.type === 'number') return 'number';
  return declaration?.type === 'color' ? 'color' : 'text';
}

type Control = { elements: HTMLElement[]; show(value: unknown): void };
type Declaration = Column['declaration'];
/** Gets undefined when the row has no value of its own. */
type OnValue = (value: unknown) => void;

/** `name`: for screen readers. */
export function createCell({ declaration }: Column, kind: CellKind, name: string, onValue: OnValue): Cell {
  const control = createControl(declaration, kind, onValue);
  const root = element('div', { className: `cell ${kind}`, attributes: { role: 'cell' } }, ...control.elements);
  for (const one of control.elements) one.setAttribute('aria-label', name);
  return {
    root,
    kind,
    update(value, problem) {
      root.classList.toggle('invalid', problem !== '');
      root.classList.toggle('unset', value === undefined);
      root.title = problem;
      for (const one of control.elements) {
        one.setAttribute('aria-invalid', String(problem !== ''));
        one.setAttribute('aria-label', problem === '' ? name : `${name}: ${problem}`);
      }
      control.show(value);
    },
  };
}

function createControl(declaration: Declaration, kind: CellKind, onValue: OnValue): Control {
  if (kind === 'select') return createSelect(declaration, onValue);
  if (kind !== 'switch') return createText(declaration, kind, onValue);
  const input = element('input', { type: 'checkbox' });
  input.addEventListener('change', () => onValue(input.checked));
  return {
    elements: [input],
    show(value) {
      input.checked = (value ?? declaration?.default) === true;
    },
  };
}

function createSelect(declaration: Declaration, onValue: OnValue): Control {
  const options = declaration?.options ?? [];
  const select = element('select');
  select.addEventListener('change', () => onValue(select.value === '' ? undefined : select.value));
  return {
    elements: [select],
    show(value) {
      const byDefault = declaration?.default;
      const known = options.some((option) => option.value === value);
      const label = options.find((option) => option.value === byDefault)?.label ?? textOf(byDefault);
      const shown = [
        { value: '', label: label || '–' },
        ...options,
        ...(value === undefined || known ? [] : [{ value: textOf(value), label: textOf(value) }]),
      ];
      select.replaceChildren(
        ...shown.map((option) => element('option', { value: String(option.value), textContent: option.label })),
      );
      select.value = value === undefined ? '' : textOf(value);
    },
  };
}

function createText(declaration: Declaration, kind: CellKind, onValue: OnValue): Control {
  const byDefault = declaration?.default;
  const input = element('input', { type: 'text', spellcheck: false, placeholder: textOf(byDefault) });
  if (kind === 'number') input.setAttribute('inputmode', 'decimal');
  let isTyping = false;
  input.addEventListener('input', () => {
    isTyping = true;
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') input.blur();
  });
  input.addEventListener('change', () => {
    isTyping = false;
    onValue(typedValue(input.value, declaration?.type, kind));
  });
  const picker = kind === 'color' ? element('input', { type: 'color', tabIndex: -1 }) : undefined;
  picker?.addEventListener('change', () => onValue(picker.value));
  return {
    elements: picker ? [picker, input] : [input],
    show(value) {
      if (!isTyping) input.value = textOf(value);
      if (picker) picker.value = opaqueColor(textOf(value ?? byDefault)) ?? '#000000';
    },
  };
}

/** Text that is not a number stays text, so that nothing is lost; the check of the rows reports it. */
function typedValue(text: string, type: string | undefined, kind: CellKind): unknown {
  if (text === '') return undefined;
  if (kind === 'number' && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text.trim())) return text.trim() === 'true';
  return text;
}

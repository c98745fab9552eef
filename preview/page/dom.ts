// Creates the controls that the preview page consists of.
import { element } from './element.ts';
import { type IconName, icons } from './icons.ts';
import { type TextKey, text, whenTexts } from './texts.ts';

export type IconButton = HTMLButtonElement & { show(icon: IconName, label: TextKey): void };

/** `keys` is the shortcut, shown after the label. */
export function iconButton(icon: IconName, label: TextKey, keys: string, onClick: () => void): IconButton {
  const button = element('button', { type: 'button', class: 'icon' }) as IconButton;
  let current = label;
  const updateLabel = () => {
    button.title = keys === '' ? text(current) : `${text(current)} (${keys})`;
    button.setAttribute('aria-label', text(current));
  };
  button.show = (next, nextLabel) => {
    button.innerHTML = icons[next];
    current = nextLabel;
    updateLabel();
  };
  button.show(icon, label);
  whenTexts(updateLabel);
  button.addEventListener('click', onClick);
  return button;
}

/** Sets the state of a toggle button. */
export function press(button: HTMLButtonElement, pressed: boolean): void {
  button.setAttribute('aria-pressed', String(pressed));
}

/** A select element. Labels with a `key` are translated. */
export function chooser(
  label: TextKey,
  options: readonly (readonly [value: string, label: string | { key: TextKey }])[],
  onChange: (value: string) => void,
): HTMLSelectElement {
  const select = element('select');
  for (const [value, shown] of options) {
    const option = element('option', { value });
    whenTexts(() => {
      option.textContent = typeof shown === 'string' ? shown : text(shown.key);
    });
    select.append(option);
  }
  whenTexts(() => {
    select.title = text(label);
    select.setAttribute('aria-label', text(label));
  });
  select.addEventListener('change', () => {
    onChange(select.value);
    // So that keys control the preview again.
    select.blur();
  });
  return select;
}

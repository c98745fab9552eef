// Makes the few kinds of elements that the preview's page is built of.
import { type IconName, icons } from './icons.ts';
import { type TextKey, text, whenTexts } from './texts.ts';

type Attributes = Record<string, string>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export type IconButton = HTMLButtonElement & { show(icon: IconName, label: TextKey): void };

/** `keys` is shown behind the label: the key that does the same. */
export function iconButton(icon: IconName, label: TextKey, keys: string, onClick: () => void): IconButton {
  const button = element('button', { type: 'button', class: 'icon' }) as IconButton;
  let current = label;
  const name = () => {
    button.title = keys === '' ? text(current) : `${text(current)} (${keys})`;
    button.setAttribute('aria-label', text(current));
  };
  button.show = (next, nextLabel) => {
    button.innerHTML = icons[next];
    current = nextLabel;
    name();
  };
  button.show(icon, label);
  whenTexts(name);
  button.addEventListener('click', onClick);
  return button;
}

/** A button that stays down: `pressed` says whether it is. */
export function press(button: HTMLButtonElement, pressed: boolean): void {
  button.setAttribute('aria-pressed', String(pressed));
}

/** Options by value; labels that are keys of texts are translated. */
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
    // Keys belong to the preview again.
    select.blur();
  });
  return select;
}

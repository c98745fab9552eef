// A popup next to an element: its colors, its image and its text, and a button that turns each into a variable. A module of its
// own, which the page loads when it is first needed.
import type { ElementPart, FromPage, MenuTexts, PartReference, PartSource, PreviewElement } from '../../messages.ts';
import type { WithoutName } from '../editor.ts';
import { element } from '../element.ts';
import { markOf, nameOf } from '../marks.ts';
import type { Screen } from '../screen.ts';
import { hostsOf, placeOf } from './textPlace.ts';

export type ElementMenu = {
  /** Asks the editor for the parts of an element. `node`: the text that is meant. */
  open(at: Element, node: Text | undefined, screen: Screen): void;
  found(parts: ElementPart[], texts: MenuTexts): void;
  /** The editor's response to a change. */
  edited(reason: string | null): void;
  close(): void;
};

type Post = (message: WithoutName<FromPage>) => void;

/** A part with the source that sets it, and the element that the source applies to. */
type Row = { part: ElementPart; source: PartSource; index: number; holder: Element };

type Menu = {
  root: HTMLElement;
  post: Post;
  asked?: { at: Element; place: PreviewElement; screen: Screen } | undefined;
  isSent: boolean;
  /** Undoes what is shown while a color is being chosen. */
  restore(): void;
};

/** `onClose`: the focus returns to the page. */
export function createElementMenu(parent: HTMLElement, post: Post, onClose: () => void): ElementMenu {
  const root = element('section', { class: 'menu', popover: 'auto', role: 'dialog' });
  parent.append(root);
  const menu: Menu = { root, post, isSent: false, restore() {} };
  root.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState !== 'closed') return;
    if (!menu.isSent) menu.restore();
    onClose();
  });
  // The shortcuts of the preview must not see keys that are for the popup.
  root.addEventListener('keydown', (event) => event.stopPropagation());
  return {
    open: (at, node, screen) => ask(menu, at, node, screen),
    found: (parts, texts) => showParts(menu, parts, texts),
    edited(reason) {
      if (reason !== null) menu.restore();
    },
    close() {
      menu.asked = undefined;
      if (root.matches(':popover-open')) root.hidePopover();
    },
  };
}

function ask(menu: Menu, at: Element, node: Text | undefined, screen: Screen): void {
  const found = markOf(at, screen.facts.files);
  if (!found) return;
  const text = node && placeOf(node, screen)?.text;
  const { file, start: offset } = found.mark;
  const hosts = hostsOf(found.element, screen.facts.files);
  const place = { file, offset, hosts, ...(text?.file === file ? { text: text.shown } : {}) };
  menu.asked = { at: found.element, place, screen };
  menu.post({ type: 'findParts', element: place });
}

function showParts(menu: Menu, parts: ElementPart[], texts: MenuTexts): void {
  const { root } = menu;
  const { at, place, screen } = menu.asked ?? {};
  if (!at?.isConnected || !place || !screen) return;
  menu.isSent = false;
  menu.restore = () => {};
  const rows = parts.flatMap((part) => rowFor(part, at, place.file, screen, texts));
  root.setAttribute('aria-label', nameOf(at));
  root.replaceChildren(
    element('strong', {}, nameOf(at)),
    ...(rows.length === 0 ? [element('p', { class: 'hint' }, texts.none)] : []),
    ...rows.flatMap((row) => rowElements(menu, row, at, texts, place)),
  );
  root.showPopover();
  placeNextTo(root, at, screen);
  (root.querySelector<HTMLElement>('input, select, button:not([hidden])') ?? root).focus();
}

function rowElements(menu: Menu, row: Row, at: Element, texts: MenuTexts, place: PreviewElement): HTMLElement[] {
  const { part, source, index, holder } = row;
  const { variable, property } = source;
  const reference: PartReference = { name: part.name, index, value: source.value };
  const label = texts[part.name];
  const reason = source.reason ?? (isShown(part, source, holder) ? undefined : texts.other);
  const add = element('button', { type: 'button', class: 'link' }, texts.addVariable);
  add.setAttribute('aria-label', `${texts.addVariable}: ${label}`);
  add.hidden = variable !== undefined || reason !== undefined;
  add.addEventListener('click', () => {
    menu.root.hidePopover();
    menu.post({ type: 'addVariable', element: place, part: reference });
  });
  const control = valueControl(menu, row, label, reason === undefined, (value) => {
    menu.isSent = value !== source.value;
    if (menu.isSent) menu.post({ type: 'changePart', element: place, part: reference, value });
    menu.root.hidePopover();
  });
  const bound = variable === undefined ? '' : texts.variable.replace('{0}', () => variable);
  // What else changes: the elements of a rule, those that inherit the color, and those that read the custom property.
  const where = [source.selector ?? (holder === at ? '' : nameOf(holder)), property].filter(Boolean).join(' · ');
  return [
    element('span', {}, label, ...(where === '' ? [] : [element('span', { class: 'hint' }, ` ${where}`)])),
    control,
    add.hidden ? element('span', { class: 'hint' }, bound) : add,
    ...(reason === undefined ? [] : [reasonLine(menu, reason, source, texts, place)]),
  ];
}

/** Why a part cannot be changed, and a link to its source. */
function reasonLine(
  { root, post }: Menu,
  reason: string,
  { at }: PartSource,
  { goTo }: MenuTexts,
  { file, offset }: PreviewElement,
): HTMLElement {
  const link = element('button', { type: 'button', class: 'link' }, goTo);
  link.addEventListener('click', () => {
    root.hidePopover();
    post({ type: 'reveal', file, offset: at ?? offset });
  });
  return element('p', { class: 'hint' }, `${reason} `, link);
}

function valueControl(
  menu: Menu,
  { part, source: { value }, holder }: Row,
  label: string,
  canChange: boolean,
  onChange: (value: string) => void,
): HTMLElement {
  if (!canChange) return element('span', { class: 'value' }, value);
  if (part.name === 'text') return element('span', { class: 'value' }, value.replace(/\s+/g, ' ').trim());
  if (part.files) return fileList(part.files, value, label, onChange);
  const field = element('input', { type: 'color', 'aria-label': label, value });
  // Shows the color while it is being chosen.
  field.addEventListener('input', () => {
    menu.restore();
    const before = holder.getAttribute('style');
    menu.restore = () => (before === null ? holder.removeAttribute('style') : holder.setAttribute('style', before));
    (holder as HTMLElement).style.setProperty(part.name, field.value, 'important');
  });
  field.addEventListener('change', () => onChange(field.value));
  return field;
}

/**
 * The source of the file that wins for an element, or for its nearest ancestor if the part is inherited. Empty if there is nothing
 * to show.
 */
function rowFor(part: ElementPart, at: Element, file: string, { facts }: Screen, texts: MenuTexts): Row[] {
  const isInherited = part.name !== 'background-color';
  for (let holder: Element | null = at; holder; holder = isInherited ? holder.parentElement : null) {
    const own = holder;
    const mark = markOf(own, facts.files)?.mark;
    // Styles of an embedded file apply to its host as their root, and to nothing around it.
    const isHost = mark !== undefined && mark.file !== file;
    const found = part.sources.filter(({ selector = '', offset }) => {
      if (isHost) return /^(?:html|body|:root)$/i.test(selector);
      return offset === undefined ? matches(own, selector) : mark?.start === offset;
    });
    const source = nearest(found, own);
    if (source) return [{ part, source, index: part.sources.indexOf(source), holder }];
    if (isHost) break;
  }
  const shown = shownColor(part.name, at);
  const isSet = part.name === 'color' || (shown !== undefined && shown !== '');
  return isSet ? [{ part, source: { value: shown ?? '', reason: texts.notFound }, index: -1, holder: at }] : [];
}

/**
 * The first source, or else the one of its custom property that an element inherits: from the nearest element that defines it, and
 * there from the rule that wins.
 */
function nearest([first, ...others]: readonly PartSource[], element: Element): PartSource | undefined {
  if (!first?.from) return first;
  const isSame = ({ selector, offset }: PartSource) => selector === first.selector && offset === first.offset;
  const all = [first, ...others.filter(isSame)].map((source) => ({ source, distance: distanceTo(source, element) }));
  all.sort((a, b) => a.distance - b.distance);
  return all[0]?.source;
}

/** The number of elements up to the first definition that the source comes from. */
function distanceTo({ from = [] }: PartSource, element: Element): number {
  const distances = from.map((selectors) => {
    let steps = 0;
    for (let at: Element | null = element; at; at = at.parentElement, steps++)
      if (selectors.some((selector) => matches(at, selector))) return steps;
    return Number.POSITIVE_INFINITY;
  });
  // All of them must apply; the first one is the property that the element uses.
  return distances.includes(Number.POSITIVE_INFINITY) ? Number.POSITIVE_INFINITY : (distances[0] ?? 0);
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

/** Whether the frame has the color of the source: a script, an animation or another style sheet may set it. */
const isShown = ({ name }: ElementPart, { value }: PartSource, holder: Element): boolean =>
  name === 'text' || name === 'image' || shownColor(name, holder) === value.toLowerCase();

/** The color as `#rrggbb`; empty if it is transparent. */
function shownColor(name: string, element: Element): string | undefined {
  const written = getComputedStyle(element).getPropertyValue(name);
  const [red, green, blue, alpha = 1] = (/^rgba?\(([^)]*)\)$/.exec(written)?.[1] ?? '').split(',').map(Number);
  if (alpha === 0) return '';
  if (red === undefined || green === undefined || blue === undefined || alpha < 1) return undefined;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function fileList(
  files: readonly string[],
  value: string,
  label: string,
  onChange: (value: string) => void,
): HTMLElement {
  const list = element('select', { 'aria-label': label });
  for (const file of files.includes(value) ? files : [value, ...files]) list.append(element('option', {}, file));
  list.value = value;
  list.addEventListener('change', () => onChange(list.value));
  return list;
}

/** Below the element if there is room, otherwise above it. */
function placeNextTo(root: HTMLElement, at: Element, { frame }: Screen): void {
  const outer = frame.getBoundingClientRect();
  const box = at.getBoundingClientRect();
  const scale = outer.width / frame.clientWidth;
  const { width, height } = root.getBoundingClientRect();
  const clamp = (wanted: number, most: number) => Math.max(8, Math.min(wanted, most - 8));
  const below = outer.top + box.bottom * (outer.height / frame.clientHeight) + 8;
  const above = outer.top + box.top * (outer.height / frame.clientHeight) - height - 8;
  const top = below + height <= innerHeight - 8 ? below : above;
  root.style.left = `${clamp(outer.left + box.left * scale, innerWidth - width)}px`;
  root.style.top = `${clamp(top, innerHeight - height)}px`;
}

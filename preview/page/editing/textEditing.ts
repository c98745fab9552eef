// Edits a text of the composition where it is shown. The editor finds the text in the source and changes it.
import type { FoundText, PreviewText } from '../../messages.ts';
import { nameOf } from '../marks.ts';
import type { Screen } from '../screen.ts';
import { text } from '../texts.ts';
import { placeOf, type TextPlace } from './textPlace.ts';

export type TextEditingEvents = {
  /** The editor responds with `foundText`. */
  find(text: PreviewText): void;
  /** The editor responds with `textEdited`. */
  change(text: PreviewText, value: string): void;
  /** Outlines the element that is edited. */
  show(element: Element, label: string): void;
  onEnd(): void;
  onReason(reason: string): void;
  /** A shortcut of the editor. */
  onKey(event: KeyboardEvent): void;
};

type Editing = TextPlace & { field: HTMLElement; nodes: ChildNode[]; value: string; lines: boolean; isSent: boolean };

/** Keys that edit the text; with Ctrl, others are shortcuts of the editor. */
const editingKeys = /^(?:[acvxzy]|Arrow.*|Home|End|Backspace|Delete|Control|Meta|Shift)$/i;

export class TextEditing {
  private readonly events: TextEditingEvents;
  private asked: TextPlace | undefined;
  private editing: Editing | undefined;

  constructor(events: TextEditingEvents) {
    this.events = events;
  }

  get isActive(): boolean {
    return this.asked !== undefined || this.editing !== undefined;
  }

  /** Returns false if the text is not in the source. */
  start(node: Text, screen: Screen): boolean {
    const place = placeOf(node, screen);
    if (!place || this.editing) return place !== undefined;
    this.asked = place;
    this.events.find(place.text);
    return true;
  }

  found(found: FoundText): void {
    const place = this.asked;
    this.asked = undefined;
    if (!place?.holder.isConnected) return;
    if ('reason' in found) this.events.onReason(found.reason);
    else if (place.holder.namespaceURI?.endsWith('/svg')) this.events.onReason(text('svgText'));
    else this.edit(place, found);
  }

  /** The editor's response to `change`. Otherwise the page is loaded again with the new text. */
  edited(reason: string | null): void {
    if (reason === null) return;
    this.restore();
    this.events.onReason(reason);
  }

  /** Another page is shown. */
  discard(): void {
    const { editing } = this;
    this.editing = undefined;
    // The editing of a text that was sent has ended before. Since then, the user may have moved the focus to the editor.
    if (editing?.isSent === false) this.events.onEnd();
  }

  private edit(place: TextPlace, found: Exclude<FoundText, { reason: string }>): void {
    const { holder } = place;
    const page = holder.ownerDocument;
    const field = page.createElement('framework-text');
    field.style.cssText =
      'all:unset;white-space:pre-wrap;user-select:text;-webkit-user-select:text;pointer-events:auto;cursor:text';
    field.textContent = found.text;
    field.contentEditable = 'plaintext-only';
    field.setAttribute('role', 'textbox');
    const label = found.variable === undefined ? nameOf(holder) : text('variable', found.variable);
    field.setAttribute('aria-label', label);
    // The value of a variable replaces what a script has made of it.
    const nodes = found.variable === undefined ? place.nodes : [...holder.childNodes];
    nodes[0]?.before(field);
    for (const node of nodes) node.remove();
    this.editing = { ...place, field, nodes, value: found.text, lines: found.lines, isSent: false };
    const show = () => this.events.show(holder, `${label} · ${text(found.lines ? 'editLines' : 'editLine')}`);
    show();
    field.addEventListener('input', show);
    field.addEventListener('keydown', (event) => this.onKey(event));
    field.addEventListener('blur', () => this.commit());
    page.defaultView?.focus();
    field.focus();
    page.getSelection()?.selectAllChildren(field);
  }

  private onKey(event: KeyboardEvent): void {
    // The composition's scripts and the preview's shortcuts must not see it.
    event.stopPropagation();
    const { key } = event;
    if (event.isComposing) return;
    if (key === 'Escape') this.restore();
    else if (key === 'Enter' && event.shiftKey && this.editing?.lines)
      this.editing.field.ownerDocument.execCommand('insertLineBreak');
    else if (key === 'Enter' && !event.shiftKey) this.commit();
    else if (key !== 'Enter') {
      if ((event.ctrlKey || event.metaKey) && !editingKeys.test(key)) this.events.onKey(event);
      return;
    }
    event.preventDefault();
  }

  private commit(): void {
    const { editing } = this;
    if (!editing || editing.isSent) return;
    const typed = textOf(editing.field).replace(/\n+$/, '');
    const value = editing.lines ? typed : typed.replace(/\s*\n\s*/g, ' ');
    if (value === editing.value) {
      this.restore();
      return;
    }
    editing.isSent = true;
    editing.field.contentEditable = 'false';
    this.events.change(editing.text, value);
    this.events.onEnd();
  }

  private restore(): void {
    const { editing } = this;
    if (!editing) return;
    // Removing the field causes `blur`.
    this.editing = undefined;
    editing.field.before(...editing.nodes);
    editing.field.remove();
    this.events.onEnd();
  }
}

/** Not `innerText`, which contains the effects of `text-transform`. */
function textOf(node: Node): string {
  if (node.nodeName === 'BR') return '\n';
  return node.nodeType === 3 ? (node as Text).data : [...node.childNodes].map(textOf).join('');
}

// Completion items as text of the file: encoded for the quotes around them, with the range that they replace.
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type MarkupContent,
} from 'vscode-languageserver-types';
import { encodeAttributeText, type Quote } from '../../renderer-core/model/attributeText.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import { rangeOf, type SourceFile } from './file.ts';
import type { ValuePlace } from './place.ts';

/** What is offered, in decoded text. `sort` orders the list; `filter` is what typing is compared with, else the label. */
export type Offer = {
  label: string;
  text?: string;
  kind?: CompletionItemKind;
  detail?: string | undefined;
  documentation?: string | undefined;
  sort?: number;
  filter?: string;
  /** `text` has tab stops. */
  isSnippet?: boolean;
  /** Choosing it is not the end: the list opens again. */
  opensList?: boolean;
};

/** Asks the editor for the list again. Editors that do not know the command leave it. */
export const openList = { title: 'Suggest', command: 'editor.action.triggerSuggest' };

/** An item that replaces `span` by plain text of the file. */
export function itemAt(file: SourceFile, span: Span, offer: Offer): CompletionItem {
  const { label, text = label, kind = CompletionItemKind.Value, filter = label } = offer;
  return {
    label,
    kind,
    filterText: filter,
    textEdit: { range: rangeOf(file, span), newText: text },
    insertTextFormat: offer.isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(offer.sort !== undefined && { sortText: String(offer.sort).padStart(6, '0') }),
    ...(offer.detail && { detail: offer.detail }),
    ...(offer.documentation && { documentation: markdown(offer.documentation) }),
    ...(offer.opensList && { command: openList }),
  };
}

/** An item that replaces a whole value, or the part of it that `span` covers. A value without quotes gets some. */
export function valueItem(
  file: SourceFile,
  place: ValuePlace,
  offset: number,
  offer: Offer,
  span?: Span,
): CompletionItem {
  const { quote } = place.text;
  const encoded = encoder(quote === '' && !span ? '"' : quote);
  const text = encoded(offer.text ?? offer.label);
  return itemAt(file, span ?? lineSpan(file, place.text.span, offset), {
    ...offer,
    text: quote === '' && !span ? `"${text}"` : text,
    filter: encoded(offer.filter ?? offer.label),
  });
}

export function encoder(quote: Quote): (text: string) => string {
  return (text) => encodeAttributeText(text, quote);
}

export function markdown(value: string): MarkupContent {
  return { kind: 'markdown', value };
}

/**
 * The part of a value that an item replaces: what stands on the cursor's line, and nothing of the tags that a value without a
 * closing quote has swallowed.
 */
export function lineSpan({ composition: { text } }: SourceFile, { start, end }: Span, offset: number): Span {
  const front = text.slice(start, offset);
  const behind = text.slice(offset, end);
  const stop = behind.search(/[\r\n<>]/);
  return {
    start: start + Math.max(front.lastIndexOf('\n'), front.lastIndexOf('\r'), front.lastIndexOf('>')) + 1,
    end: stop < 0 ? end : offset + stop,
  };
}

const wholeString = /^"(?:[^"\\]|\\.)*"$/s;

/** A string that nothing closes runs on into the brackets behind it; those are not replaced. */
export function tokenEnd(text: string, start: number, end: number, at: number): number {
  return end > at && text[start] === '"' && !wholeString.test(text.slice(start, end)) ? at : end;
}

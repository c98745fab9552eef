// Builds completion items: encodes their text for the surrounding quotes and determines the range to replace.
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type MarkupContent,
} from 'vscode-languageserver-types';
import { encodeAttributeText, type Quote } from '../../../renderer-core/model/text/attributeText.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import type { ValueContext } from '../cursorContext.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** One suggestion, in decoded text. `sort`: position in the list. `filter`: the text to compare with, by default the label. */
export type Offer = {
  label: string;
  text?: string;
  kind?: CompletionItemKind;
  detail?: string | undefined;
  documentation?: string | undefined;
  sort?: number;
  filter?: string;
  /** `text` contains tab stops. */
  isSnippet?: boolean;
  /** Opens the list again after choosing this item. */
  opensList?: boolean;
};

/** Opens the list of completions again. Editors that do not know the command ignore it. */
export const openList = { title: 'Suggest', command: 'editor.action.triggerSuggest' };

/** Creates an item that replaces `span` with `text`. */
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

/** Creates an item that replaces a whole value, or the part of it in `span`. Adds quotes to an unquoted value. */
export function valueItem(
  file: SourceFile,
  context: ValueContext,
  offset: number,
  offer: Offer,
  span?: Span,
): CompletionItem {
  const { quote } = context.text;
  const encoded = encoder(quote === '' && !span ? '"' : quote);
  const text = encoded(offer.text ?? offer.label);
  return itemAt(file, span ?? lineSpan(file, context.text.span, offset), {
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
 * The part of a value that an item replaces: the text on the cursor's line, without tags that a value with a missing closing
 * quote has swallowed.
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

/** An unclosed string extends into the brackets after it, which must not be replaced. */
export function tokenEnd(text: string, start: number, end: number, at: number): number {
  return end > at && text[start] === '"' && !wholeString.test(text.slice(start, end)) ? at : end;
}

// Expand selection: from a JSON token through member, object and attribute to the tag. The HTML language server does the rest.
import type { SelectionRange } from 'vscode-languageserver-types';
import { attributeSpec } from '../../../renderer-core/model/attributes.ts';
import type { HtmlAttribute, HtmlElement } from '../../../renderer-core/model/html.ts';
import type { JsonNode } from '../../../renderer-core/model/jsonText.ts';
import { type Span, touches } from '../../../renderer-core/model/spans.ts';
import { insideQuotes } from '../names/spelling.ts';
import { jsonAttributes } from '../schemas/jsonAttributes.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** One range for each offset, in the same order; empty outside of Framework attributes. */
export function selectionRanges(file: SourceFile, offsets: readonly number[]): SelectionRange[] {
  return offsets.map((offset) => {
    const length = file.composition.text.length;
    const at = Math.max(0, Math.min(offset, length));
    // Widest first, because each range is the parent of the next.
    let selection: SelectionRange | undefined;
    let last: Span | undefined;
    for (const span of spansAround(file, at)) {
      if (last && (span.start < last.start || span.end > last.end || isSame(span, last))) continue;
      selection = { range: rangeOf(file, span), ...(selection && { parent: selection }) };
      last = span;
    }
    return selection ?? { range: rangeOf(file, { start: at, end: at }) };
  });
}

const isSame = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end;

function spansAround({ composition }: SourceFile, at: number): Span[] {
  const found = attributeAround(composition.html.elements, at);
  if (!found) return [];
  const { element, attribute } = found;
  const { valueSpan, quote } = attribute;
  const spans = [element.startTag, attribute.span];
  if (!valueSpan || !touches(valueSpan, at)) return [...spans, attribute.nameSpan];
  if (quote !== '') spans.push({ start: valueSpan.start - 1, end: Math.min(valueSpan.end + 1, attribute.span.end) });
  spans.push(valueSpan);
  const root = jsonAttributes(composition).find((json) => json.attribute === attribute)?.root;
  if (root) addJson(composition.text, root, at, spans);
  return spans;
}

function attributeAround(
  elements: readonly HtmlElement[],
  at: number,
): { element: HtmlElement; attribute: HtmlAttribute } | undefined {
  for (const element of elements) {
    if (at <= element.startTag.start || at >= element.startTag.end) continue;
    for (const attribute of element.attributes.values()) {
      if (touches(attribute.span, at) && attributeSpec(attribute.name)) return { element, attribute };
    }
  }
  return undefined;
}

function addJson(text: string, root: JsonNode, at: number, spans: Span[]): void {
  let node: JsonNode | undefined = root;
  while (node && touches(node.span, at)) {
    const { span } = node;
    spans.push(span);
    if (node.kind === 'array') node = node.items.find((item) => touches(item.span, at));
    else if (node.kind === 'object') {
      const member = node.members.find((each) => touches(each.span, at));
      if (!member) return;
      spans.push(member.span);
      if (touches(member.keySpan, at)) {
        addString(text, member.keySpan, at, spans);
        return;
      }
      node = member.value;
    } else {
      if (node.kind === 'string') addString(text, span, at, spans);
      return;
    }
  }
}

/** A string with and without its quotes. */
function addString(text: string, span: Span, at: number, spans: Span[]): void {
  const inside = insideQuotes(text, span);
  spans.push(span);
  if (touches(inside, at)) spans.push(inside);
}

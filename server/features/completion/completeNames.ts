// Completion of attribute names: those that apply to the element and are not present yet.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import {
  type AttributeKey,
  type AttributeTarget,
  attr,
  attributeSpecs,
} from '../../../renderer-core/model/attributes.ts';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { type CursorContext, isOurs, ownAttributes } from '../cursorContext.ts';
import { attributeMarkdown } from '../hover/descriptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import { itemAt } from './completionItems.ts';

export function completeNames(file: SourceFile, context: CursorContext & { kind: 'name' }): CompletionItem[] {
  const { element, attribute, span } = context;
  const there = new Set(ownAttributes(element));
  if (attribute) there.delete(attribute.name);
  const keys = Object.keys(attr) as AttributeKey[];
  const hasValue = attribute !== null && (attribute.valueSpan !== null || hasEquals(file.composition.text, span.end));
  return keys
    .filter((key) => isOurs(key) && !there.has(attr[key]) && fits(file.composition, element, there, key))
    .map((key, sort) => {
      const { value } = attributeSpecs[key];
      // JSON contains double quotes.
      const isJson = value === 'declarations' || value === 'values' || value === 'grading';
      return itemAt(file, span, {
        label: attr[key],
        text: hasValue ? attr[key] : `${attr[key]}=${isJson ? "'$1'" : '"$1"'}`,
        kind: CompletionItemKind.Property,
        documentation: attributeMarkdown(key),
        sort,
        isSnippet: !hasValue,
        opensList: !hasValue,
      });
    });
}

function hasEquals(text: string, offset: number): boolean {
  return /^\s*=/.test(text.slice(offset, offset + 20));
}

/** Elements that show nothing and cannot be clips. */
const invisible = new Set(
  'html head base link meta script style title template noscript source track param br wbr col colgroup option'.split(
    ' ',
  ),
);

/** Elements without content of their own that could be a composition or receive text. */
const closedContent = new Set(
  'video audio img picture canvas iframe input hr embed object textarea select area svg'.split(' '),
);

/** Whether an attribute applies to an element as it is, or turns it into something that it can be. */
function fits(composition: Composition, element: HtmlElement, there: ReadonlySet<string>, key: AttributeKey): boolean {
  const { root } = composition;
  const { tag } = element;
  // An unclosed tag is an element of its own, which is not identical to any element of the model.
  const isRoot = element.startTag.start === root?.startTag.start;
  const isHost = there.has(attr.compositionSrc);
  const isComposition = there.has(attr.compositionId);
  const isContainer = !invisible.has(tag) && !closedContent.has(tag);
  switch (key) {
    case 'compositionVariables':
      return tag === 'html' || (isRoot && composition.kind !== 'document');
    case 'compositionId':
      return isContainer || isHost;
    case 'compositionSrc':
      return isContainer && !isRoot && root !== null;
    case 'variableValues':
      return isHost || (isComposition && !isRoot);
    case 'fps':
    case 'posterTime':
    case 'timezone':
    case 'locale':
      return isRoot;
    case 'start':
      return !invisible.has(tag) && !isRoot && root !== null;
    case 'varIf':
      return !invisible.has(tag) && !isRoot && root !== null && !/^(?:html|body|source)$/.test(tag);
    case 'captionsSrc':
    case 'varText':
      return isContainer && !isHost && !isComposition;
    default: {
      const roles = new Set<AttributeTarget>([tag as AttributeTarget]);
      if (isComposition) roles.add('composition');
      if (isHost) roles.add('host');
      if (there.has(attr.captionsSrc)) roles.add('captions');
      if (there.has(attr.start) && !isRoot) roles.add('clip');
      return attributeSpecs[key].on.some((target) => roles.has(target));
    }
  }
}

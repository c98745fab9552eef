// Completion of attribute names: those of ours that mean something on the element and do not stand there yet.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import { type AttributeKey, type AttributeTarget, attr, attributeSpecs } from '../../renderer-core/model/attributes.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import { attributeMarkdown } from './attributeDocs.ts';
import { itemAt } from './completionItems.ts';
import type { SourceFile } from './file.ts';
import { isOurs, ownAttributes, type Place } from './place.ts';

/** The names that can be written at a place. */
export function completeNames(file: SourceFile, place: Place & { kind: 'name' }): CompletionItem[] {
  const { element, attribute, span } = place;
  const there = new Set(ownAttributes(element));
  if (attribute) there.delete(attribute.name);
  const keys = Object.keys(attr) as AttributeKey[];
  const hasValue = attribute !== null && (attribute.valueSpan !== null || hasEquals(file.composition.text, span.end));
  return keys
    .filter((key) => isOurs(key) && !there.has(attr[key]) && fits(file.composition, element, there, key))
    .map((key, sort) => {
      const { value } = attributeSpecs[key];
      // JSON is full of double quotes.
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

/** Elements that show nothing and are no part of the timeline. */
const unseen = new Set(
  'html head base link meta script style title template noscript source track param br wbr col colgroup option'.split(
    ' ',
  ),
);

/** Elements without content of their own that could be a composition or be filled with text. */
const closedContent = new Set(
  'video audio img picture canvas iframe input hr embed object textarea select area svg'.split(' '),
);

/** Whether an attribute means something on an element as it is, or makes it into something that it can be. */
function fits(composition: Composition, element: HtmlElement, there: ReadonlySet<string>, key: AttributeKey): boolean {
  const { root } = composition;
  const { tag } = element;
  // A tag that nothing closes yet is an element of its own, equal to none of the model's.
  const isRoot = element.startTag.start === root?.startTag.start;
  const isHost = there.has(attr.compositionSrc);
  const isComposition = there.has(attr.compositionId);
  const isContainer = !unseen.has(tag) && !closedContent.has(tag);
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
      return isRoot;
    case 'start':
      return !unseen.has(tag) && !isRoot && root !== null;
    case 'varText':
      return isContainer && !isHost && !isComposition;
    default: {
      const roles = new Set<AttributeTarget>([tag as AttributeTarget]);
      if (isComposition) roles.add('composition');
      if (isHost) roles.add('host');
      if (there.has(attr.start) && !isRoot) roles.add('clip');
      return attributeSpecs[key].on.some((target) => roles.has(target));
    }
  }
}

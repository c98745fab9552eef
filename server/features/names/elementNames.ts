// The IDs of elements and compositions in a file's attributes: declarations and references.
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import { toFileSpan } from '../../../renderer-core/model/text/attributeText.ts';
import { type HtmlElement, mappedText } from '../../../renderer-core/model/text/html.ts';
import { addStyleNames } from './codeNames.ts';
import { sheetNames, valueNames } from './cssNames.ts';
import type { FileNames } from './fileNames.ts';
import { attributeReference, textReference } from './spelling.ts';

/** Attributes whose value is an ID, a list of IDs, or `#id`. */
const idAttributes = new Set(['for', 'list', 'form', 'popovertarget', 'aria-activedescendant', 'aria-details']);
const idLists = new Set([
  ...['headers', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'aria-flowto'],
]);
const fragments = new Set(['href', 'xlink:href', 'usemap']);
const jsonAttributes = new Set<string>([attr.compositionVariables, attr.variableValues, attr.colorGrading]);

/** Includes elements in inert templates, which scripts may insert into the page. */
export function readElementNames(composition: Composition, names: FileNames): void {
  const { text, html, hosts, clips } = composition;
  const hostOf = new Map(hosts.map((host) => [host.element, host]));
  for (const element of html.elements) {
    if (element.attributes.size === 0) continue;
    const id = attributeReference(text, element, 'id');
    if (id) names.ids.push({ ...id, element, isDeclaration: true });
    const composed = attributeReference(text, element, attr.compositionId);
    if (composed) {
      names.compositions.push({ ...composed, element, host: hostOf.get(element) ?? null, isDeclaration: true });
    }
    for (const name of element.attributes.keys()) readAttribute(composition, element, name, names);
  }
  for (const { element, start } of clips) {
    if (start?.kind !== 'after') continue;
    const quote = element.attributes.get(attr.start)?.quote ?? '';
    names.starts.push(textReference(start.id, start.idSpan, [{ as: 'attribute', quote }]));
  }
}

function readAttribute(composition: Composition, element: HtmlElement, name: string, names: FileNames): void {
  const { text } = composition;
  const written = element.attributes.get(name)?.value ?? '';
  if (idAttributes.has(name)) {
    const reference = attributeReference(text, element, name);
    if (reference) names.idUses.push(reference);
  } else if (idLists.has(name) || (fragments.has(name) && written.startsWith('#'))) {
    readIds(text, element, name, names);
  } else if (name === attr.duck) {
    // Decibels and seconds follow. A number is that of a track.
    readIds(text, element, name, names, /^\s*(?!\d+(?:\s|$))[^\s#]+/g);
  } else if ((written.includes('--') || written.includes('url(')) && !jsonAttributes.has(name)) {
    // SVG has attributes for colors and filters.
    const value = mappedText(text, element, name);
    const found = value ? (name === 'style' ? sheetNames : valueNames)(value.text) : [];
    if (!value || found.length === 0) return;
    addStyleNames(composition, found, names, [{ as: 'attribute', quote: value.quote }], ({ start, end }) =>
      toFileSpan(value, start, end),
    );
  }
}

/** `ids` matches each id of the value. */
function readIds(text: string, element: HtmlElement, name: string, names: FileNames, ids = /[^\s#]+/g): void {
  const value = mappedText(text, element, name);
  if (!value) return;
  for (const { 0: found, index } of value.text.matchAll(ids)) {
    const id = found.trimStart();
    const start = index + found.length - id.length;
    const span = toFileSpan(value, start, start + id.length);
    names.idUses.push(textReference(id, span, [{ as: 'attribute', quote: value.quote }]));
  }
}

// References such as `url(#gradient)` find the first element of the page with an id, and names group elements of the whole page.
// In a mount they belong to the mount.
import { attr } from '../../model/attributes.ts';
import type { Composition } from '../../model/composition.ts';
import type { HtmlAttribute } from '../../model/text/html.ts';
import type { Span } from '../../model/text/spans.ts';
import { at } from './markup.ts';
import { isHandler } from './mountScripts.ts';
import type { TextEdit } from './textEdits.ts';

/**
 * The ids of a file that get another name in one of its mounts: those that references in the file use and that are in `known`,
 * the ids of the page so far. Ids in `scripts`, in handlers and in start times keep their name. Adds the ids of the file to `known`.
 */
export function clashingIds(
  { html, styles }: Composition,
  scripts: readonly string[],
  known: Set<string>,
): Set<string> {
  const attributes = html.elements.flatMap((element) => [...element.attributes.values()]);
  const ids = attributes.flatMap(({ name, value }) => (name === 'id' ? [value] : []));
  const references = [...attributes.map(referencesOf), ...styles.map(({ text }) => urlReferences(text))].flat();
  const referenced = new Set(references.map(({ id }) => id));
  const clashing = ids.filter((id) => known.has(id) && referenced.has(id));
  for (const id of ids) known.add(id);
  if (clashing.length === 0) return new Set();
  const code = attributes.flatMap(({ name, value }) => (isReference(name) || isHandler({ name }) ? [value] : []));
  const mentioned = new Set([...scripts, ...code].flatMap((text) => text.match(/[-\w\u0080-\uffff]+/g) ?? []));
  return new Set(clashing.filter((id) => !mentioned.has(id)));
}

/** Attributes with ids that stay as they are. */
const isReference = (name: string): boolean => name === attr.start || name === attr.duck;

/** Appends `suffix` to ids and to the references to them. */
export function idEdits({ html, text }: Composition, ids: ReadonlySet<string>, suffix: string): TextEdit[] {
  if (ids.size === 0) return [];
  const attributes = html.elements.flatMap((element) => [...element.attributes.values()]);
  return attributes.flatMap((attribute) => {
    const { name, value, valueSpan } = attribute;
    if (!valueSpan) return [];
    const written = { ...attribute, value: text.slice(valueSpan.start, valueSpan.end) };
    const own = name === 'id' && written.value === value ? [{ id: value, end: value.length }] : [];
    return [...own, ...referencesOf(written)]
      .filter(({ id }) => ids.has(id))
      .map(({ end }) => ({ span: at(valueSpan.start + end), text: suffix }));
  });
}

/**
 * Appends `suffix` to the names of a file that group elements and that are in `known`, the names of the page so far: only one of
 * several radio buttons with a name is checked, and only one `<details>` is open. Names in `code` are kept: it finds elements by them.
 */
export function groupEdits(
  { html, styles }: Composition,
  scripts: readonly string[],
  known: Set<string>,
  suffix: string,
): TextEdit[] {
  const names = html.elements.flatMap(({ tag, attributes }) => {
    const name = attributes.get('name');
    const groups = tag === 'details' || (tag === 'input' && /^radio$/i.test(attributes.get('type')?.value ?? ''));
    return groups && name?.value && name.valueSpan ? [{ key: `${tag} ${name.value}`, ...name }] : [];
  });
  const clashing = names.filter(({ key }) => known.has(key));
  for (const { key } of names) known.add(key);
  if (clashing.length === 0) return [];
  const attributes = html.elements.flatMap((element) => [...element.attributes.values()]);
  const handlers = attributes.filter(isHandler).map(({ value }) => value);
  const code = [...scripts, ...handlers, ...styles.map(({ text }) => text)].join('\n');
  return clashing.flatMap(({ value, valueSpan }) =>
    valueSpan && !code.includes(value) ? [{ span: at(valueSpan.end), text: suffix }] : [],
  );
}

type Reference = { id: string; end: Span['end'] };

function referencesOf({ name, value }: Pick<HtmlAttribute, 'name' | 'value'>): Reference[] {
  if ((name === 'href' || name === 'xlink:href') && value.startsWith('#'))
    return [{ id: value.slice(1), end: value.length }];
  return urlReferences(value);
}

const urlReferences = (text: string): Reference[] =>
  [...text.matchAll(/url\(\s*(?:["']|&quot;|&#39;)?#([-\w\u0080-\uffff]+)/gi)].map(
    ({ 0: match, 1: id = '', index }) => ({
      id,
      end: index + match.length,
    }),
  );

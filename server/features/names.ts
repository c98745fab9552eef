// Every place in one file that writes the id of a variable, a clip or a composition, whatever it is written in.
import { attr } from '../../renderer-core/model/attributes.ts';
import { type Quote, toFileSpan } from '../../renderer-core/model/attributeText.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import { type HtmlElement, mappedText } from '../../renderer-core/model/html.ts';
import type { Host, InstanceValues } from '../../renderer-core/model/instances.ts';
import { jsonMember } from '../../renderer-core/model/jsonText.ts';
import { readScriptVariables, type ScriptRead } from '../../renderer-core/model/scriptVariables.ts';
import { type Span, textOf } from '../../renderer-core/model/spans.ts';
import { type CssName, propertyReads, selectorNames, sheetNames } from './cssNames.ts';
import { declarationsElement } from './jsonAttributes.ts';
import { onePerPlace } from './onePerPlace.ts';
import { partOfText, type ScriptNames, type ScriptText, scriptNames } from './scriptNames.ts';
import { insideQuotes, type Layer, type NamePlace } from './spelling.ts';

/** A `data-composition-id`; `host` is set where it stands on one. */
export type CompositionPlace = NamePlace & { element: HtmlElement; host: Host | null };

/** An element's `id`. */
export type ElementPlace = NamePlace & { element: HtmlElement };

/**
 * The places of one file, known without its project. `given` are the keys of each host's values, which name variables of
 * another file. `ids` are `id` attributes; `starts` name a clip by its id or by its composition id.
 */
export type FileNames = {
  variables: NamePlace[];
  given: { host: Host; keys: NamePlace[] }[];
  ids: ElementPlace[];
  idUses: NamePlace[];
  compositions: CompositionPlace[];
  compositionUses: NamePlace[];
  starts: NamePlace[];
  scripts: ScriptNames;
};

const known = new WeakMap<Composition, FileNames>();

/** The places of a file, looked for once for each of its texts. Never throws. */
export function namesIn(composition: Composition): FileNames {
  let names = known.get(composition);
  if (!names) {
    names = readNames(composition);
    known.set(composition, names);
  }
  return names;
}

const knownGiven = new WeakMap<Composition, FileNames['given']>();

/** Of a file's names only what it gives to the files it embeds: asked of every file that embeds one. */
export function givenIn(composition: Composition): FileNames['given'] {
  let given = knownGiven.get(composition);
  if (!given) {
    given = onePerPlace(composition.hosts, ({ src }) => src.span.start).map((host) => ({
      host,
      keys: valueKeys(composition, host.element, host.values),
    }));
    knownGiven.set(composition, given);
  }
  return given;
}

function readNames(composition: Composition): FileNames {
  const names: FileNames = {
    variables: [],
    given: givenIn(composition),
    ids: [],
    idUses: [],
    compositions: [],
    compositionUses: [],
    starts: [],
    scripts: scriptNames(composition),
  };
  readVariables(composition, names);
  readElements(composition, names);
  readStyles(composition, names);
  readScripts(composition, names);
  return {
    ...names,
    variables: onePerPlace(names.variables, startOf),
    ids: onePerPlace(names.ids, startOf),
    idUses: onePerPlace(names.idUses, startOf),
    compositions: onePerPlace(names.compositions, startOf),
    compositionUses: onePerPlace(names.compositionUses, startOf),
    starts: onePerPlace(names.starts, startOf),
  };
}

const startOf = ({ span }: NamePlace): number => span.start;

function readVariables(composition: Composition, names: FileNames): void {
  const { text, variables } = composition;
  const quote = declarationsElement(composition)?.attributes.get(attr.compositionVariables)?.quote ?? '';
  const list = variables.json?.root;
  for (const item of list?.kind === 'array' ? list.items : []) {
    const id = jsonMember(item, 'id')?.value;
    if (id?.kind !== 'string') continue;
    const spelling = { kind: 'text', layers: [{ as: 'json' }, { as: 'attribute', quote }] } as const;
    names.variables.push({ id: id.value, span: insideQuotes(text, id.span), spelling, isDeclaration: true });
  }
  for (const { element, values } of composition.inlineCompositions) {
    names.variables.push(...valueKeys(composition, element, values));
  }
  for (const { element, kind } of composition.bindings) {
    const place = attributePlace(text, element, kind === 'text' ? attr.varText : attr.varSrc);
    if (place) names.variables.push(place);
  }
  for (const { element, references } of composition.gradings) {
    const layers = jsonLayers(element, attr.colorGrading);
    for (const { name, span } of references) names.variables.push(referencePlace(text, name, span, layers));
  }
  for (const script of composition.scripts) {
    for (const read of readScriptVariables(script.text, script.span.start).reads) {
      names.variables.push(scriptRead(text, read));
    }
  }
}

function valueKeys({ text }: Composition, element: HtmlElement, values: InstanceValues | null): NamePlace[] {
  const layers = jsonLayers(element, attr.variableValues);
  return (values?.entries ?? []).map(({ id, keySpan }) => ({
    id,
    span: insideQuotes(text, keySpan),
    spelling: { kind: 'text', layers },
    isDeclaration: false,
  }));
}

function jsonLayers(element: HtmlElement, name: string): Layer[] {
  return [{ as: 'json' }, { as: 'attribute', quote: element.attributes.get(name)?.quote ?? '' }];
}

function referencePlace(text: string, id: string, span: Span, layers: Layer[]): NamePlace {
  const whole = insideQuotes(text, span);
  const at = text.slice(whole.start, whole.end).indexOf(id);
  const spelling = {
    kind: 'reference',
    layers,
    whole,
    hasBraces: at > 0 && textOf(text, whole).includes('{'),
  } as const;
  // A name that is written with escapes cannot be told from what is around it.
  const inside = at < 0 ? whole : { start: whole.start + at, end: whole.start + at + id.length };
  return { id, span: inside, spelling: at < 0 ? { ...spelling, hasBraces: false } : spelling, isDeclaration: false };
}

function scriptRead(text: string, { id, span, isShorthand }: ScriptRead): NamePlace {
  const quote = text[span.start - 1];
  const place = { id, span, isDeclaration: false };
  if (isShorthand) return { ...place, spelling: { kind: 'property', form: 'shorthand' } };
  if (quote === '"' || quote === "'") {
    return { ...place, spelling: { kind: 'text', layers: [{ as: 'script-text', quote }] } };
  }
  const isMember = /\.\s*$/.test(text.slice(Math.max(0, span.start - 20), span.start));
  return { ...place, spelling: { kind: 'property', form: isMember ? 'member' : 'key' } };
}

/** The trimmed value of an attribute that is one id. */
function attributePlace(
  text: string,
  element: HtmlElement,
  name: string,
  isDeclaration = false,
): NamePlace | undefined {
  const value = mappedText(text, element, name);
  const id = value?.text.trim();
  if (!value || !id) return undefined;
  const start = value.text.indexOf(id);
  const span = toFileSpan(value, start, start + id.length);
  return { id, span, spelling: { kind: 'text', layers: [{ as: 'attribute', quote: value.quote }] }, isDeclaration };
}

/** Attributes whose value is the id of an element, and those that are a list of ids. */
const idAttributes = ['for', 'list', 'form', 'popovertarget', 'aria-activedescendant', 'aria-details'];
const idLists = ['headers', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'aria-flowto'];
const fragments = ['href', 'xlink:href', 'usemap'];

function readElements(composition: Composition, names: FileNames): void {
  const { text, html } = composition;
  const hosts = new Map(composition.hosts.map((host) => [host.element, host]));
  for (const element of html.elements) {
    if (element.attributes.size === 0) continue;
    const id = attributePlace(text, element, 'id', true);
    if (id) names.ids.push({ ...id, element });
    const compositionId = attributePlace(text, element, attr.compositionId, true);
    if (compositionId) names.compositions.push({ ...compositionId, element, host: hosts.get(element) ?? null });
    for (const name of element.attributes.keys()) readAttribute(composition, element, name, names);
  }
  for (const { element, start } of composition.clips) {
    if (start?.kind !== 'after') continue;
    const quote: Quote = element.attributes.get(attr.start)?.quote ?? '';
    const spelling = { kind: 'text', layers: [{ as: 'attribute', quote }] } as const;
    names.starts.push({ id: start.id, span: start.idSpan, spelling, isDeclaration: false });
  }
}

function readAttribute(composition: Composition, element: HtmlElement, name: string, names: FileNames): void {
  const { text } = composition;
  const written = element.attributes.get(name)?.value ?? '';
  if (idAttributes.includes(name)) {
    const place = attributePlace(text, element, name);
    if (place) names.idUses.push(place);
  } else if (idLists.includes(name) || (fragments.includes(name) && written.startsWith('#'))) {
    const value = mappedText(text, element, name);
    for (const found of value?.text.matchAll(/[^\s#]+/g) ?? []) {
      if (!value) continue;
      const span = toFileSpan(value, found.index, found.index + found[0].length);
      const spelling = { kind: 'text', layers: [{ as: 'attribute', quote: value.quote }] } as const;
      names.idUses.push({ id: found[0], span, spelling, isDeclaration: false });
    }
  } else if (written.includes('--') || written.includes('url(')) {
    const value = mappedText(text, element, name);
    if (!value || isJson(name)) return;
    const found = name === 'style' ? sheetNames(value.text) : sheetNames(`;${value.text}`).map(shiftBack);
    const inAttribute: Layer = { as: 'attribute', quote: value.quote };
    addStyleNames(composition, found, names, [inAttribute], ({ start, end }) => toFileSpan(value, start, end));
  }
}

const jsonAttributes: readonly string[] = [attr.compositionVariables, attr.variableValues, attr.colorGrading];
const isJson = (name: string): boolean => jsonAttributes.includes(name);

const shiftBack = (name: CssName): CssName => ({
  ...name,
  span: { start: name.span.start - 1, end: name.span.end - 1 },
});

function readStyles(composition: Composition, names: FileNames): void {
  for (const { text, span } of composition.styles) {
    const place = ({ start, end }: Span) => ({ start: span.start + start, end: span.start + end });
    addStyleNames(composition, sheetNames(text), names, [], place);
  }
}

/** `around` is what the style text itself is written in. */
function addStyleNames(
  composition: Composition,
  found: readonly CssName[],
  names: FileNames,
  around: readonly Layer[],
  place: (span: Span) => Span,
): void {
  for (const one of found) {
    const list = listFor(composition, one, names);
    const layers = [cssLayer(one), ...around];
    list?.push({ id: one.name, span: place(one.span), spelling: { kind: 'text', layers }, isDeclaration: false });
  }
}

function listFor(composition: Composition, name: CssName, names: FileNames): NamePlace[] | undefined {
  if (name.kind === 'id') return names.idUses;
  if (name.kind === 'attribute') {
    if (name.attribute === attr.compositionId) return names.compositionUses;
    return name.attribute === 'id' ? names.idUses : undefined;
  }
  // Most custom properties are the author's own.
  return composition.declarations.some(({ id }) => id === name.name) ? names.variables : undefined;
}

function cssLayer(name: CssName): Layer {
  if (name.kind === 'attribute' && name.quote !== '') return { as: 'css-text', quote: name.quote };
  return { as: 'css-name', isStart: name.kind !== 'property' };
}

function readScripts(composition: Composition, names: FileNames): void {
  for (const { id, span } of names.scripts.timelines) {
    const spelling = { kind: 'property', form: 'member' } as const;
    names.compositionUses.push({ id, span, spelling, isDeclaration: false });
  }
  for (const text of names.scripts.texts) {
    const { value, span, quote, use } = text;
    const layer: Layer = { as: 'script-text', quote };
    const whole = { id: value, span, spelling: { kind: 'text', layers: [layer] }, isDeclaration: false } as const;
    if (use === 'id') names.idUses.push(whole);
    else if (use === 'timeline') names.compositionUses.push(whole);
    else {
      const place = (part: Span) => partOfText(composition.text, text, part);
      addStyleNames(composition, namesInText(text), names, [layer], place);
    }
  }
}

const colour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const selectorLike = /^[\w\u0080-\uFFFF\s#.>+~,:()[\]="'*^$|-]*$/;

/** A string that could be a selector is one, unless it could also be a colour; `--name` alone is a custom property. */
function namesInText({ value, use }: ScriptText): CssName[] {
  if (use === 'selector') return selectorNames(value);
  const property = /^--[\w-]+$/.test(value);
  if (property) return [{ kind: 'property', name: value.slice(2), span: { start: 2, end: value.length } }];
  const isSelector =
    use === 'text' && /[#[]/.test(value) && selectorLike.test(value.replaceAll(/\\[\s\S]/g, '')) && !colour.test(value);
  return isSelector ? selectorNames(value) : propertyReads(value);
}

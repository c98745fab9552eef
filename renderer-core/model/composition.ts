// Parses a composition file into the model that linter, editor, planner and runtime share.
import { type AssetReference, assetReferences, linkRels } from './assets.ts';
import { attr } from './attributes.ts';
import { type CaptionsElement, readCaptions } from './captions/captionsElement.ts';
import { type Clip, type ClipProblemCode, type Media, type Owner, readClip, readMedia } from './clips.ts';
import { type Condition, readCondition } from './conditions.ts';
import { readSizes, type Size } from './declaredSizes.ts';
import {
  type Binding,
  type Grading,
  type Host,
  type InlineComposition,
  type InstanceProblemCode,
  readGrading,
  readHost,
  readInlineComposition,
} from './instances.ts';
import { isLocale, isTimezone, localeText, timezoneText } from './locale.ts';
import { ancestor, type HtmlElement, type HtmlTree, innerSpan, innerText, mappedText, parseHtml } from './text/html.ts';
import { parseIncrementally } from './text/incrementalParse.ts';
import type { Span } from './text/spans.ts';
import { tagsAsWords } from './text/templateTags.ts';
import {
  type NumberField,
  numberField,
  type Problem,
  parseNumber,
  type TextField,
  textField,
} from './variables/fields.ts';
import { readDeclarations } from './variables/readDeclarations.ts';
import type { Declarations, VariableDeclaration } from './variables/variables.ts';

/** A `<script>`. `text` is its code, empty with a `src`. `type` is lower case, `''` for a classic script. */
export type Script = {
  element: HtmlElement;
  text: string;
  span: Span;
  src: TextField | null;
  type: string;
  isModule: boolean;
};

/** A `<style>` and its CSS. */
export type Style = { element: HtmlElement; text: string; span: Span };

/** A `<link rel="stylesheet">`. */
export type Stylesheet = { element: HtmlElement; href: TextField };

export type CompositionProblemCode =
  | ClipProblemCode
  | InstanceProblemCode
  | 'no-composition'
  | 'missing-id'
  | 'root-start'
  | 'unknown-locale'
  | 'invalid-sizes'
  | 'invalid-condition'
  | 'invalid-declarations';

export type CompositionProblem = Problem<CompositionProblemCode>;

/**
 * A parsed composition file. Lists are in document order and leave out inert content, which is the content of every
 * `<template>` except the one that contains the composition. Times are seconds, sizes are pixels.
 */
export type Composition = {
  text: string;
  /** `text` for parsers of CSS: tags of template engines are words. */
  cssText: string;
  html: HtmlTree;
  /** `template`: the composition is in a top-level `<template>`; `fragment`: there is no doctype, html, head or body tag. */
  kind: 'document' | 'fragment' | 'template';
  /**
   * The first element with `data-composition-id`. Hosts are used only if there is no other, and `<html>` and elements of
   * the head only if no other element has a size.
   */
  root: HtmlElement | null;
  /** The `<template>` that contains the root, for kind `template`. */
  template: HtmlElement | null;
  id: TextField | null;
  width: NumberField | null;
  height: NumberField | null;
  /** The sizes of `data-sizes`. */
  sizes: Size[];
  duration: NumberField | null;
  fps: NumberField | null;
  posterTime: NumberField | null;
  timezone: TextField | null;
  locale: TextField | null;
  loudness: NumberField | null;
  variables: Declarations;
  /** The valid declarations as plain data. */
  declarations: VariableDeclaration[];
  hosts: Host[];
  inlineCompositions: InlineComposition[];
  clips: Clip[];
  media: Media[];
  bindings: Binding[];
  conditions: Condition[];
  captions: CaptionsElement[];
  gradings: Grading[];
  scripts: Script[];
  styles: Style[];
  stylesheets: Stylesheet[];
  assetReferences: AssetReference[];
  /** The URL of the first `<base href>`, which the references after it are relative to. */
  base: { url: string; start: number } | null;
  problems: CompositionProblem[];
};

/** Parses a composition file as a browser reads it. Never throws: `problems` lists what is wrong, sorted by position. */
export const parseComposition = (text: string): Composition => readComposition(parseHtml(text));

/**
 * Parses a composition file as its author wrote it, possibly with tags of a template engine, which do not count as problems.
 * `before` is the result for the text before an edit; it can make parsing faster.
 */
export const parseAuthored = (text: string, before?: Composition): Composition =>
  readComposition((before && parseIncrementally(before.html, text)) ?? parseHtml(text, true));

function readComposition(html: HtmlTree): Composition {
  const { root, template } = findRoot(html);
  const composition = emptyComposition(html, root, template);
  const { problems } = composition;
  readRoot(composition);
  const owners = new Map<HtmlElement, Owner>();
  const clips = new Map<HtmlElement, Clip>();
  for (const element of html.elements) {
    if (element.template === null || element.template === template) readElement(composition, element, owners, clips);
  }
  const { problem } = composition.variables;
  if (problem) problems.push({ code: 'invalid-declarations', severity: 'error', ...problem });
  problems.sort((a, b) => a.span.start - b.span.start);
  return composition;
}

/**
 * Whether an element of the file has an attribute of compositions, so that the author wants it to be one. A text, a comment,
 * a script or another template can only mention them.
 */
export function isCompositionFile({ html, template }: Pick<Composition, 'html' | 'template'>): boolean {
  return html.elements.some(
    (element) =>
      (element.template === null || element.template === template) &&
      [...element.attributes.keys()].some((name) => name.startsWith(compositionPrefix)),
  );
}

/** A cheap test whether a text is worth parsing, which never misses a composition. */
export function mayBeComposition(text: string): boolean {
  return compositionMark.test(text);
}

/** The common prefix of the attributes that make a composition. */
const compositionPrefix = attr.compositionId.slice(0, -'id'.length);
/** Attribute names ignore case. */
const compositionMark = new RegExp(compositionPrefix, 'i');

function findRoot(html: HtmlTree): { root: HtmlElement | null; template: HtmlElement | null } {
  const roots = html.elements.filter((element) => element.attributes.has(attr.compositionId));
  const own = roots.filter((element) => !element.attributes.has(attr.compositionSrc));
  const isLive = (element: HtmlElement) => element.template === null;
  const live = firstComposition(own.filter(isLive)) ?? roots.find(isLive);
  const held = own.find(({ template }) => template && isTopLevel(template) && !hasOtherText(html));
  // The page itself carries the id, and the composition is in a template.
  if (live && !(held && isPagePart(live))) return { root: live, template: null };
  return held ? { root: held, template: held.template } : { root: null, template: null };
}

const pageParts = new Set(['html', 'head', 'meta', 'link', 'title', 'body']);

/** If a part of the page carries the id too, the element with the size is the composition. */
function firstComposition(elements: readonly HtmlElement[]): HtmlElement | undefined {
  const [first] = elements;
  return first && isPagePart(first) ? (elements.find(hasSize) ?? first) : first;
}

const hasSize = ({ attributes }: HtmlElement) => attributes.has(attr.width) || attributes.has(attr.height);
const isPagePart = (element: HtmlElement) => pageParts.has(element.tag) && !hasSize(element);

/** Elements whose text is not part of the page. */
const withoutText = new Set(['template', 'script', 'style', 'title', 'noscript']);

/** Whether the page has text outside of its templates. Then these are for its scripts, as in documentation with examples. */
function hasOtherText({ text, elements }: HtmlTree): boolean {
  let rest = '';
  let at = 0;
  for (const { tag, span } of elements) {
    if (!withoutText.has(tag) || span.start < at) continue;
    rest += text.slice(at, span.start);
    at = span.end;
  }
  rest += text.slice(at);
  return /\S/.test(rest.replace(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g, ''));
}

function isTopLevel(element: HtmlElement): boolean {
  return ancestor(element, ({ tag }) => tag !== 'html' && tag !== 'head' && tag !== 'body') === null;
}

function emptyComposition(html: HtmlTree, root: HtmlElement | null, template: HtmlElement | null): Composition {
  const kind = template ? 'template' : html.isDocument ? 'document' : 'fragment';
  const variables = findDeclarations(html, root);
  return {
    text: html.text,
    cssText: html.isTemplate ? tagsAsWords(html.text) : html.text,
    html,
    kind,
    root,
    template,
    id: null,
    width: null,
    height: null,
    sizes: [],
    duration: null,
    fps: null,
    posterTime: null,
    timezone: null,
    locale: null,
    loudness: null,
    variables,
    declarations: variables.declared.map(({ declaration }) => declaration),
    hosts: [],
    inlineCompositions: [],
    clips: [],
    media: [],
    bindings: [],
    conditions: [],
    captions: [],
    gradings: [],
    scripts: [],
    styles: [],
    stylesheets: [],
    assetReferences: [],
    base: null,
    problems: [],
  };
}

/** Declarations are on `<html>`, or on the root of a fragment or template. */
function findDeclarations(html: HtmlTree, root: HtmlElement | null): Declarations {
  const document = html.children.find((element) => element.tag === 'html');
  for (const element of [document, root]) {
    const source = element ? mappedText(html.text, element, attr.compositionVariables) : undefined;
    if (source) return readDeclarations(source);
  }
  return { declared: [], rejected: [] };
}

function readRoot(composition: Composition): void {
  const { root, problems, text } = composition;
  if (!root) {
    const message = `No element has ${attr.compositionId}; add it to the outermost element of the composition`;
    problems.push({
      code: 'no-composition',
      severity: 'error',
      message,
      span: { start: 0, end: Math.min(text.length, 1) },
    });
    return;
  }
  composition.id = textField(root, attr.compositionId);
  composition.width = numberField(root, 'width', problems);
  composition.height = numberField(root, 'height', problems);
  composition.sizes = readDeclaredSizes(root, problems);
  composition.duration = numberField(root, 'duration', problems);
  composition.fps = numberField(root, 'fps', problems);
  composition.posterTime = readPosterTime(root, composition.duration, problems);
  composition.timezone = readLocale(root, 'timezone', problems);
  composition.locale = readLocale(root, 'locale', problems);
  composition.loudness = numberField(root, 'loudness', problems);
  if (composition.id?.text === '') {
    problems.push({
      code: 'missing-id',
      severity: 'error',
      message: `${attr.compositionId} must not be empty`,
      span: composition.id.span,
    });
  }
  const start = textField(root, attr.start);
  if (start && parseNumber(start.text) !== 0 && !root.attributes.get(attr.start)?.hasPlaceholder) {
    const message = `The root composition always starts at 0; ${attr.start} has no effect here`;
    problems.push({ code: 'root-start', severity: 'warning', message, span: start.span });
  }
}

function readDeclaredSizes(root: HtmlElement, problems: CompositionProblem[]): Size[] {
  const field = textField(root, attr.sizes);
  if (!field || root.attributes.get(attr.sizes)?.hasPlaceholder) return [];
  const { sizes, unreadable, repeated } = readSizes(field.text);
  const report = (severity: 'error' | 'warning', message: string) =>
    problems.push({ code: 'invalid-sizes', severity, message, span: field.span });
  if (unreadable.length > 0 || field.text === '') {
    const got = unreadable.length === 0 ? 'an empty value' : unreadable.map((word) => `"${word}"`).join(' and ');
    report('error', `${attr.sizes} must be sizes in pixels, such as 1920x1080 1080x1920 (got ${got})`);
  }
  if (repeated.length > 0) report('warning', `${attr.sizes} contains ${repeated.join(' and ')} more than once`);
  return sizes;
}

function readPosterTime(
  root: HtmlElement,
  duration: NumberField | null,
  problems: CompositionProblem[],
): NumberField | null {
  const field = numberField(root, 'posterTime', problems);
  if (field?.value == null || duration?.value == null || field.value <= duration.value) return field;
  const message = `${attr.posterTime} must be within the video, from 0 to ${duration.value} (got ${field.value})`;
  problems.push({ code: 'out-of-range', severity: 'warning', message, span: field.span });
  return { ...field, value: null };
}

function readLocale(root: HtmlElement, key: 'timezone' | 'locale', problems: CompositionProblem[]): TextField | null {
  const field = textField(root, attr[key]);
  if (!field || (key === 'timezone' ? isTimezone(field.text) : isLocale(field.text))) return field;
  const wanted = key === 'timezone' ? timezoneText : localeText;
  const message = `${attr[key]} must be ${wanted} (got "${field.text}")`;
  problems.push({ code: 'unknown-locale', severity: 'error', message, span: field.span });
  return field;
}

function readElement(
  composition: Composition,
  element: HtmlElement,
  owners: Map<HtmlElement, Owner>,
  clips: Map<HtmlElement, Clip>,
): void {
  const { text, root, problems } = composition;
  const { attributes, parent, tag } = element;
  const owner = (parent && owners.get(parent)) ?? null;
  const parentClip = (parent && clips.get(parent)) ?? null;
  const isRoot = element === root;
  const clip = isRoot || !attributes.has(attr.start) ? undefined : readClip(text, element, owner, parentClip, problems);
  if (clip) composition.clips.push(clip);
  // Each element stores the nearest clip and owner for its children, so that no lookup walks up the tree.
  const around = clip ?? parentClip;
  if (around) clips.set(element, around);
  const isHost = attributes.has(attr.compositionSrc);
  const isComposition = attributes.has(attr.compositionId) && !isHost;
  const inside = isComposition || isRoot ? { element, owner } : owner;
  if (inside) owners.set(element, inside);

  const host = isHost ? readHost(text, element, clip ?? null, problems) : undefined;
  if (host) composition.hosts.push(host);
  const inline =
    isComposition && !isRoot && owner ? readInlineComposition(text, element, clip ?? null, problems) : undefined;
  if (inline) composition.inlineCompositions.push(inline);
  if (tag === 'video' || tag === 'audio') composition.media.push(readMedia(element, clip ?? null, problems));
  readBindings(composition, element);
  const condition = readCondition(text, element, problems);
  if (condition) composition.conditions.push(condition);
  if (attributes.has(attr.captionsSrc)) composition.captions.push(readCaptions(element, clip ?? parentClip, problems));
  if (attributes.has(attr.colorGrading)) {
    const grading = readGrading(text, element, problems);
    if (grading) composition.gradings.push(grading);
  }
  readCode(composition, element);
  // No spread: one attribute can contain more URLs than a call allows arguments.
  for (const reference of assetReferences(composition.cssText, element)) composition.assetReferences.push(reference);
}

function readBindings({ bindings }: Composition, element: HtmlElement): void {
  const text = textField(element, attr.varText);
  if (text) bindings.push({ element, kind: 'text', id: text });
  const src = textField(element, attr.varSrc);
  if (src) bindings.push({ element, kind: 'src', id: src });
}

function readCode(composition: Composition, element: HtmlElement): void {
  const { text } = composition;
  if (element.tag === 'script') {
    const src = textField(element, 'src');
    const type = textField(element, 'type')?.text.toLowerCase() ?? '';
    const isModule = type === 'module';
    composition.scripts.push({
      element,
      text: src ? '' : innerText(text, element),
      span: innerSpan(element),
      src,
      type,
      isModule,
    });
  } else if (element.tag === 'style') {
    composition.styles.push({ element, text: innerText(composition.cssText, element), span: innerSpan(element) });
  } else if (element.tag === 'base' && composition.base === null) {
    const href = textField(element, 'href');
    if (href) composition.base = { url: href.text, start: element.span.start };
  } else if (element.tag === 'link' && linkRels(element).includes('stylesheet')) {
    const href = textField(element, 'href');
    if (href) composition.stylesheets.push({ element, href });
  }
}

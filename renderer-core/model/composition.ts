// A composition file as a model: everything that the linter, the editor, the planner and the runtime ask about it, from one parse.
import { type AssetReference, assetReferences, linkRels } from './assets.ts';
import { attr } from './attributes.ts';
import { type Clip, type ClipProblemCode, type Media, type Owner, readClip, readMedia } from './clips.ts';
import { type NumberField, numberField, type Problem, parseNumber, type TextField, textField } from './fields.ts';
import { ancestor, type HtmlElement, type HtmlTree, innerSpan, innerText, mappedText, parseHtml } from './html.ts';
import { carryOver } from './htmlEdit.ts';
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
import type { Span } from './spans.ts';
import { type Declarations, readDeclarations, type VariableDeclaration } from './variables.ts';

/** A `<script>`. `text` is its code as written, empty with a `src`. `type` is lower case, `''` for a plain script. */
export type Script = {
  element: HtmlElement;
  text: string;
  span: Span;
  src: TextField | null;
  type: string;
  isModule: boolean;
};

/** A `<style>` and its CSS as written. */
export type Style = { element: HtmlElement; text: string; span: Span };

/** A `<link rel="stylesheet">`. */
export type Stylesheet = { element: HtmlElement; href: TextField };

export type CompositionProblemCode =
  | ClipProblemCode
  | InstanceProblemCode
  | 'no-composition'
  | 'missing-id'
  | 'root-start'
  | 'invalid-declarations';

export type CompositionProblem = Problem<CompositionProblemCode>;

/**
 * A parsed composition file. Lists stand in document order and leave out what is inert: the content of a
 * `<template>` other than the one that holds the composition. Times are seconds, sizes pixels.
 */
export type Composition = {
  text: string;
  html: HtmlTree;
  /** `template`: the composition stands in a top-level `<template>`; `fragment`: no doctype, html, head or body is written. */
  kind: 'document' | 'fragment' | 'template';
  /**
   * The first element with `data-composition-id`; one that embeds another file only when there is no other, and `<html>` or
   * what stands in the head only when no other has the size.
   */
  root: HtmlElement | null;
  /** The `<template>` that holds the root, for kind `template`. */
  template: HtmlElement | null;
  id: TextField | null;
  width: NumberField | null;
  height: NumberField | null;
  duration: NumberField | null;
  fps: NumberField | null;
  variables: Declarations;
  /** The usable declarations as plain data. */
  declarations: VariableDeclaration[];
  hosts: Host[];
  inlineCompositions: InlineComposition[];
  clips: Clip[];
  media: Media[];
  bindings: Binding[];
  gradings: Grading[];
  scripts: Script[];
  styles: Style[];
  stylesheets: Stylesheet[];
  assetReferences: AssetReference[];
  problems: CompositionProblem[];
};

/**
 * Parses a composition file. Never throws: what is wrong stands in `problems`, sorted by place. `before` is the file as it
 * was before an edit, which may make it faster.
 */
export function parseComposition(text: string, before?: Composition): Composition {
  const html = (before && carryOver(before.html, text)) ?? parseHtml(text);
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

function findRoot(html: HtmlTree): { root: HtmlElement | null; template: HtmlElement | null } {
  const roots = html.elements.filter((element) => element.attributes.has(attr.compositionId));
  const own = roots.filter((element) => !element.attributes.has(attr.compositionSrc));
  const isLive = (element: HtmlElement) => element.template === null;
  const live = firstComposition(own.filter(isLive)) ?? roots.find(isLive);
  const held = own.find(({ template }) => template && isTopLevel(template));
  // A page that says what it is about, and has it in a template.
  if (live && !(held && isPagePart(live))) return { root: live, template: null };
  return held ? { root: held, template: held.template } : { root: null, template: null };
}

const pageParts = new Set(['html', 'head', 'meta', 'link', 'title', 'body']);

/** The page around a composition may carry its id too: then the element with the size is meant. */
function firstComposition(elements: readonly HtmlElement[]): HtmlElement | undefined {
  const [first] = elements;
  return first && isPagePart(first) ? (elements.find(hasSize) ?? first) : first;
}

const hasSize = ({ attributes }: HtmlElement) => attributes.has(attr.width) || attributes.has(attr.height);
const isPagePart = (element: HtmlElement) => pageParts.has(element.tag) && !hasSize(element);

function isTopLevel(element: HtmlElement): boolean {
  return ancestor(element, ({ tag }) => tag !== 'html' && tag !== 'head' && tag !== 'body') === null;
}

function emptyComposition(html: HtmlTree, root: HtmlElement | null, template: HtmlElement | null): Composition {
  const kind = template ? 'template' : html.isDocument ? 'document' : 'fragment';
  const variables = findDeclarations(html, root);
  return {
    text: html.text,
    html,
    kind,
    root,
    template,
    id: null,
    width: null,
    height: null,
    duration: null,
    fps: null,
    variables,
    declarations: variables.declared.map(({ declaration }) => declaration),
    hosts: [],
    inlineCompositions: [],
    clips: [],
    media: [],
    bindings: [],
    gradings: [],
    scripts: [],
    styles: [],
    stylesheets: [],
    assetReferences: [],
    problems: [],
  };
}

/** Declarations stand on `<html>`; without them there, on the root, which is where a fragment or template has them. */
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
    const message = `No element has ${attr.compositionId}; the outermost element of the video needs one`;
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
  composition.duration = numberField(root, 'duration', problems);
  composition.fps = numberField(root, 'fps', problems);
  if (composition.id?.text === '') {
    problems.push({
      code: 'missing-id',
      severity: 'error',
      message: `${attr.compositionId} is empty`,
      span: composition.id.span,
    });
  }
  const start = textField(root, attr.start);
  if (start && parseNumber(start.text) !== 0) {
    const message = `The root composition always starts at 0; ${attr.start} has no effect here`;
    problems.push({ code: 'root-start', severity: 'warning', message, span: start.span });
  }
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
  // Each element hands down what is nearest around its children, so that nobody walks up the tree again.
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
  if (attributes.has(attr.colorGrading)) {
    const grading = readGrading(text, element, problems);
    if (grading) composition.gradings.push(grading);
  }
  readCode(composition, element);
  // One attribute can name more files than a call takes arguments.
  for (const reference of assetReferences(text, element)) composition.assetReferences.push(reference);
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
    composition.styles.push({ element, text: innerText(text, element), span: innerSpan(element) });
  } else if (element.tag === 'link' && linkRels(element).includes('stylesheet')) {
    const href = textField(element, 'href');
    if (href) composition.stylesheets.push({ element, href });
  }
}

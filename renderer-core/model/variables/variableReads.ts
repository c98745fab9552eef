// Finds every read of a variable in a composition file: in bindings, values of hosts, gradings, styles and scripts.

import type { Composition, Script } from '../composition.ts';
import { isCode, syntaxOf } from '../script/scriptSyntax.ts';
import { readSyntaxVariables, type ScriptDefault, variableGetter } from '../script/scriptVariables.ts';
import { toFileSpan } from '../text/attributeText.ts';
import { mappedText } from '../text/html.ts';
import type { Span } from '../text/spans.ts';
import { passedName } from './passedValues.ts';

/**
 * One read. `span` covers only the id, without `$`, braces, quotes or the `--` of a custom property. `isShorthand` and
 * `default` are set for destructuring in a script.
 */
export type VariableRead = {
  id: string;
  span: Span;
  by: 'text' | 'src' | 'if' | 'value' | 'grading' | 'style' | 'script';
  isShorthand?: boolean;
  default?: ScriptDefault | null;
};

/**
 * The reads of a file in source order. `patterns` are the braces of destructuring patterns of `getVariables()`. `isComplete`
 * is false if there may be other reads, in separate script files or where all values are passed on.
 */
export type VariableReads = { reads: VariableRead[]; patterns: Span[]; isComplete: boolean };

export function variableReads(composition: Composition): VariableReads {
  const reads: VariableRead[] = [];
  const patterns: Span[] = [];
  let isComplete = true;
  if (hasInertScripts(composition)) isComplete = false;
  for (const { kind, id } of composition.bindings) {
    reads.push({ id: id.text, span: withoutSpace(composition.text, id.span), by: kind });
  }
  for (const { id } of composition.conditions) reads.push({ id: id.text, span: id.span, by: 'if' });
  for (const { references } of composition.gradings) {
    for (const { name, span } of references) {
      reads.push({ id: name, span: nameInReference(composition.text, span, name), by: 'grading' });
    }
  }
  for (const { values } of [...composition.hosts, ...composition.inlineCompositions]) {
    for (const { value, valueSpan } of values?.entries ?? []) {
      const name = passedName(value);
      if (name !== undefined)
        reads.push({ id: name, span: nameInReference(composition.text, valueSpan, name), by: 'value' });
    }
  }
  readStyles(composition, reads);
  // What a template engine inserts can read variables.
  if (composition.html.parsedText !== composition.text) isComplete = false;
  // Separate style sheet files can use the custom properties too.
  if (composition.stylesheets.some(({ href }) => !/^(?:https?:)?\/\//i.test(href.text))) isComplete = false;
  for (const script of composition.scripts) {
    if (script.src) {
      if (!isLibrary(script.src.text)) isComplete = false;
      continue;
    }
    if (!isCode(script)) continue;
    readProperties(composition, script, reads);
    if (!script.text.includes(variableGetter)) continue;
    const syntax = syntaxOf(script);
    if (!syntax) isComplete = false;
    const found = syntax && readSyntaxVariables(syntax, script.span.start);
    if (!found) continue;
    for (const read of found.reads) reads.push({ ...read, by: 'script' });
    for (const pattern of found.patterns) patterns.push(pattern);
    if (found.escapes) isComplete = false;
  }
  return { reads: reads.sort((a, b) => a.span.start - b.span.start), patterns, isComplete };
}

/** Whether there are scripts in other templates, whose reads belong to an unknown composition. */
function hasInertScripts({ html, template }: Composition): boolean {
  return html.elements.some((element) => element.template !== template && element.tag === 'script');
}

/** Remote and minified scripts are libraries, which do not read this composition's variables. */
function isLibrary(url: string): boolean {
  return /^(?:https?:)?\/\//i.test(url) || /\.min\.m?js(?:[?#]|$)/i.test(url);
}

function withoutSpace(text: string, { start, end }: Span): Span {
  const written = text.slice(start, end);
  const from = start + written.length - written.trimStart().length;
  return { start: from, end: from + written.trim().length };
}

/** The span of the name in `"$name"` or `"${name}"`, or the whole text if the name contains escapes. */
function nameInReference(text: string, span: Span, name: string): Span {
  const at = text.slice(span.start, span.end).indexOf(name);
  return at < 0 ? span : { start: span.start + at, end: span.start + at + name.length };
}

/** Finds scripts that read a custom property by its name: `getPropertyValue('--title')`. */
function readProperties(composition: Composition, { text, span }: Script, reads: VariableRead[]): void {
  if (!text.includes('--')) return;
  const declared = new Set(composition.declarations.map(({ id }) => id));
  for (const found of text.matchAll(/["'`(]--([\w-]+)/g)) {
    const id = found[1] ?? '';
    const end = span.start + found.index + found[0].length;
    if (declared.has(id)) reads.push({ id, span: { start: end - id.length, end }, by: 'style' });
  }
}

const customProperty = /var\(\s*--([^\s,)]+)/g;

function readStyles(composition: Composition, reads: VariableRead[]): void {
  const declared = new Set(composition.declarations.map(({ id }) => id));
  // Only custom properties with the name of a variable are reads.
  const add = (css: string, toSpan: (start: number, end: number) => Span) => {
    for (const found of css.matchAll(customProperty)) {
      const id = found[1] ?? '';
      const end = found.index + found[0].length;
      if (declared.has(id)) reads.push({ id, span: toSpan(end - id.length, end), by: 'style' });
    }
  };
  for (const { text, span } of composition.styles) {
    add(text, (start, end) => ({ start: span.start + start, end: span.start + end }));
  }
  for (const element of composition.html.elements) {
    // SVG elements have colors in attributes: `stroke="var(--tint)"`.
    for (const { name, value } of element.attributes.values()) {
      if (!value.includes('var(') || name.startsWith('data-')) continue;
      const style = mappedText(composition.text, element, name);
      if (style) add(style.text, (start, end) => toFileSpan(style, start, end));
    }
  }
}

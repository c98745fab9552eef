// References to elements and timelines in the scripts of a file: strings, and properties of `__timelines`.
import type { AnyNode, MemberExpression, Property } from 'acorn';
import type { Composition, Script } from '../../../renderer-core/model/composition.ts';
import { isCode, syntaxOf } from '../../../renderer-core/model/script/scriptSyntax.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';

/**
 * A string in a script. `span` covers the text between its quotes; `value` has its escapes resolved. `use`: the argument of an
 * ID or selector lookup, `__timelines[...]`, or anything else. `part`: a part of a template with expressions.
 */
export type ScriptText = {
  value: string;
  span: Span;
  quote: '"' | "'" | '`';
  use: 'id' | 'selector' | 'timeline' | 'text' | 'part';
};

/** An identifier in `__timelines.name` or `__timelines = { name: … }`. */
export type TimelineName = { id: string; span: Span; form: 'member' | 'key' | 'shorthand' };

/** `hasDynamicLookups`: an element is looked up by a computed ID. `hasDynamicRegistrations`: a timeline has a computed name. */
export type ScriptNames = {
  texts: ScriptText[];
  timelines: TimelineName[];
  hasDynamicLookups: boolean;
  hasDynamicRegistrations: boolean;
};

type Parents = ReadonlyMap<AnyNode, AnyNode | null>;

const registry = '__timelines';
const idLookups = new Set(['getElementById']);
const selectorLookups = new Set(['querySelector', 'querySelectorAll', 'closest', 'matches', '$', '$$', 'toArray']);

/** Never throws. */
export function scriptNames(composition: Composition): ScriptNames {
  const names: ScriptNames = { texts: [], timelines: [], hasDynamicLookups: false, hasDynamicRegistrations: false };
  for (const script of composition.scripts) if (isCode(script)) readNames(script, names);
  return names;
}

function readNames(script: Script, names: ScriptNames): void {
  const parents: Parents = syntaxOf(script)?.parents ?? new Map();
  for (const [node, parent] of parents) {
    const text = textOfNode(script, node);
    if (text) names.texts.push({ ...text, use: text.use ?? useOf(node, parents) });
    if (node.type === 'MemberExpression') readMember(script, node, names);
    if (node.type === 'Property' && isRegistered(parent, parents)) readKey(script, node, names);
    if (node.type !== 'CallExpression') continue;
    const called = calledName(node.callee);
    const [first] = node.arguments;
    const isLookup = called !== undefined && (idLookups.has(called) || selectorLookups.has(called));
    if (isLookup && first && isComputed(first)) names.hasDynamicLookups = true;
  }
}

function textOfNode(script: Script, node: AnyNode): (Omit<ScriptText, 'use'> & { use?: 'part' }) | undefined {
  const { start: offset } = script.span;
  if (node.type === 'Literal' && typeof node.value === 'string') {
    const quote = script.text[node.start];
    if (quote !== '"' && quote !== "'") return undefined;
    const span = { start: node.start + 1 + offset, end: Math.max(node.start + 1, node.end - 1) + offset };
    return { value: node.value, span, quote };
  }
  if (node.type !== 'TemplateElement' || typeof node.value.cooked !== 'string') return undefined;
  const span = { start: node.start + offset, end: node.end + offset };
  // The only part of a template without expressions ends at its closing quote.
  const isWhole = script.text[node.start - 1] === '`' && node.tail && script.text[node.end] === '`';
  return { value: node.value.cooked, span, quote: '`', ...(isWhole ? {} : { use: 'part' }) };
}

function useOf(text: AnyNode, parents: Parents): ScriptText['use'] {
  // A part of a template is inside the template.
  const node = text.type === 'TemplateElement' ? (parents.get(text) ?? text) : text;
  const parent = parents.get(node);
  if (parent?.type === 'MemberExpression') {
    return parent.computed && parent.property === node && isRegistry(parent.object) ? 'timeline' : 'text';
  }
  if (parent?.type === 'Property' && parent.key === node) {
    return isRegistered(parents.get(parent) ?? null, parents) ? 'timeline' : 'text';
  }
  if (parent?.type !== 'CallExpression' || parent.arguments[0] !== node) return 'text';
  const called = calledName(parent.callee);
  if (called === undefined) return 'text';
  return idLookups.has(called) ? 'id' : selectorLookups.has(called) ? 'selector' : 'text';
}

function readMember(script: Script, { object, property, computed }: MemberExpression, names: ScriptNames): void {
  if (!isRegistry(object)) return;
  if (!computed) addTimeline(script, property, 'member', names);
  else if (isComputed(property)) names.hasDynamicRegistrations = true;
}

function readKey(
  script: Script,
  { key, computed, shorthand }: Pick<Property, 'key' | 'computed' | 'shorthand'>,
  names: ScriptNames,
): void {
  if (!computed) addTimeline(script, key, shorthand ? 'shorthand' : 'key', names);
  else if (isComputed(key)) names.hasDynamicRegistrations = true;
}

function addTimeline(script: Script, node: AnyNode, form: TimelineName['form'], names: ScriptNames): void {
  const { start, end } = node;
  // The error-tolerant parser inserts nodes that are not in the source.
  if (node.type !== 'Identifier' || script.text.slice(start, end) !== node.name) return;
  const { start: offset } = script.span;
  names.timelines.push({ id: node.name, span: { start: start + offset, end: end + offset }, form });
}

/** Whether an object is assigned to the registry or merged into it: `__timelines = { … }`, `Object.assign(__timelines, { … })`. */
function isRegistered(object: AnyNode | null, parents: Parents): boolean {
  const parent = object && parents.get(object);
  if (!object || !parent) return false;
  if (parent.type === 'AssignmentExpression') return parent.right === object && isRegistry(parent.left);
  if (parent.type !== 'CallExpression' || calledName(parent.callee) !== 'assign') return false;
  const [first] = parent.arguments;
  return first !== undefined && first !== object && isRegistry(first);
}

function calledName(callee: AnyNode): string | undefined {
  const named = callee.type === 'MemberExpression' && !callee.computed ? callee.property : callee;
  return named.type === 'Identifier' ? named.name : undefined;
}

/** `__timelines`, `window.__timelines`, `(window.__timelines ??= {})`. */
function isRegistry(node: AnyNode): boolean {
  let current = node;
  for (;;) {
    if (current.type === 'Identifier') return current.name === registry;
    if (current.type === 'Literal') return current.value === registry;
    if (current.type === 'MemberExpression') current = current.property;
    else if (current.type === 'ParenthesizedExpression') current = current.expression;
    else if (current.type === 'AssignmentExpression' || current.type === 'LogicalExpression') current = current.left;
    else return false;
  }
}

function isComputed(node: AnyNode): boolean {
  return node.type === 'TemplateLiteral' ? node.expressions.length > 0 : node.type !== 'Literal';
}

const escapeOrSign = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|\r\n|[0-7]{1,3}|[\s\S])|\r\n|[\s\S]/gi;

/** Maps a part of a string's value to the file. The string may contain escapes. */
export function partOfText(fileText: string, { value, span }: ScriptText, part: Span): Span {
  const raw = fileText.slice(span.start, span.end);
  if (raw === value) return { start: span.start + part.start, end: span.start + part.end };
  const offsets: number[] = [];
  let at = span.start;
  for (const [written] of raw.matchAll(escapeOrSign)) {
    const code = /^\\u\{([\da-f]+)\}$/i.exec(written)?.[1];
    const isJoint = /^\\[\r\n\u2028\u2029]/.test(written);
    const length = isJoint ? 0 : code !== undefined && Number.parseInt(code, 16) > 0xffff ? 2 : 1;
    for (let i = 0; i < length; i++) offsets.push(at);
    at += written.length;
  }
  offsets.push(at);
  const start = offsets[part.start] ?? at;
  return { start, end: Math.max(start, offsets[part.end] ?? at) };
}

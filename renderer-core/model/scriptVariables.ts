// Where a script reads the composition's variables: what it takes out of `getVariables()`, with the place of every id.
import type { AnyNode, AssignmentPattern, CallExpression, Identifier, ObjectPattern, Pattern } from 'acorn';
import { readScopes } from './scriptScopes.ts';
import { parentsOf, parseScript, type Syntax } from './scriptSyntax.ts';
import type { Span } from './spans.ts';

/**
 * One id that a script reads. `span` covers the id alone, without quotes. `isShorthand`: the id is also the name of a
 * local variable (`{ title }`), so that another id must be written `{ other: title }`.
 */
export type ScriptRead = {
  id: string;
  span: Span;
  isShorthand: boolean;
  default: ScriptDefault | null;
};

/** The default in a destructuring; `value` is undefined for anything but a literal. */
export type ScriptDefault = { span: Span; value: string | number | boolean | null | undefined };

/**
 * `patterns` are the braces of destructurings of `getVariables()`, where ids can be completed. `escapes`: the values are
 * also used in a way that does not name an id (passed on, spread, looped over), so any id may be read.
 */
export type ScriptVariables = { reads: ScriptRead[]; patterns: Span[]; escapes: boolean };

const none: ScriptVariables = { reads: [], patterns: [], escapes: false };
/** The function of the page that gives a script its values. */
export const variableGetter = 'getVariables';
const getter = variableGetter;

/**
 * Finds the reads in a script's code; `offset` is where the code starts in its file. Also reads code that is broken or not
 * complete yet. Never throws.
 */
export function readScriptVariables(code: string, offset: number): ScriptVariables {
  if (!code.includes(getter)) return none;
  const program = parseScript(code);
  return program ? readSyntax({ program, parents: parentsOf(program) }, offset) : { ...none, escapes: true };
}

/** The same for code that is parsed already. */
export function readSyntax({ parents }: Syntax, offset: number): ScriptVariables {
  const search: Search = { found: { reads: [], patterns: [], escapes: false }, parents, holders: [] };
  const getters: AnyNode[] = [];
  for (const node of parents.keys()) {
    if (isGetterCall(node)) getters.push(node);
    else if (handsOnGetter(node, parents)) search.found.escapes = true;
  }
  for (const node of getters) readUse(node, search);
  // `const vars = getVariables()`: from here every use of that name counts. The list grows while it is walked.
  const scopes = search.holders.length > 0 ? readScopes(parents) : undefined;
  for (const holder of search.holders) {
    const scope = scopes?.declaring(holder);
    for (const node of scopes?.identifiers(holder.name) ?? []) {
      const parent = parents.get(node) ?? null;
      if (node !== holder && isRead(node, parent) && scopes?.declaring(node) === scope) readUse(node, search);
    }
  }
  return moved(search.found, offset);
}

/** `holders` are the names that the values are put into, each where that happens. */
type Search = {
  found: ScriptVariables;
  parents: ReadonlyMap<AnyNode, AnyNode | null>;
  holders: Identifier[];
};

function moved(found: ScriptVariables, offset: number): ScriptVariables {
  const move = ({ start, end }: Span): Span => ({ start: start + offset, end: end + offset });
  // One read can be reached in two ways: `vars = vars || getVariables()`.
  const byPlace = new Map(found.reads.map((read) => [read.span.start, read]));
  return {
    reads: [...byPlace.values()]
      .sort((a, b) => a.span.start - b.span.start)
      .map((read) => ({
        ...read,
        span: move(read.span),
        default: read.default && { ...read.default, span: move(read.default.span) },
      })),
    patterns: found.patterns.map(move),
    escapes: found.escapes,
  };
}

function isGetterCall(node: AnyNode): node is CallExpression {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const called = callee.type === 'MemberExpression' ? callee.property : callee;
  return called.type === 'Identifier' && called.name === getter;
}

/** The getter itself, handed on rather than called: then nobody knows what is read. To test for it reads nothing. */
function handsOnGetter(node: AnyNode, parents: Search['parents']): boolean {
  if (node.type !== 'Identifier' || node.name !== getter) return false;
  let at: AnyNode = node;
  let parent = parents.get(at);
  // `window.__framework.getVariables` as a whole.
  while ((parent?.type === 'MemberExpression' && parent.property === at) || parent?.type === 'ChainExpression') {
    at = parent;
    parent = parents.get(at);
  }
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.init === at;
    case 'AssignmentExpression':
      return parent.right === at;
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee !== at;
    case 'ReturnStatement':
    case 'ArrayExpression':
      return true;
    case 'Property':
      return parents.get(parent)?.type === 'ObjectExpression' && parent.value === at;
    default:
      return false;
  }
}

/** Whether a name stands for its value here: not a key, not a property behind a dot, not where it is declared. */
function isRead(node: Identifier, parent: AnyNode | null): boolean {
  switch (parent?.type) {
    case undefined:
      return false;
    case 'MemberExpression':
      return parent.object === node || parent.computed;
    case 'Property':
      return parent.value === node;
    case 'VariableDeclarator':
      return parent.init === node;
    case 'AssignmentExpression':
      return parent.right === node;
    default:
      return true;
  }
}

/** What is done with an expression that holds the values. */
function readUse(node: AnyNode, search: Search): void {
  const { found, parents } = search;
  const parent = parents.get(node);
  switch (parent?.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      readUse(parent, search);
      return;
    case 'LogicalExpression':
      // `values || {}` is the values; of `values && other` only the other side is kept.
      if (parent.right === node || parent.operator !== '&&') readUse(parent, search);
      return;
    case 'ConditionalExpression':
      if (parent.test !== node) readUse(parent, search);
      return;
    case 'MemberExpression':
      if (parent.object === node) readMember(parent.property, parent.computed, found);
      else found.escapes = true;
      return;
    case 'VariableDeclarator':
      readTarget(parent.id, search);
      return;
    case 'AssignmentExpression':
      readTarget(parent.left, search);
      return;
    // Whether there are values says nothing about which.
    case 'ExpressionStatement':
    case 'IfStatement':
    case 'UnaryExpression':
      return;
    default:
      found.escapes = true;
  }
}

function readMember(property: AnyNode, computed: boolean, found: ScriptVariables): void {
  const read = keyRead(property, computed);
  // What every object has (`hasOwnProperty`) names no variable.
  if (read && !(read.id in Object.prototype)) found.reads.push({ ...read, isShorthand: false, default: null });
  else found.escapes = true;
}

function readTarget(target: Pattern, { found, holders }: Search): void {
  if (target.type === 'Identifier') holders.push(target);
  else if (target.type === 'ObjectPattern') readPattern(target, found);
  else found.escapes = true;
}

function readPattern(pattern: ObjectPattern, found: ScriptVariables): void {
  found.patterns.push({ start: pattern.start, end: pattern.end });
  for (const property of pattern.properties) {
    const read = property.type === 'Property' ? keyRead(property.key, property.computed) : undefined;
    if (property.type !== 'Property' || !read) found.escapes = true;
    else {
      const { value, shorthand } = property;
      found.reads.push({
        ...read,
        isShorthand: shorthand,
        default: value.type === 'AssignmentPattern' ? readDefault(value) : null,
      });
    }
  }
}

function readDefault({ right }: AssignmentPattern): ScriptDefault {
  return { span: { start: right.start, end: right.end }, value: literalValue(right) };
}

function literalValue(node: AnyNode): ScriptDefault['value'] {
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    const value = literalValue(node.argument);
    return typeof value === 'number' ? -value : undefined;
  }
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  if (node.type !== 'Literal' || typeof node.value === 'bigint' || node.value instanceof RegExp) return undefined;
  return node.value ?? (node.raw === 'null' ? null : undefined);
}

/** The id that a key or property names: a plain name or a text. */
function keyRead(key: AnyNode, computed: boolean): { id: string; span: Span } | undefined {
  if (key.type === 'Identifier' && !computed) {
    // What the error-tolerant parser puts in where a name is missing.
    return key.name === '✖' ? undefined : { id: key.name, span: { start: key.start, end: key.end } };
  }
  if (key.type !== 'Literal' || typeof key.value !== 'string') return undefined;
  // Where code is broken, a text may have no closing quote.
  const isClosed = key.end - key.start > 1 && key.raw?.at(-1) === key.raw?.[0];
  return { id: key.value, span: { start: key.start + 1, end: isClosed ? key.end - 1 : key.end } };
}

export { parentsOf, parseScript };

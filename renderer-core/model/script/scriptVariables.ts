// Finds where a script reads variables: the ids that it takes from `getVariables()`, with their spans.
import type { AnyNode, AssignmentPattern, CallExpression, Identifier, ObjectPattern, Pattern } from 'acorn';
import type { Span } from '../text/spans.ts';
import { readScopes } from './scriptScopes.ts';
import type { Syntax } from './scriptSyntax.ts';

/**
 * One id that a script reads. `span` covers only the id, without quotes. `isShorthand`: the id is also the name of a local
 * variable (`{ title }`), so that a renamed id must be written `{ other: title }`.
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
 * `patterns` are the braces of destructuring patterns of `getVariables()`, where ids can be completed. `escapes`: the values
 * are also used without naming an id (passed on, spread, looped over), so any id may be read.
 */
export type ScriptVariables = { reads: ScriptRead[]; patterns: Span[]; escapes: boolean };

/** The function of the page that returns the values to a script. */
export const variableGetter = 'getVariables';
const getter = variableGetter;

/** Finds the reads in a script; `offset` is the offset of its code in its file. */
export function readSyntaxVariables({ parents }: Pick<Syntax, 'parents'>, offset: number): ScriptVariables {
  const search: Search = { found: { reads: [], patterns: [], escapes: false }, parents, holders: [] };
  const getters: AnyNode[] = [];
  for (const node of parents.keys()) {
    if (isGetterCall(node)) getters.push(node);
    else if (passesGetterOn(node, parents)) search.found.escapes = true;
  }
  for (const node of getters) readUse(node, search);
  // `const vars = getVariables()`: follow every use of that name. The loop adds to the list.
  const scopes = search.holders.length > 0 ? readScopes(parents) : undefined;
  const followed: { name: string; scope: unknown }[] = [];
  for (const holder of search.holders) {
    const scope = scopes?.declaring(holder);
    // A name can be assigned to itself: `vars = vars`.
    if (followed.some((one) => one.name === holder.name && one.scope === scope)) continue;
    followed.push({ name: holder.name, scope });
    for (const node of scopes?.identifiers(holder.name) ?? []) {
      const parent = parents.get(node) ?? null;
      if (node !== holder && isRead(node, parent) && scopes?.declaring(node) === scope) readUse(node, search);
    }
  }
  return moved(search.found, offset);
}

/** `holders` are the identifiers that the values are assigned to. */
type Search = {
  found: ScriptVariables;
  parents: ReadonlyMap<AnyNode, AnyNode | null>;
  holders: Identifier[];
};

function moved(found: ScriptVariables, offset: number): ScriptVariables {
  const move = ({ start, end }: Span): Span => ({ start: start + offset, end: end + offset });
  // One read can be found twice: `vars = vars || getVariables()`.
  const byOffset = new Map(found.reads.map((read) => [read.span.start, read]));
  return {
    reads: [...byOffset.values()]
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

/** Whether the getter itself is passed on instead of called, so that its reads are unknown. Testing for it reads nothing. */
function passesGetterOn(node: AnyNode, parents: Search['parents']): boolean {
  if (node.type !== 'Identifier' || node.name !== getter) return false;
  let at: AnyNode = node;
  let parent = parents.get(at);
  // Include the whole of `window.__framework.getVariables`.
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

/** Whether an identifier is read here: it is not a key, not a property after a dot and not a declaration. */
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

/** Records how an expression that holds the values is used. */
function readUse(node: AnyNode, search: Search): void {
  const { found, parents } = search;
  const parent = parents.get(node);
  switch (parent?.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      readUse(parent, search);
      return;
    case 'LogicalExpression':
      // `values || {}` evaluates to the values, `values && other` to the other side.
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
    // A test for existence reads no variable.
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
  // Members of every object, such as `hasOwnProperty`, are not variables.
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

/** The id of a key or property, which is a name or a string. */
function keyRead(key: AnyNode, computed: boolean): { id: string; span: Span } | undefined {
  if (key.type === 'Identifier' && !computed) {
    // The error-tolerant parser inserts this character where a name is missing.
    return key.name === '✖' ? undefined : { id: key.name, span: { start: key.start, end: key.end } };
  }
  if (key.type !== 'Literal' || typeof key.value !== 'string') return undefined;
  // In invalid code a string may have no closing quote.
  const isClosed = key.end - key.start > 1 && key.raw?.at(-1) === key.raw?.[0];
  return { id: key.value, span: { start: key.start + 1, end: isClosed ? key.end - 1 : key.end } };
}

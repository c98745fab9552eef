// Where a script reads the composition's variables: what it takes out of `getVariables()`, with the place of every id.
import type { AnyNode, AssignmentPattern, CallExpression, Identifier, ObjectPattern, Pattern, Program } from 'acorn';
import { parse as parseStrict } from 'acorn';
import { parse as parseLoose } from 'acorn-loose';
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
const getter = 'getVariables';

/**
 * Finds the reads in a script's code; `offset` is where the code starts in its file. Also reads code that is broken or not
 * complete yet. Never throws.
 */
export function readScriptVariables(code: string, offset: number): ScriptVariables {
  if (!code.includes(getter)) return none;
  const program = parseScript(code);
  if (!program) return { ...none, escapes: true };
  const found: ScriptVariables = { reads: [], patterns: [], escapes: false };
  const holders = new Set<string>();
  const parents = parentsOf(program);
  for (const [node, parent] of parents) {
    if (isGetterCall(node)) readUse(node, parent, parents, found, holders);
  }
  // `const vars = getVariables()`: from here every use of that name counts, whatever the scope it stands in.
  for (const [node, parent] of holders.size > 0 ? parents : []) {
    if (node.type === 'Identifier' && holders.has(node.name) && isRead(node, parent)) {
      readUse(node, parent, parents, found, holders);
    }
  }
  const move = ({ start, end }: Span): Span => ({ start: start + offset, end: end + offset });
  found.reads.sort((a, b) => a.span.start - b.span.start);
  return {
    reads: found.reads.map((read) => ({
      ...read,
      span: move(read.span),
      default: read.default && { ...read.default, span: move(read.default.span) },
    })),
    patterns: found.patterns.map(move),
    escapes: found.escapes,
  };
}

/** The syntax tree of a script, of a broken one what can be made of it; undefined when it is too deep for the parser. */
export function parseScript(code: string): Program | undefined {
  const options = { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true } as const;
  try {
    return parseStrict(code, { ...options, sourceType: 'script', allowAwaitOutsideFunction: true });
  } catch {
    try {
      return parseLoose(code, options);
    } catch {
      return undefined;
    }
  }
}

/** Every node with the one around it, in the order they stand; a stack of our own, for code deeper than the call stack. */
export function parentsOf(program: Program): Map<AnyNode, AnyNode | null> {
  const parents = new Map<AnyNode, AnyNode | null>();
  const pending: [AnyNode, AnyNode | null][] = [[program, null]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, parent] = next;
    parents.set(node, parent);
    for (const child of childrenOf(node).reverse()) pending.push([child, node]);
  }
  return parents;
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is AnyNode => typeof value === 'object' && value !== null && typeof value.type === 'string');
}

function isGetterCall(node: AnyNode): node is CallExpression {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const called = callee.type === 'MemberExpression' ? callee.property : callee;
  return called.type === 'Identifier' && called.name === getter;
}

/** Whether a name stands for its value here: not a key, not a property behind a dot, not where it is declared. */
function isRead(node: Identifier, parent: AnyNode | null): boolean {
  if (!parent) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (parent.type === 'Property') return parent.value === node && parent.key !== node ? true : parent.shorthand;
  if (parent.type === 'VariableDeclarator') return parent.init === node;
  return parent.type !== 'AssignmentExpression' || parent.right === node;
}

/** What is done with an expression that holds the values. */
function readUse(
  node: AnyNode,
  parent: AnyNode | null,
  parents: ReadonlyMap<AnyNode, AnyNode | null>,
  found: ScriptVariables,
  holders: Set<string>,
): void {
  const around = parent && parents.get(parent);
  switch (parent?.type) {
    // `getVariables() ?? {}`, `(…)`, `getVariables?.()`: the values all the same.
    case 'LogicalExpression':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      readUse(parent, around ?? null, parents, found, holders);
      return;
    case 'MemberExpression':
      if (parent.object === node) readMember(parent.property, parent.computed, found);
      return;
    case 'VariableDeclarator':
      readTarget(parent.id, found, holders);
      return;
    case 'AssignmentExpression':
      readTarget(parent.left, found, holders);
      return;
    case 'ExpressionStatement':
      return;
    default:
      found.escapes = true;
  }
}

function readMember(property: AnyNode, computed: boolean, found: ScriptVariables): void {
  const read = keyRead(property, computed);
  if (read) found.reads.push({ ...read, isShorthand: false, default: null });
  else found.escapes = true;
}

function readTarget(target: Pattern, found: ScriptVariables, holders: Set<string>): void {
  if (target.type === 'Identifier') holders.add(target.name);
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
  const isText = key.type === 'Literal' && typeof key.value === 'string';
  return isText ? { id: String(key.value), span: { start: key.start + 1, end: key.end - 1 } } : undefined;
}

// The syntax tree of a script: parsed once, also from invalid code, with the parent of every node.
import type { AnyNode, Program } from 'acorn';
import type { Script } from '../composition.ts';
import { parseLoose, parseStrict } from '../text/parsers.ts';

/** A tree, and the parent of every node in source order. `isValid`: the code has no syntax errors. */
export type Syntax = { program: Program; parents: ReadonlyMap<AnyNode, AnyNode | null>; isValid: boolean };

/**
 * Cache of syntax trees by code, least recently used first. While the user types, all scripts but one stay the same from
 * one parse of the file to the next.
 */
const recent = new Map<string, Syntax | undefined>();

/** Maximum characters of code in the cache: a tree takes some hundred bytes per character. */
const mostKept = 400_000;

/** The syntax of a script; offsets are relative to its code. Undefined if it is nested too deep for the parser. */
export function syntaxOf({ text }: Pick<Script, 'text'>): Syntax | undefined {
  const isKnown = recent.has(text);
  const syntax = isKnown ? recent.get(text) : readSyntaxOf(text);
  recent.delete(text);
  recent.set(text, syntax);
  if (!isKnown) forgetOldest();
  return syntax;
}

function readSyntaxOf(code: string): Syntax | undefined {
  const valid = parseValid(code);
  const program = valid ?? parseInvalid(code);
  return program && { program, parents: parentsOf(program), isValid: valid !== undefined };
}

function forgetOldest(): void {
  let kept = 0;
  for (const code of recent.keys()) kept += code.length;
  for (const code of recent.keys()) {
    if (kept <= mostKept || recent.size === 1) return;
    recent.delete(code);
    kept -= code.length;
  }
}

/** Whether a browser would run the script. Script elements can also contain JSON, templates and shaders. */
export function isCode({ type, src }: Pick<Script, 'type' | 'src'>): boolean {
  return src === null && /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)?$/.test(type);
}

const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true } as const;

function parseValid(code: string): Program | undefined {
  try {
    return parseStrict(code, { ...options, sourceType: 'script', allowAwaitOutsideFunction: true });
  } catch {
    return undefined;
  }
}

function parseInvalid(code: string): Program | undefined {
  try {
    return parseLoose(code, { ...options, sourceType: 'module' });
  } catch {
    return undefined;
  }
}

/** Whether module code is also valid as a classic script: it has no import, export or top-level await. */
export function isPlainScript(code: string): boolean {
  try {
    parseStrict(code, { ecmaVersion: 'latest', sourceType: 'script' });
    return true;
  } catch {
    return false;
  }
}

/** Every node with its parent, in source order. Uses an explicit stack, because code can be nested deeper than the call stack. */
export function parentsOf(program: Program): Map<AnyNode, AnyNode | null> {
  const parents = new Map<AnyNode, AnyNode | null>();
  const nodes: AnyNode[] = [program];
  const around: (AnyNode | null)[] = [null];
  const children: AnyNode[] = [];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    parents.set(node, around.pop() ?? null);
    children.length = 0;
    addChildren(node, children);
    for (let i = children.length - 1; i >= 0; i--) {
      nodes.push(children[i] as AnyNode);
      around.push(node);
    }
  }
  return parents;
}

/** Appends the child nodes in source order. Optimized, because most of the time of linting a script is spent here. */
function addChildren(node: AnyNode, children: AnyNode[]): void {
  for (const key in node) {
    const value: unknown = node[key as keyof AnyNode];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
}

const isNode = (value: unknown): value is AnyNode => typeof (value as AnyNode | null)?.type === 'string';

// The syntax tree of a script in a composition: parsed once, also where the code is broken, with the way up from every node.
import type { AnyNode, Program } from 'acorn';
import { parse as parseStrict } from 'acorn';
import { parse as parseLoose } from 'acorn-loose';
import type { Script } from './composition.ts';

/** A tree, and for every node of it, in the order they stand, the one around it. */
export type Syntax = { program: Program; parents: ReadonlyMap<AnyNode, AnyNode | null> };

/**
 * The trees of the scripts that were asked for last, by their code: while somebody types, all scripts but one stay as they
 * are from one parse of the file to the next. Kept in the order of their use.
 */
const recent = new Map<string, Syntax | undefined>();

/** Characters of code whose trees are kept: a tree takes some hundred bytes for each. */
const mostKept = 400_000;

/** The syntax of a script; places count from the start of its code. Undefined when it is too deep for the parser. */
export function syntaxOf({ text }: Pick<Script, 'text'>): Syntax | undefined {
  const isKnown = recent.has(text);
  const syntax = isKnown ? recent.get(text) : readSyntaxOf(text);
  recent.delete(text);
  recent.set(text, syntax);
  if (!isKnown) forgetOldest();
  return syntax;
}

function readSyntaxOf(code: string): Syntax | undefined {
  const program = parseScript(code);
  return program && { program, parents: parentsOf(program) };
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

/** Whether a browser would run it: JSON, templates and shaders stand in scripts too. */
export function isCode({ type, src }: Pick<Script, 'type' | 'src'>): boolean {
  return src === null && /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)?$/.test(type);
}

/** The syntax tree of a script, of a broken one what can be made of it; undefined when it is too deep for the parser. */
export function parseScript(code: string): Program | undefined {
  const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true } as const;
  try {
    return parseStrict(code, { ...options, sourceType: 'script', allowAwaitOutsideFunction: true });
  } catch {
    try {
      return parseLoose(code, { ...options, sourceType: 'module' });
    } catch {
      return undefined;
    }
  }
}

/** Whether the code of a module means the same in a plain script: it imports, exports and awaits nothing. */
export function isPlainScript(code: string): boolean {
  try {
    parseStrict(code, { ecmaVersion: 'latest', sourceType: 'script' });
    return true;
  } catch {
    return false;
  }
}

/** Every node with the one around it, in the order they stand; a stack of our own, for code deeper than the call stack. */
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

/** Its parts in the order they stand. Written for speed: this is most of what linting a script costs. */
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

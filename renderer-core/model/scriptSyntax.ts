// The syntax tree of a script in a composition: parsed once, also where the code is broken, with the way up from every node.
import type { AnyNode, Program } from 'acorn';
import { parse as parseStrict } from 'acorn';
import { parse as parseLoose } from 'acorn-loose';
import type { Script } from './composition.ts';

/** A tree, and for every node of it, in the order they stand, the one around it. */
export type Syntax = { program: Program; parents: ReadonlyMap<AnyNode, AnyNode | null> };

const byScript = new WeakMap<Script, { syntax: Syntax | undefined }>();

/** The syntax of a script, made when it is first asked for; undefined when it is too deep for the parser. */
export function syntaxOf(script: Script): Syntax | undefined {
  let known = byScript.get(script);
  if (!known) {
    const program = parseScript(script.text);
    known = { syntax: program && { program, parents: parentsOf(program) } };
    byScript.set(script, known);
  }
  return known.syntax;
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

// Finds the texts of a TypeScript source: string literals and templates with at least two words.
import { parse } from 'acorn';
import { transformSync } from 'esbuild';

type Tree = { type: string; start: number } & Record<string, unknown>;

/** Texts of a file in order, with `…` for the values of a template. Imports are not texts. */
export function textsIn(source: string): string[] {
  return collect(source, () => true);
}

/** Titles of tests and suites: first arguments of `test`, `describe`, `test.each(…)` and similar calls. */
export function testTitlesIn(source: string): string[] {
  return collect(source, (node, parents) => {
    const call = parents.at(-1);
    if (call?.type !== 'CallExpression' || (call.arguments as Tree[])[0] !== node) return false;
    return /^(?:test|it|describe)\b/.test(nameOf(call.callee as Tree));
  });
}

function collect(source: string, isWanted: (node: Tree, parents: readonly Tree[]) => boolean): string[] {
  const { code } = transformSync(source, { loader: 'ts', target: 'esnext' });
  const found: string[] = [];
  const visit = (node: Tree, parents: readonly Tree[]): void => {
    if (/^(?:Import|Export(?:All|Named))Declaration$/.test(node.type) && node.source) return;
    const text = textOf(node);
    if (text !== undefined && /\S\s+\S/.test(text) && isWanted(node, parents)) found.push(text);
    for (const child of childrenOf(node)) visit(child, [...parents, node]);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as Tree, []);
  return found;
}

function textOf(node: Tree): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
}

/** `test` of `test`, `test.each`, `test.skipIf(x)` and `test.each(rows)`. */
function nameOf(node: Tree): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'MemberExpression') return nameOf(node.object as Tree);
  if (node.type === 'CallExpression') return nameOf(node.callee as Tree);
  if (node.type === 'TaggedTemplateExpression') return nameOf(node.tag as Tree);
  return '';
}

function childrenOf(node: Tree): Tree[] {
  const isNode = (value: unknown): value is Tree => typeof (value as Tree | null)?.type === 'string';
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

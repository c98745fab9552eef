// Finds untranslatable sentences in a source file: texts outside of `l10n.t`.
import { parse } from 'acorn';
import { transformSync } from 'esbuild';

type Tree = { type: string; start: number; end: number } & Record<string, unknown>;

/** Two adjacent words, or one word that starts like a title. */
const prose = /\p{L}{2,}[,.:]? \p{L}|^\p{Lu}\p{Ll}/u;

/** The texts in source order, with `…` for the expressions of a template. */
export function proseIn(source: string): string[] {
  const { code } = transformSync(source, { loader: 'ts', target: 'esnext' });
  const found: string[] = [];
  const visit = (node: Tree): void => {
    const text = textOf(node);
    if (text !== undefined && prose.test(text)) found.push(text);
    for (const next of read(node, code)) visit(next);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as Tree);
  return found;
}

function textOf(node: Tree): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
}

/** The descendants of a node, except texts that are translated, logged, compared or imported. */
function read(node: Tree, code: string): Tree[] {
  if (/^(?:Import|Export(?:All|Named))Declaration$/.test(node.type) && node.source) return [];
  if (node.type === 'BinaryExpression' && /^[=!]==$/.test(String(node.operator))) return [];
  if (node.type !== 'CallExpression') return below(node);
  const { start, end } = node.callee as Tree;
  const [callee, given] = [code.slice(start, end), node.arguments as Tree[]];
  // Only literal texts can be collected for translation.
  if (callee === 'l10n.t') return given[0]?.type === 'Literal' ? given.slice(1) : given;
  return /(?:^|\.)(?:log\.\w+|querySelector(?:All)?)$/.test(callee) ? [] : below(node);
}

function below(node: Tree): Tree[] {
  const isNode = (value: unknown): value is Tree => typeof (value as Tree | null)?.type === 'string';
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

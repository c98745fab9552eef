// Scopes the styles of a mounted file to its mount.
import { type CssNode, generate, parse, walk } from 'css-tree';

/** At-rules that define document-wide names and cannot be scoped. */
const hoisted = new Set([
  'charset',
  'import',
  'namespace',
  'font-face',
  'keyframes',
  '-webkit-keyframes',
  'property',
  'counter-style',
]);

/**
 * Wraps `css` so that it matches only inside the element of `selector`. Selectors for the document itself (`html`, `body`,
 * `:root`) match that element. `rebase` converts the URLs of the file to those of the page.
 */
export function scopeStyles(css: string, selector: string, rebase: (url: string) => string): string {
  const sheet = parse(css, { parseValue: true, parseCustomProperty: false, onParseError: () => undefined });
  walk(sheet, (node) => {
    if (node.type === 'Url') node.value = rebase(node.value);
    if (node.type === 'Atrule' && node.name === 'import') rebaseImport(node, rebase);
    if (node.type === 'Selector') rootToScope(node);
  });
  if (sheet.type !== 'StyleSheet') return css;
  const outside: CssNode[] = [];
  const inside: CssNode[] = [];
  for (const node of sheet.children.toArray()) {
    (node.type === 'Atrule' && hoisted.has(node.name.toLowerCase()) ? outside : inside).push(node);
  }
  const text = (nodes: CssNode[]) => nodes.map((node) => generate(node)).join('\n');
  return `${text(outside)}\n@scope (${selector}) {\n${text(inside)}\n}`;
}

function rebaseImport(node: Extract<CssNode, { type: 'Atrule' }>, rebase: (url: string) => string): void {
  if (node.prelude?.type !== 'AtrulePrelude') return;
  const first = node.prelude.children.first;
  if (first?.type === 'String') first.value = rebase(first.value);
}

/** Converts `html body .a` to `:scope .a`: the mount replaces html and body. */
function rootToScope(selector: Extract<CssNode, { type: 'Selector' }>): void {
  const scope: CssNode = { type: 'PseudoClassSelector', name: 'scope', children: null };
  let previousWasScope = false;
  selector.children.forEach((node, item, list) => {
    const isRoot =
      (node.type === 'TypeSelector' && /^(html|body)$/i.test(node.name)) ||
      (node.type === 'PseudoClassSelector' && node.name === 'root');
    if (isRoot && previousWasScope) {
      if (item.prev?.data.type === 'Combinator') list.remove(item.prev);
      list.remove(item);
      return;
    }
    if (isRoot) item.data = { ...scope };
    previousWasScope = isRoot || (previousWasScope && node.type === 'Combinator');
  });
}

// Scopes the styles of a mounted file to its mount.
import { type Atrule, type CssNode, generate, List, parse, walk } from 'css-tree';
import { renameKeyframes } from './keyframeNames.ts';
import { type PageAttributes, scopePageRules } from './pageRules.ts';

/** The text of a style sheet, and the file that its URLs are relative to. */
export type Sheet = { css: string; file: string };

export type SheetReader = {
  /** Converts a URL of a file to that of the page. */
  rebase(url: string, file: string): string;
  /** A style sheet of the project that a file imports. */
  read(url: string, file: string): Sheet | undefined;
};

export type StyleScope = SheetReader & {
  /** Matches the host of the mount. */
  selector: string;
  /** The name in the page for a name of keyframes. */
  keyframes(name: string): string;
  /** The id in the page for an id of the file. */
  ids(id: string): string;
  /** The attributes of `html` and `body` of the file. */
  page: PageAttributes;
};

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
 * Wraps a style sheet so that it matches only inside its mount, with the style sheets of the project that it imports. Selectors
 * for the document itself (`html`, `body`, `:root`) match the host.
 */
export function scopeStyles(sheet: Sheet, scope: StyleScope): string {
  const outside: CssNode[] = [];
  const inside: CssNode[] = [];
  const rules = readSheet(sheet, scope);
  renameKeyframes(rules, scope.keyframes);
  for (const rule of rules) renameIds(rule, scope.ids);
  for (const node of rules) (isHoisted(node) ? outside : inside).push(node);
  // Other rules end the imports.
  outside.sort((a, b) => Number(isImport(b)) - Number(isImport(a)));
  const text = (nodes: CssNode[]) => nodes.map((node) => generate(node)).join('\n');
  return `${text(outside)}\n@scope (${scope.selector}) {\n${text(scopePageRules(inside, scope.page))}\n}`;
}

function renameIds(rule: CssNode, rename: (id: string) => string): void {
  walk(rule, (node) => {
    if (node.type === 'IdSelector') node.name = rename(node.name);
    if (node.type === 'Url' && node.value.startsWith('#')) node.value = `#${rename(node.value.slice(1))}`;
  });
}

const isHoisted = (node: CssNode): boolean => node.type === 'Atrule' && hoisted.has(node.name.toLowerCase());
const isImport = (node: CssNode): node is Atrule => node.type === 'Atrule' && node.name.toLowerCase() === 'import';

/** The rules of a style sheet with those that it imports, except from other hosts. `importing`: the files that import it. */
export function readSheet({ css, file }: Sheet, reader: SheetReader, importing: readonly string[] = []): CssNode[] {
  const sheet = parse(css, { parseValue: true, parseCustomProperty: false, onParseError: () => undefined });
  const imports = new Map<CssNode, string>();
  walk(sheet, (node) => {
    const url = isImport(node) ? importedUrl(node) : undefined;
    if (url !== undefined) imports.set(node, url.value);
    if (url?.type === 'String') url.value = reader.rebase(url.value, file);
    if (node.type === 'Url') node.value = reader.rebase(node.value, file);
  });
  if (sheet.type !== 'StyleSheet') return [];
  return sheet.children.toArray().flatMap((node) => {
    const url = imports.get(node);
    const imported = url === undefined ? undefined : reader.read(url, file);
    if (!imported || !isImport(node)) return [node];
    // The browser ignores an import of a file that is being imported.
    if (imported.file === file || importing.includes(imported.file)) return [];
    return inConditions(node, readSheet(imported, reader, [...importing, file]));
  });
}

function importedUrl({ prelude }: Atrule) {
  const first = prelude?.type === 'AtrulePrelude' ? prelude.children.first : null;
  return first?.type === 'String' || first?.type === 'Url' ? first : undefined;
}

/** Puts the rules of an import into the layer, the supports condition and the media queries of the import. */
function inConditions({ prelude }: Atrule, rules: CssNode[]): CssNode[] {
  const conditions = prelude?.type === 'AtrulePrelude' ? prelude.children.toArray().slice(1) : [];
  return conditions.reduceRight((content, condition) => {
    const inner =
      'children' in condition && condition.children ? [...condition.children].map((node) => generate(node)) : [];
    const text = inner.join(' ');
    if (condition.type === 'Identifier') return [block('layer', '', content)];
    if (condition.type !== 'Function') return [block('media', generate(condition), content)];
    return [block(condition.name, condition.name === 'layer' ? text : `(${text})`, content)];
  }, rules);
}

const block = (name: string, prelude: string, content: CssNode[]): CssNode => ({
  type: 'Atrule',
  name,
  prelude: { type: 'Raw', value: prelude },
  block: { type: 'Block', children: new List<CssNode>().fromArray(content) },
});

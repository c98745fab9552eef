// Turns the rules of an embedded file for `html`, `body` and `:root` into rules for its host, which stands for these elements.
import { type CssNode, generate, List, type Rule, type Selector, walk } from 'css-tree';

/** At-rules whose blocks have no rules for elements, or rules with a scope of their own. */
const otherBlocks = /^(?:(?:-webkit-)?keyframes|font-face|page|property|counter-style|scope)$/i;

/** The attributes of `html` and `body`, which the host does not have. */
export type PageAttributes = readonly { name: string; value: string }[];

/** Converts the rules of a style sheet that is written into an `@scope` rule for the host. */
export function scopePageRules(nodes: readonly CssNode[], attributes: PageAttributes): CssNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'Rule') return scopeRule(node, attributes);
    if (node.type === 'Atrule' && node.block && !otherBlocks.test(node.name))
      node.block.children = listOf(scopePageRules(node.block.children.toArray(), attributes));
    return [node];
  });
}

const listOf = (nodes: CssNode[]): List<CssNode> => new List<CssNode>().fromArray(nodes);

/**
 * Declarations for the page itself are divided. Those for the box of the host have no specificity, so that the file with
 * the host decides on its size, position and visibility.
 */
function scopeRule(rule: Rule, attributes: PageAttributes): CssNode[] {
  if (rule.prelude.type !== 'SelectorList') return [rule];
  const selectors = rule.prelude.children
    .toArray()
    .flatMap((node) => (node.type === 'Selector' ? scopeSelector(node, attributes) : []));
  const texts = (isPage: boolean) => selectors.filter((one) => one.isPage === isPage).map(({ text }) => text);
  const declarations = rule.block.children.toArray();
  const box = declarations.flatMap((node) =>
    node.type === 'Declaration' && !isInside(node.property) ? [{ ...node, important: false }] : [],
  );
  const inside = declarations.filter((node) => node.type !== 'Declaration' || isInside(node.property));
  const page = texts(true).map(strengthen);
  return [
    ...ruleWith(rule, texts(false), declarations),
    ...ruleWith(rule, page, inside),
    ...ruleWith(rule, page.length > 0 ? [`:where(${page.join()})`] : [], box),
  ];
}

function ruleWith(rule: Rule, selectors: readonly string[], declarations: CssNode[]): Rule[] {
  if (selectors.length === 0 || declarations.length === 0) return [];
  const block = { ...rule.block, children: listOf(declarations) };
  return [{ ...rule, prelude: { type: 'Raw', value: selectors.join() }, block }];
}

/** Properties for the content of an element, which is inherited or painted behind it. All others are for its box. */
const isInside = (property: string): boolean =>
  /^--|^(?:-webkit-)?(?:background|color|font|text|line-(?:height|break)|letter-|word-|white-space|direction|unicode-bidi|writing-mode|hyphen|tab-size|quotes|list-style|fill|stroke|paint-order|image-rendering|accent|caret|hanging|overflow-wrap|tap-highlight)/i.test(
    property,
  );

/** `html` and `body` as selectors for the host, with the specificity of one tag. */
const pageTag = ':where(:scope):not(html)';

/** Gives selectors for `html` and `body` the specificity of a class, because the host usually has a class. */
const strengthen = (selector: string): string => selector.replaceAll(pageTag, ':scope');

/** `isPage`: the selector matches `html` or `body`, not an element in it. */
type ScopedSelector = { text: string; isPage: boolean };

function scopeSelector(selector: Selector, attributes: PageAttributes): ScopedSelector[] {
  const nodes = selector.children.toArray();
  const isCombinator = (node: CssNode) => node.type === 'Combinator';
  const last = nodes.findLastIndex(isPageNode);
  // Only html is around body, so `.dark body` is one element here.
  const end = nodes.findIndex((node, index) => index > last && isCombinator(node));
  const [page, rest] = end < 0 ? [nodes, []] : [nodes.slice(0, end), nodes.slice(end)];
  if (last >= 0) return [scoped(page, rest, attributes)];
  const isOfPage = page.every((node) => hasAttribute(node, attributes));
  const ofPage = isOfPage ? [scoped(page, rest, attributes)] : [];
  for (const node of nodes) replaceInside(node);
  return [{ text: nodes.map((node) => generate(node)).join(''), isPage: false }, ...ofPage];
}

/** A selector that starts with `html` or `body`. */
function scoped(page: CssNode[], rest: CssNode[], attributes: PageAttributes): ScopedSelector {
  for (const node of rest) replaceInside(node);
  const start = page.filter((node) => !isAround(node)).map((node) => pageText(node, attributes));
  return {
    text: start.join('') + rest.map((node) => generate(node)).join(''),
    isPage: rest.length === 0 && page.every(({ type }) => type !== 'PseudoElementSelector'),
  };
}

/** Whether a selector is for a class or another attribute that `html` or `body` has. */
function hasAttribute(node: CssNode, attributes: PageAttributes): boolean {
  if (node.type === 'ClassSelector')
    return attributes.some(({ name, value }) => name === 'class' && value.split(/\s+/).includes(node.name));
  if (node.type !== 'AttributeSelector' || (node.matcher !== null && node.matcher !== '=')) return false;
  const wanted = node.value?.type === 'String' ? node.value.value : node.value?.name;
  return attributes.some(({ name, value }) => name === node.name.name && (wanted === undefined || value === wanted));
}

const isTag = (node: CssNode): boolean => node.type === 'TypeSelector' && /^(?:html|body)$/i.test(node.name);
const isRoot = (node: CssNode): boolean => node.type === 'PseudoClassSelector' && /^(?:root|scope)$/i.test(node.name);
const isPageNode = (node: CssNode): boolean => isTag(node) || isRoot(node);
const isAround = (node: CssNode): boolean =>
  node.type === 'Combinator' || (node.type === 'TypeSelector' && node.name === '*');

function pageText(node: CssNode, attributes: PageAttributes = []): string {
  if (isTag(node)) return pageTag;
  if (isRoot(node) || hasAttribute(node, attributes)) return ':scope';
  replaceInside(node);
  return generate(node);
}

/** Replaces `html`, `body` and `:root` in selectors such as `:not(body)`. */
function replaceInside(node: CssNode): void {
  walk(node, (inner, item) => {
    if (item && isPageNode(inner)) item.data = { type: 'Raw', value: pageText(inner) };
  });
}

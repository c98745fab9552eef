// Images of styles, and posters of videos, that are first used during the render: frames wait until they are decoded.

import type { Tree, Trees } from '../../runtime/shadowRoots.ts';
import { isSameState, sheetState, styledFile } from '../../runtime/styleSheets.ts';
import { urlsIn } from '../../runtime/styleUrls.ts';

export type CssImages = {
  /** Resolves when images that are used since the last call are decoded. */
  pending(): Promise<unknown>;
  /** The images that have been requested so far. */
  images(): Iterable<HTMLImageElement>;
};

/** A rule with images that no element has matched so far. */
type UnusedRule = { selector: string; scope: string | null; urls: string[] };

export function watchCssImages(document: Document, trees: Trees): CssImages {
  const waiting = new Set<string>();
  /** Keeps decoded images in the browser's cache, from which the page's styles use them. */
  const held = new Map<string, HTMLImageElement>();
  const unused = new WeakMap<Tree, { state: readonly unknown[]; rules: UnusedRule[] }>();
  /** Elements with files in their `style` attribute that have not been displayed so far. */
  const hidden = new Set<HTMLElement>();
  let isChanged = true;

  const add = (urls: Iterable<string>): void => {
    for (const url of urls) waiting.add(url);
  };
  const note = (records: MutationRecord[]): void => {
    isChanged ||= records.length > 0;
    const styled = records.filter(({ attributeName }) => attributeName === 'style').map(({ target }) => target);
    for (const { style } of new Set(styled as HTMLElement[])) {
      if (style && mayHaveImages(style)) add(urlsIn(style.cssText, document.baseURI));
    }
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      if (node.matches(styledFile)) hidden.add(node as HTMLElement);
      noteStyles(node);
    }
  };
  const noteStyles = (parent: ParentNode): void => {
    for (const element of parent.querySelectorAll<HTMLElement>(styledFile)) hidden.add(element);
  };
  const observer = new MutationObserver(note);
  const observe = (tree: Tree) => observer.observe(tree, { subtree: true, childList: true, attributes: true });
  observe(document);

  const findUsed = (): void => {
    note(observer.takeRecords());
    const current = trees();
    // A script that gives an element a shadow tree, or a sheet a rule, does not change the document.
    isChanged ||= current.some((tree) => !isSameState(unused.get(tree)?.state, sheetState(tree)));
    if (!isChanged) return;
    isChanged = false;
    add([...document.querySelectorAll<HTMLVideoElement>('video[poster]')].map(({ poster }) => poster));
    for (const tree of current) findUsedIn(tree);
    for (const element of hidden) {
      if (element.isConnected && !element.checkVisibility()) continue;
      hidden.delete(element);
      if (element.isConnected) add(urlsIn(element.style.cssText, element.baseURI));
    }
  };
  const findUsedIn = (tree: Tree): void => {
    const state = sheetState(tree);
    let known = unused.get(tree);
    if (!known || !isSameState(known.state, state)) {
      if (!known) noteStyles(tree);
      if (!known && tree !== document) observe(tree);
      const sheets = [...tree.styleSheets, ...tree.adoptedStyleSheets].filter(({ disabled }) => !disabled);
      known = { state, rules: sheets.flatMap((sheet) => rulesWithImages(sheet, document)) };
      unused.set(tree, known);
    }
    known.rules = known.rules.filter((rule) => {
      if (!isUsed(tree, rule)) return true;
      add(rule.urls);
      return false;
    });
  };

  const load = (url: string): Promise<void> => {
    const image = new Image();
    held.set(url, image);
    image.src = url;
    // Failed requests are reported elsewhere.
    return image.decode().catch(() => undefined);
  };

  return {
    images: () => held.values(),
    pending() {
      findUsed();
      const urls = [...waiting].filter((url) => !held.has(url));
      waiting.clear();
      return Promise.all(urls.map(load));
    },
  };
}

/** Reading the names is faster than the whole text. Animations change many styles in each frame, and few of them are images. */
const mayHaveImages = (style: CSSStyleDeclaration): boolean =>
  Array.from(style).some((name) => /^--|image|source|mask|content|cursor|filter|path|shape/.test(name));

/** Style rules of the sheet with image files. Rules of sheets from other origins cannot be read. */
function rulesWithImages(sheet: CSSStyleSheet, document: Document): UnusedRule[] {
  try {
    return imageRules(sheet.cssRules, sheet.href ?? document.baseURI);
  } catch {
    return [];
  }
}

function imageRules(rules: CSSRuleList, base: string, scope: string | null = null): UnusedRule[] {
  return [...rules].flatMap((rule): UnusedRule[] => {
    if (rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) return [];
    if (rule instanceof CSSScopeRule) return imageRules(rule.cssRules, base, rule.start);
    if (rule instanceof CSSGroupingRule) return imageRules(rule.cssRules, base, scope);
    if (!(rule instanceof CSSStyleRule)) return [];
    const urls = urlsIn(rule.style.cssText, base);
    return urls.length > 0 ? [{ selector: rule.selectorText, scope, urls }] : [];
  });
}

/** Whether the browser loads the images of a rule: only for elements that are displayed. */
function isUsed(tree: Tree, { selector, scope }: UnusedRule): boolean {
  const elements = selector.replaceAll(/::[\w-]+|:(?:before|after)\b/g, '') || '*';
  const hostSelector = /^:host(?:\((.*)\))?$/.exec(elements);
  try {
    // The host is not in the tree that its styles belong to.
    const hosts = hostSelector && 'host' in tree && tree.host.matches(hostSelector[1] ?? '*') ? [tree.host] : [];
    return [...hosts, ...tree.querySelectorAll(elements)].some(
      (element) => (scope === null || element.closest(scope)) && element.checkVisibility(),
    );
  } catch {
    return false;
  }
}

// Rewrites the lists of font families in the page's styles, as soon as the page has them: rules, `style` attributes and
// attributes of SVG, also in shadow roots.
import { pinnedList, withNamedFamilies } from '../../../model/fonts/familyList.ts';
import { loadedSheets } from '../../runtime/ownSheets.ts';
import { fallbackFonts, pinnedSheets } from '../../runtime/page.ts';
import { pinDeclarations } from './pinDeclarations.ts';
import { pinNewRoots } from './pinRoots.ts';

const fallback = `var(${fallbackFonts})`;
const sheetOwners = 'style,link[rel~="stylesheet" i]';
const styled = '[style*="font" i],[style*="--"],[font-family],font[face]';

type Window = globalThis.Window & typeof globalThis;

export function pinStyles(window: Window): void {
  const { document } = window;
  const { pinSheet, pinRules } = sheetPinner(window);
  const roots = new Set<Document | ShadowRoot>();
  const pinSheets = (): void => {
    for (const sheet of loadedSheets(document)) pinSheet(sheet);
    for (const root of roots) for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) pinSheet(sheet);
  };
  const pinAdded = (node: Node): void => {
    if (!(node instanceof window.Element)) return;
    if (node.matches(sheetOwners)) pinSheet((node as HTMLStyleElement).sheet);
    if (node.matches(styled)) pinElement(node);
    if (node.firstElementChild !== null) pinContent(node);
  };
  const pinContent = (parent: ParentNode): void => {
    for (const owner of parent.querySelectorAll<HTMLStyleElement>(sheetOwners)) pinSheet(owner.sheet);
    for (const element of parent.querySelectorAll(styled)) pinElement(element);
  };
  const observer = new window.MutationObserver((records) => {
    for (const { target, type, addedNodes } of records) {
      if (type === 'attributes') pinElement(target as Element);
      else {
        // The text of a style element.
        const owner = target instanceof window.HTMLStyleElement ? target : null;
        if (owner?.sheet) pinSheet(owner.sheet);
        for (const node of addedNodes) pinAdded(node);
      }
    }
  });
  const attributeFilter = ['style', 'font-family', 'face'];
  const observe = (root: Document | ShadowRoot): void => {
    if (roots.has(root)) return;
    roots.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
    const onLoad = ({ target }: Event): void => {
      if (target instanceof window.Element && target.matches(sheetOwners)) pinSheet((target as HTMLStyleElement).sheet);
    };
    root.addEventListener('load', onLoad, { capture: true });
    pinContent(root);
  };
  observe(document);
  pinNewRoots(window, observe);
  pinNewSheets(window, pinRules);
  // Scripts after a style sheet call it, because they may run before the event of the sheet (`pinScript` in page/assemble/assemble.ts).
  const pinBeforeScript = (): void => {
    document.currentScript?.remove();
    pinSheets();
  };
  Object.defineProperty(window, Symbol.for(pinnedSheets), { value: pinBeforeScript });
  window.addEventListener('DOMContentLoaded', pinSheets);
  window.addEventListener('load', pinSheets);
}

type PinRules = (rules: Iterable<CSSRule>) => void;

/** `pinSheet` rewrites the rules of a sheet, unless it has the same number of rules as before, and those that it imports. */
function sheetPinner(window: Window): { pinRules: PinRules; pinSheet(sheet: CSSStyleSheet | null): void } {
  const seen = new WeakMap<CSSStyleSheet, number>();
  const styleOf = Object.getOwnPropertyDescriptor(window.CSSStyleRule.prototype, 'style')?.get;
  const pinRules: PinRules = (rules) => {
    for (const rule of rules) {
      if (rule instanceof window.CSSStyleRule) pinDeclarations(styleOf ? styleOf.call(rule) : rule.style);
      else if (rule instanceof window.CSSFontFaceRule) removeLocalFonts(rule.style);
      else if ('style' in rule) pinDeclarations(rule.style as CSSStyleDeclaration);
      if (rule instanceof window.CSSImportRule) pinSheet(rule.styleSheet);
      if ('cssRules' in rule) pinRules(rule.cssRules as CSSRuleList);
    }
  };
  const pinSheet = (sheet: CSSStyleSheet | null): void => {
    if (!sheet) return;
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      // Rules of sheets from other origins without CORS cannot be read.
      return;
    }
    const isSeen = seen.get(sheet) === rules.length;
    seen.set(sheet, rules.length);
    if (!isSeen) pinRules(rules);
    // A sheet that was not loaded then may be loaded now.
    else for (const rule of rules) if (rule instanceof window.CSSImportRule) pinSheet(rule.styleSheet);
  };
  return { pinRules, pinSheet };
}

/** A face that consists of system fonts only gets a name that no text uses. */
function removeLocalFonts(face: CSSStyleDeclaration): void {
  const src = face.getPropertyValue('src');
  const remaining = src.replace(/\blocal\((?:"[^"]*"|'[^']*'|[^)]*)\)\s*(?:,\s*|$)/gi, '').replace(/,\s*$/, '');
  if (remaining === src) return;
  if (remaining === '') face.setProperty('font-family', '"Framework Local"');
  else face.setProperty('src', remaining);
}

function pinElement(element: Element): void {
  const { style } = element as HTMLElement;
  if (style?.length) pinDeclarations(style);
  const attribute = element.getAttribute('font-family');
  const pinned = attribute === null ? null : pinnedList(attribute, fallback);
  if (pinned !== null && pinned !== attribute) element.setAttribute('font-family', pinned);
  // The style sheet for browsers' own fonts adds the fallback.
  const face = element.localName === 'font' ? element.getAttribute('face') : null;
  const named = face === null ? null : withNamedFamilies(face);
  if (named !== null && named !== face) element.setAttribute('face', named);
}

/** Sheets and rules that scripts create or change. */
function pinNewSheets(window: Window, pinRules: PinRules): void {
  for (const { prototype } of [window.CSSStyleSheet, window.CSSGroupingRule]) {
    const { insertRule } = prototype;
    prototype.insertRule = function (this: CSSStyleSheet | CSSGroupingRule, ...args) {
      const index = insertRule.apply(this as CSSStyleSheet & CSSGroupingRule, args);
      const rule = this.cssRules[index];
      if (rule) pinRules([rule]);
      return index;
    };
  }
  const { prototype } = window.CSSStyleSheet;
  const { replaceSync, replace } = prototype;
  prototype.replaceSync = function (text) {
    replaceSync.call(this, text);
    pinRules(this.cssRules);
  };
  prototype.replace = async function (text) {
    const sheet = await replace.call(this, text);
    pinRules(this.cssRules);
    return sheet;
  };
  const style = Object.getOwnPropertyDescriptor(window.CSSStyleRule.prototype, 'style');
  const styleOf = style?.get;
  if (!styleOf) return;
  Object.defineProperty(window.CSSStyleRule.prototype, 'style', {
    ...style,
    // A script that reads the declarations of a rule may change them.
    get(this: CSSStyleRule) {
      const declarations: CSSStyleDeclaration = styleOf.call(this);
      queueMicrotask(() => pinDeclarations(declarations));
      return declarations;
    },
  });
}

// Identifies elements in the rules that apply while a frame is painted. Runs in the capture page.
import { adoptSheet } from '../../page/runtime/ownSheets.ts';

const attribute = 'data-framework-paint';
const marks = new WeakMap<Element, string>();
let count = 0;

/** Marks an element, and returns a rule for it. An element keeps its mark, because rules come and go with each frame. */
export function ruleFor(element: Element, declarations: string): string {
  const mark = marks.get(element) ?? String(count++);
  marks.set(element, mark);
  if (element.getAttribute(attribute) !== mark) element.setAttribute(attribute, mark);
  return `[${attribute}="${mark}"]{${declarations}}`;
}

export type RuleSheet = { set(rules: readonly string[]): void; remove(): void };

/** A style sheet of the document whose rules come and go. They are weaker than the author's, unless important. */
export function ruleSheet({ document, CSSStyleSheet }: Window & typeof globalThis): RuleSheet {
  let sheet: CSSStyleSheet | undefined;
  return {
    set(rules) {
      if (!sheet) {
        sheet = new CSSStyleSheet();
        adoptSheet(document, sheet);
      }
      sheet.replaceSync(`@layer framework{${rules.join('')}}`);
      sheet.disabled = false;
    },
    remove() {
      if (sheet) sheet.disabled = true;
    },
  };
}

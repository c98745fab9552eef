// Adds style sheets of the runtime.
import { adoptSheet } from './ownSheets.ts';

/**
 * Adds a constructed sheet, because the document has no head when the runtime starts. The layer gives `!important` priority
 * over the author's styles.
 */
export function addStyle(document: Document, css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer framework{${css}}`);
  adoptSheet(document, sheet);
  return sheet;
}

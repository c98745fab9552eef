// Adds style sheets of the runtime.

/**
 * Adds a constructed sheet, because the document has no head when the runtime starts. The layer gives `!important` priority
 * over the author's styles.
 */
export function addStyle(document: Document, css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer framework{${css}}`);
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}

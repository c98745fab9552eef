// The runtime's own style sheets.

/** The document has no head yet when the runtime starts: a constructed sheet needs none. Layered, so that `!important` wins over the author's. */
export function addStyle(document: Document, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer framework{${css}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

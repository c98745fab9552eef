// HTML as values: text that is put into a template is escaped; what is HTML already stays as it is.

const markup: unique symbol = Symbol('html');
export type Html = { readonly [markup]: string };
export type HtmlPart = Html | string | number | undefined | null | false | readonly HtmlPart[];

/** Attributes have to be written in double quotes. `undefined`, `null` and `false` are left out. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return trustedHtml(strings.map((text, index) => text + rendered(parts[index])).join(''));
}

/** Only for what this program itself has written. */
export function trustedHtml(text: string): Html {
  return { [markup]: text };
}

export function htmlText(value: Html): string {
  return value[markup];
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function rendered(part: HtmlPart): string {
  if (part === undefined || part === null || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return markup in part ? part[markup] : part.map(rendered).join('');
}

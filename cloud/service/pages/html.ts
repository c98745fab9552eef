// HTML templates: hono/html, restricted to values that are available immediately, so that a template is never a promise.
import { html as honoHtml, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Escaped HTML. */
export type Html = HtmlEscapedString;
export type HtmlPart = Html | string | number | undefined | null | false | readonly HtmlPart[];

/** Escapes strings; leaves out `undefined`, `null` and `false`. Attribute values must be in double quotes. */
export const html = honoHtml as (strings: TemplateStringsArray, ...parts: HtmlPart[]) => Html;

/** Marks a constant of this program as HTML. Never for user input. */
export const trustedHtml = (text: string): Html => raw(text);

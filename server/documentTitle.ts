// The title of a composition's document, if it says more than the name of the file.
import { decodeHTML } from 'entities/decode';
import type { Composition } from '../renderer-core/model/composition.ts';
import { ancestor, type HtmlElement, innerText } from '../renderer-core/model/html.ts';

/** Titles that editors and templates write into every new document. */
const generic = /^(?:(?:new|my) )?(?:document|page|title|page title|composition|untitled|untitled document|index)$/i;

const isInDrawing = (element: HtmlElement): boolean => ancestor(element, ({ tag }) => tag === 'svg') !== null;

/** Undefined when there is no title, or one that many documents have. `path`: of the file. */
export function documentTitle({ text, html }: Pick<Composition, 'text' | 'html'>, path: string): string | undefined {
  const element = html.elements.find((one) => one.tag === 'title' && one.template === null && !isInDrawing(one));
  if (!element) return undefined;
  const title = decodeHTML(innerText(text, element)).replaceAll(/\s+/g, ' ').trim();
  const file = path.slice(path.lastIndexOf('/') + 1);
  const isFileName = [file, file.replace(/\.html?$/i, '')].includes(title);
  return title === '' || isFileName || generic.test(title) ? undefined : title;
}

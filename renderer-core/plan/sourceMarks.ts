// Marks the elements of an assembled page with the place that they have in the project: for the preview alone.
import type { Composition } from '../model/composition.ts';
import { sourceAttribute } from '../runtime/page.ts';
import type { TextEdit } from './textEdits.ts';

/** Elements that show nothing, or whose attributes decide what runs. */
const unmarked = new Set(['base', 'head', 'link', 'meta', 'noscript', 'script', 'style', 'template', 'title']);

/** `<file>:<start>:<end>` behind the name of every tag; offsets of the element in the file, in UTF-16 units. */
export function markEdits(file: number, { html }: Composition): TextEdit[] {
  return html.elements
    .filter(({ tag }) => !unmarked.has(tag))
    .map(({ tag, startTag, span }) => {
      const at = startTag.start + 1 + tag.length;
      return { span: { start: at, end: at }, text: ` ${sourceAttribute}="${file}:${span.start}:${span.end}"` };
    });
}

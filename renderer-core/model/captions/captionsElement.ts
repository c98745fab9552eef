// Elements that show the captions of a file.
import { attr } from '../attributes.ts';
import type { Clip } from '../clips.ts';
import type { HtmlElement } from '../text/html.ts';
import {
  type FieldProblemCode,
  flagField,
  type NumberField,
  numberField,
  type ProblemSink,
  type TextField,
  textField,
} from '../variables/fields.ts';

/** `src` is empty if only a variable names the file. `clip`: the element or the nearest clip around it. */
export type CaptionsElement = {
  element: HtmlElement;
  src: TextField;
  clip: Clip | null;
  isWordByWord: boolean;
  mediaStart: NumberField | null;
};

/** `element` must have `data-captions-src`. */
export function readCaptions(
  element: HtmlElement,
  clip: Clip | null,
  problems: ProblemSink<FieldProblemCode>,
): CaptionsElement {
  return {
    element,
    src: textField(element, attr.captionsSrc) ?? { text: '', span: element.startTag },
    clip,
    isWordByWord: flagField(element, 'captionsWords') ?? false,
    mediaStart: numberField(element, 'mediaStart', problems),
  };
}

/** The file that an element shows with these values; empty if it shows none. */
export function captionsSource({ element, src }: CaptionsElement, values: Readonly<Record<string, unknown>>): string {
  const id = textField(element, attr.varSrc)?.text;
  const value = id !== undefined && Object.hasOwn(values, id) ? values[id] : undefined;
  return typeof value === 'string' ? value.trim() : src.text;
}

/** Elements whose content is no text, or is not shown. */
const unable = new Set(
  'audio body canvas colgroup embed frameset head html iframe img input noembed noframes noscript object optgroup option plaintext script select style svg table tbody template textarea tfoot thead title tr video xmp'.split(
    ' ',
  ),
);

/** Why an element cannot show captions; undefined if it can. */
export function captionsObstacle({ element: { tag, attributes } }: CaptionsElement): string | undefined {
  if (unable.has(tag)) return `Captions cannot be shown in <${tag}>; use an element for text, such as <p>`;
  const other = [attr.compositionSrc, attr.varText].find((name) => attributes.has(name));
  return other && `${other} sets the content of this element, so its captions are not shown; use another element`;
}

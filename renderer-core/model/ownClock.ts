// Content that does not follow the time of the video: browsers give a page no control over its clock.
import { isLoadable } from './assets.ts';
import { attr } from './attributes.ts';
import type { Composition } from './composition.ts';
import type { HtmlElement } from './text/html.ts';
import type { Span } from './text/spans.ts';
import { textField } from './variables/fields.ts';

/** `source` is the URL of a document in a frame. */
export type OwnClock = { message: string; span: Span; source?: string };

/** The elements of a file whose content stands still in a video or runs in real time, in source order. */
export function ownClocks(composition: Composition): OwnClock[] {
  const { html, template } = composition;
  return html.elements
    .filter((element) => element.template === null || element.template === template)
    .flatMap((element) => clocksOf(element, composition))
    .sort((a, b) => a.span.start - b.span.start);
}

function clocksOf(element: HtmlElement, composition: Composition): OwnClock[] {
  const { tag, startTag, attributes } = element;
  const has = (name: string) => attributes.has(name);
  switch (tag) {
    case 'marquee':
      return [{ message: '<marquee> stands still in the video; move the text with a CSS animation', span: startTag }];
    case 'progress':
      return has('value') || isStyledOrSet(element, composition)
        ? []
        : [
            {
              message: '<progress> without a value moves in real time, differently in each render; give it a value',
              span: startTag,
            },
          ];
    case 'iframe':
    case 'frame':
    case 'object':
    case 'embed':
      return frameClocks(element);
    case 'video':
      return imageClock(element, 'poster');
    case 'input':
      return /^image$/i.test(attributes.get('type')?.value ?? '')
        ? imageClock(element, 'src')
        : caretClock(element, composition);
    default:
      return tag === 'textarea' || has('contenteditable') ? caretClock(element, composition) : [];
  }
}

const endOfPath = '(?:[?#]|$)';
const animatedImage = new RegExp(String.raw`\.(?:gif|apng)${endOfPath}`, 'i');
const video = new RegExp(String.raw`\.(?:mp4|m4v|webm|mov|ogv|mkv)${endOfPath}`, 'i');
const drawing = new RegExp(String.raw`\.svg${endOfPath}`, 'i');
const page = new RegExp(String.raw`\.x?html?${endOfPath}`, 'i');

function frameClocks(element: HtmlElement): OwnClock[] {
  const { tag } = element;
  const written = tag === 'iframe' ? textField(element, 'srcdoc') : null;
  if (written) return isAnimated(written.text) ? [{ message: stillDocument(tag), span: written.span }] : [];
  const source = textField(element, tag === 'object' ? 'data' : 'src');
  if (!source || !isLoadable(source.text)) return [];
  const { text, span } = source;
  if (animatedImage.test(text)) return imageClock(element, tag === 'object' ? 'data' : 'src');
  if (video.test(text))
    return [{ message: `The video in <${tag}> does not play in the video; use <video> with ${attr.start}`, span }];
  if (drawing.test(text))
    return [
      {
        message: `The drawing in <${tag}> stands still in the video; put the <svg> itself into the page`,
        span,
        source: text,
      },
    ];
  return /^i?frame$/.test(tag) || page.test(text) ? [{ message: stillDocument(tag), span, source: text }] : [];
}

const stillDocument = (tag: string): string =>
  `The document in <${tag}> stands still in the video, and videos in it run in real time; embed a composition with ${attr.compositionSrc}`;

/** Whether the text of a document can show something that changes with time. */
export function isAnimated(text: string): boolean {
  return /animation|transition|<script|<animate|<set\b|<video|<marquee|\.gif\b|\.apng\b|\bon\w+\s*=/i.test(text);
}

function imageClock(element: HtmlElement, name: string): OwnClock[] {
  const source = textField(element, name);
  if (!source || !animatedImage.test(source.text)) return [];
  const shown = name === 'poster' ? 'the poster of a <video>' : `<${element.tag}>`;
  return [
    {
      message: `An animated image in ${shown} runs in real time, differently in each render; use <img>`,
      span: source.span,
    },
  ];
}

/** The caret of a field that has the focus when the page loads. */
function caretClock({ attributes }: HtmlElement, { text }: Composition): OwnClock[] {
  const focus = attributes.get('autofocus');
  if (!focus || /caret-color\s*:\s*transparent/i.test(text)) return [];
  const message =
    'The caret of this field blinks in real time, differently in each render; remove autofocus, or set caret-color to transparent';
  return [{ message, span: focus.nameSpan }];
}

/** A progress bar with its own appearance does not move, and one with a value that a script sets does not either. */
function isStyledOrSet({ attributes }: HtmlElement, { text, scripts }: Composition): boolean {
  const id = attributes.get('id')?.value;
  const isNamed = (code: string) => /progress/i.test(code) || (id !== undefined && id !== '' && code.includes(id));
  return /appearance\s*:\s*none/i.test(text) || scripts.some((script) => script.src !== null || isNamed(script.text));
}

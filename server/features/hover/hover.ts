// Hover: describes what is at the cursor, with its exact range.
import type { Hover } from 'vscode-languageserver-types';
import { attributeKey, attributeSpecs } from '../../../renderer-core/model/attributes.ts';
import { fontUses } from '../../../renderer-core/model/fonts/fontUses.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { type Span, touches } from '../../../renderer-core/model/text/spans.ts';
import { markdown } from '../completion/completionItems.ts';
import { type CursorContext, contextAt } from '../cursorContext.ts';
import { describeFont } from '../fonts.ts';
import { elementAt } from '../names/elementAt.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';
import { describeCaptions } from './describeCaptions.ts';
import { describeClip, describeElement, describeHost, describeValue } from './describeTiming.ts';
import { describeVariable } from './describeVariable.ts';
import { attributeMarkdown, type HoverText } from './descriptions.ts';
import { type FontFiles, fontSample, longestHover } from './fontSample.ts';
import { hoverJson } from './hoverJson.ts';

/** Null if there is nothing of Framework at the offset. Never throws. */
export function hover(file: SourceFile, offset: number): Hover | null {
  const facts = textAt(file, offset, contextAt(file, offset));
  return facts && { contents: markdown(facts.text), range: rangeOf(file, facts.span) };
}

/** `hover` with an image of the letters of a font family. */
export async function hoverWithSample(file: SourceFile, offset: number, files: FontFiles): Promise<Hover | null> {
  const facts = textAt(file, offset, contextAt(file, offset));
  if (!facts) return null;
  // The text of the file may change while the font is read.
  const range = rangeOf(file, facts.span);
  const sample = facts.font && (await fontSample(file, facts.font, files));
  const text = sample === undefined ? facts.text : `${facts.text}\n\n${sample}`;
  return { contents: markdown(text.length > longestHover ? facts.text : text), range };
}

function textAt(file: SourceFile, offset: number, context: CursorContext): HoverText | null {
  switch (context.kind) {
    case 'name':
      return nameText(file, context);
    case 'json':
      return hoverJson(file, context, offset);
    case 'start':
      return startText(file, context);
    case 'path':
      return about(
        context.text.span,
        context.key === 'captionsSrc' ? describeCaptions(file, context.element) : describeHost(file, context.element),
      );
    case 'binding':
      return about(context.text.span, describeVariable(file, file, context.text.text.trim()));
    case 'condition': {
      const { id } = file.composition.conditions.find(({ element }) => element === context.element) ?? {};
      return id ? about(id.span, describeVariable(file, file, id.text)) : null;
    }
    case 'value':
      return about(context.text.span, joined(describeValue(file, context), attributeSpecs[context.key].doc));
    case 'script':
      return context.read && about(context.span, describeVariable(file, file, context.read.id));
    case 'customProperty':
      return about(context.span, describeVariable(file, file, context.id));
    case 'fontFamily':
    case 'none':
      return fontText(file, offset) ?? tagText(file, offset);
  }
}

function about(span: Span, text: string | null): HoverText | null {
  return text === null || text === '' ? null : { span, text };
}

function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n---\n\n');
}

function nameText(file: SourceFile, { attribute, element, span }: CursorContext & { kind: 'name' }): HoverText | null {
  const key = attribute ? attributeKey(attribute.name) : undefined;
  if (!key) return null;
  // `loop` and `muted` also exist on elements that are not media: a `<marquee>` loops too.
  if ((key === 'loop' || key === 'muted') && !attributeSpecs[key].on.some((tag) => tag === element.tag)) return null;
  const isAboutTime = key === 'start' || key === 'duration';
  return about(span, joined(isAboutTime ? describeClip(file, element) : null, attributeMarkdown(key)));
}

/** Describes the referenced clip and this one. */
function startText(
  file: SourceFile,
  { element, reference, text }: CursorContext & { kind: 'start' },
): HoverText | null {
  const own = describeClip(file, element);
  if (!reference) return about(text.span, own);
  const self = file.composition.clips.find((clip) => clip.element === element);
  return about(reference.span, joined(self ? describeClip(file, self, reference.id) : null, own));
}

/** Describes the family in a style that the offset touches. */
function fontText(file: SourceFile, offset: number): HoverText | null {
  if (!/font|--/i.test(file.composition.text)) return null;
  const named = fontUses(file.composition).find(({ span }) => touches(span, offset));
  const text = named ? about(named.span, describeFont(file, named)) : null;
  return named && text ? { ...text, font: named } : null;
}

/** Describes the tag of a clip, a host or a composition. */
function tagText(file: SourceFile, offset: number): HoverText | null {
  const element: HtmlElement | undefined = elementAt(file.composition, offset);
  if (!element) return null;
  const start = element.startTag.start + 1;
  const span = { start, end: start + element.tag.length };
  return offset < start || offset > span.end ? null : about(span, describeElement(file, element));
}

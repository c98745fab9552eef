// Hover: what stands under the cursor and what is known about it, with the exact range.
import type { Hover } from 'vscode-languageserver-types';
import { attributeKey, attributeSpecs } from '../../renderer-core/model/attributes.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import { attributeMarkdown } from './attributeDocs.ts';
import { markdown } from './completionItems.ts';
import { rangeOf, type SourceFile } from './file.ts';
import { hoverJson } from './hoverJson.ts';
import { clipFacts, elementFacts, hostFacts, valueFacts } from './hoverTimes.ts';
import { variableFacts } from './hoverVariables.ts';
import { type Place, placeAt } from './place.ts';
import { elementAt } from './startTags.ts';

/** What a hover says, in Markdown, and the part of the file that it says it about. */
export type Facts = { span: Span; text: string };

/** What is known about the thing at an offset; null where there is nothing of ours. Never throws. */
export function hover(file: SourceFile, offset: number): Hover | null {
  const facts = factsAt(file, offset, placeAt(file, offset));
  return facts && { contents: markdown(facts.text), range: rangeOf(file, facts.span) };
}

function factsAt(file: SourceFile, offset: number, place: Place): Facts | null {
  switch (place.kind) {
    case 'name':
      return nameFacts(file, place);
    case 'json':
      return hoverJson(file, place, offset);
    case 'start':
      return startFacts(file, place);
    case 'path':
      return about(place.text.span, hostFacts(file, place.element));
    case 'binding':
      return about(place.text.span, variableFacts(file, file, place.text.text.trim()));
    case 'value':
      return about(place.text.span, joined(valueFacts(file, place), attributeSpecs[place.key].doc));
    case 'script':
      return place.read && about(place.span, variableFacts(file, file, place.read.id));
    case 'customProperty':
      return about(place.span, variableFacts(file, file, place.id));
    case 'none':
      return tagFacts(file, offset);
  }
}

function about(span: Span, text: string | null): Facts | null {
  return text === null || text === '' ? null : { span, text };
}

function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n---\n\n');
}

function nameFacts(file: SourceFile, { attribute, element, span }: Place & { kind: 'name' }): Facts | null {
  const key = attribute ? attributeKey(attribute.name) : undefined;
  if (!key) return null;
  // `loop` and `muted` mean something else to others: a `<marquee>` loops too.
  if ((key === 'loop' || key === 'muted') && !attributeSpecs[key].on.some((tag) => tag === element.tag)) return null;
  const isAboutTime = key === 'start' || key === 'duration';
  return about(span, joined(isAboutTime ? clipFacts(file, element) : null, attributeMarkdown(key)));
}

/** The clip that is referred to, and when this one starts for it. */
function startFacts(file: SourceFile, { element, reference, text }: Place & { kind: 'start' }): Facts | null {
  const own = clipFacts(file, element);
  if (!reference) return about(text.span, own);
  const self = file.composition.clips.find((clip) => clip.element === element);
  return about(reference.span, joined(self ? clipFacts(file, self, reference.id) : null, own));
}

/** The tag of a clip, a host or a composition. */
function tagFacts(file: SourceFile, offset: number): Facts | null {
  const element: HtmlElement | undefined = elementAt(file.composition, offset);
  if (!element) return null;
  const start = element.startTag.start + 1;
  const span = { start, end: start + element.tag.length };
  return offset < start || offset > span.end ? null : about(span, elementFacts(file, element));
}

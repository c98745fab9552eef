// Descriptions of files of captions, in Markdown.
import { shownCaptions } from '../../../renderer-core/lint/shownCaptions.ts';
import { type Captions, textOfNodes } from '../../../renderer-core/model/captions/readCues.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { timeSpan } from '../clipTimes.ts';
import type { SourceFile } from '../sourceFile.ts';
import { escapeMarkdown } from './descriptions.ts';

/** `12 captions · 0.5 s – 40 s`; empty if the file has not been read. */
export function describeCues(captions: Captions | undefined): string {
  const [first] = captions?.cues ?? [];
  if (!captions || !first) return captions ? 'no captions' : '';
  const count = captions.cues.length;
  const end = Math.max(...captions.cues.map((cue) => cue.end));
  return `${count} ${count === 1 ? 'caption' : 'captions'} · ${timeSpan({ start: first.start, end })}`;
}

/** The captions that an element shows with the default values; null if there are none. */
export function describeCaptions({ project, path, composition }: SourceFile, element: HtmlElement): string | null {
  const captions = composition.captions.find((one) => one.element === element);
  const shown = captions && shownCaptions(project, path, composition, captions);
  const [first] = shown?.captions.cues ?? [];
  if (!shown || !first) return null;
  return `**${escapeMarkdown(shown.file)}** ${describeCues(shown.captions)}\n\n> ${escapeMarkdown(textOfNodes(first.nodes))}`;
}

// Completion of `data-start`: IDs of clips to follow, and offsets from their ends.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Clip } from '../../../renderer-core/model/clips.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { indexById, referencedClip } from '../../../renderer-core/model/timing.ts';
import { clipTimes, seconds, timeSpan } from '../clipTimes.ts';
import type { ValueContext } from '../cursorContext.ts';
import type { SourceFile } from '../sourceFile.ts';
import { lineSpan, type Offer, valueItem } from './completionItems.ts';

/** Offers the IDs of clips in the same composition or, after an ID, an offset. */
export function completeStart(file: SourceFile, context: ValueContext, offset: number): CompletionItem[] {
  const { clips } = file.composition;
  const front = context.text.text.slice(0, context.at).trimStart();
  const candidates = clipsToFollow(file, context.element);
  const known = (id: string) => candidates.some(({ ids }) => ids.includes(id));
  const shifted = /^(\S+)(\s+)([+-]?)\s*$/.exec(front);
  if (shifted && known(shifted[1] ?? '')) {
    const signLength = front.length - (shifted[1]?.length ?? 0) - (shifted[2]?.length ?? 0);
    const line = lineSpan(file, context.text.span, offset);
    const span = { start: offset - signLength, end: line.end };
    // An edit must be within a line, so a sign before a line break cannot be replaced.
    if (span.start < line.start) return [];
    return shifts(offset, signLength).map((offer) => valueItem(file, context, offset, offer, span));
  }
  const times = clipTimes(file);
  const self = clips.find(({ element }) => element.startTag.start === context.element.startTag.start);
  const at = self ? clips.indexOf(self) : clips.length;
  const offers = candidates.flatMap((clip) => {
    const id = clip.ids[0];
    if (id === undefined) return [];
    const time = times.byElement.get(clip.element);
    const end = time?.end == null ? 'end not known yet' : `ends at ${seconds(time.end)}`;
    const index = clips.indexOf(clip);
    // First the clips before this one, nearest first, then those after it.
    const sort = index < at ? at - index : 1000 + index;
    return [
      {
        label: id,
        kind: CompletionItemKind.Reference,
        detail: end,
        documentation: `\`<${clip.element.tag}>\`${time ? ` shows ${timeSpan(time)}` : ''}`,
        sort,
      },
    ];
  });
  const atStart: Offer = {
    label: '0',
    detail: 'start of the composition',
    kind: CompletionItemKind.Constant,
    sort: 5000,
  };
  return [...offers, atStart].map((offer) => valueItem(file, context, offset, offer));
}

function shifts(offset: number, signLength: number): Offer[] {
  const offer = (sign: string, detail: string, sort: number): Offer => ({
    label: `${sign} seconds`,
    // If a sign is typed already, the other one must not pass the filter.
    filter: signLength > 0 ? `${sign} ` : sign,
    text: `${sign} \${1:0.5}`,
    kind: CompletionItemKind.Operator,
    detail,
    sort: offset >= 0 ? sort : 0,
    isSnippet: true,
  });
  return [offer('+', 'after its end', 0), offer('-', 'before its end', 1)];
}

/** The clips of the element's composition that it can follow without a cycle, one for each ID. */
function clipsToFollow({ composition }: SourceFile, element: HtmlElement): Clip[] {
  const { clips, root } = composition;
  const owner = ownerOf(element, root);
  const byId = indexById(clips);
  const isSelf = (clip: Clip) => clip.element.startTag.start === element.startTag.start;
  const waitsForSelf = (clip: Clip): boolean => {
    const seen = new Set<Clip>();
    let next: Clip | undefined = clip;
    while (next && !seen.has(next)) {
      if (isSelf(next)) return true;
      seen.add(next);
      next = next.start?.kind === 'after' ? referencedClip(next, next.start.id, byId) : undefined;
    }
    return false;
  };
  const taken = new Set<string>();
  return clips.filter((clip) => {
    const id = clip.ids[0];
    if (id === undefined || taken.has(id) || (clip.owner?.element ?? null) !== owner || waitsForSelf(clip))
      return false;
    taken.add(id);
    return true;
  });
}

/** The composition that contains an element. */
function ownerOf(element: HtmlElement, root: HtmlElement | null): HtmlElement | null {
  for (let around = element.parent; around; around = around.parent) {
    const isComposition = around.attributes.has(attr.compositionId) && !around.attributes.has(attr.compositionSrc);
    if (isComposition || around === root) return around;
  }
  return null;
}

// Captions of files. The assembly has written each one as a clip (page/assemble/captionEdits.ts).
import type { Caption } from '../../../model/captions/readCues.ts';
import { cueAttribute, hiddenAttribute } from '../../runtime/page.ts';
import type { PagePart } from '../../runtime/pagePart.ts';
import { addStyle } from '../../runtime/styles.ts';

/**
 * Captions that are not shown take no space. Words appear when they are spoken; any animation of the author replaces this one,
 * and then all words are visible.
 */
const css = `[${cueAttribute}][${hiddenAttribute}]{display:none!important}
:where([${cueAttribute}]){display:block}
:where([${cueAttribute}] [data-cue-word]){animation:framework-word 1ms step-end calc(var(--word-start) - 1ms) backwards}
@keyframes framework-word{from{visibility:hidden}}`;

export const captionsInPage: PagePart = {
  install({ window: { document }, clips }) {
    addStyle(document, css);
    const captionOf = (cue: Element): Caption => {
      const { start, end } = clips.timeOf(cue).shows;
      return { start, end: end ?? start, text: linesOf(cue) };
    };
    return {
      override: () => ({
        captions() {
          const shown = [...document.querySelectorAll(`[${cueAttribute}]`)].map(captionOf);
          return shown.filter(({ start, end, text }) => end > start && text !== '').sort(byTime);
        },
      }),
    };
  },
};

const byTime = (a: Caption, b: Caption): number => a.start - b.start || a.end - b.end;

function linesOf(cue: Element): string {
  const parts: string[] = [];
  const walker = cue.ownerDocument.createTreeWalker(cue);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    parts.push(node.nodeName === 'BR' ? '\n' : (node.nodeValue ?? ''));
  return parts.join('').trim();
}

// Pages that are functions of time: a frame does not depend on the frames that the page has shown before.
import type { ProjectGraph } from '../../../model/graph.ts';
import { hiddenAttribute } from '../../runtime/page.ts';
import type { Feature } from '../feature.ts';

/** Markup that runs code, has a time of its own, or loads text that is not in the graph. */
const markup =
  /<(?:script|iframe|frame|object|embed|video|audio|animate|set|marquee|link|meta[^>]*http-equiv)|[\s"'/]on\w+\s*=|javascript:|<style[^>]*data-var/i;

/** CSS whose effect depends on earlier frames. What CSS animations change could start or pause others with some of it. */
const css =
  /transition|@import|@container|timeline|trigger|content-visibility|contain-intrinsic|position-try|animation[\w-]*\s*:[^;}"]*var\(|\bif\(|\[\s*style/i;

/**
 * Whether every text of the graph is without scripts, media and CSS that remembers earlier frames. Then nothing can see a frame
 * that is not captured, and CSS animations are the same at a time whatever was shown before.
 */
const isFunctionOfTime = (graph: ProjectGraph): boolean =>
  [...graph.files.values()].every(
    ({ text }) => !markup.test(text) && !css.test(text) && !text.includes(hiddenAttribute),
  );

export const skippedFrames: Feature = {
  name: 'skippedFrames',
  about:
    'Pages without scripts, media and transitions, which pass frames without showing them. A snapshot at 80 % of a deck of 20 minutes takes 3 instead of 195 s',
  share: 'not counted',
  expect: (graph) => ({ traits: { isPure: isFunctionOfTime(graph) } }),
};

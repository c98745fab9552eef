// Rules for captions. Their findings are at the element that shows the file, and name its lines.
import { type CaptionsElement, captionsObstacle } from '../../model/captions/captionsElement.ts';
import { type Captions, type Cue, textOfNodes } from '../../model/captions/readCues.ts';
import { borderTolerance } from '../../model/frameGrid.ts';
import type { RuleContext, RuleFinding } from '../context.ts';
import { shownCaptions } from '../shownCaptions.ts';

/** Viewers cannot read faster. Netflix allows 20 characters a second to adults. */
const mostCharactersPerSecond = 20;

type Shown = { element: CaptionsElement; file: string; captions: Captions };

/** Captions that are not shown: of elements that cannot, of files that cannot be read, and single ones. */
export function invalidCaptions(context: RuleContext): RuleFinding[] {
  const obstacles = context.composition.captions.flatMap((element) => {
    const obstacle = captionsObstacle(element);
    return obstacle === undefined ? [] : finding(element, obstacle);
  });
  const files = filesShown(context).flatMap(({ element, file, captions: { cues, unread, isDamaged } }) => {
    const [first] = unread;
    if (isDamaged) return finding(element, `${file} has characters that cannot be read; save it as UTF-8`);
    if (first === undefined)
      return cues.length === 0 ? finding(element, `${file} has no captions; it must be a WebVTT or SRT file`) : [];
    const why = 'its times cannot be read, or it ends before it starts';
    return finding(element, `${file}, line ${first}: this caption is not shown, because ${why}`, unread);
  });
  return [...obstacles, ...files];
}

/** Captions that begin before the one before them ends: both are shown. */
export function overlappingCaptions(context: RuleContext): RuleFinding[] {
  return filesShown(context).flatMap(({ element, file, captions: { cues } }) => {
    const late = cues.filter((cue, index) => cue.start < (cues[index - 1]?.end ?? 0) - tolerance);
    return lines(element, file, late, () => 'this caption begins before the one before it ends');
  });
}

/** Captions that the video does not show, because it or the clip around them ends before. */
export function captionsAfterEnd(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  return filesShown(context).flatMap(({ element, file, captions: { cues } }) => {
    const clip = element.clip ? context.timeline().byElement.get(element.clip.element) : undefined;
    const end = clip?.shows.end ?? composition.duration?.value ?? null;
    if (end === null || (element.clip && !clip)) return [];
    const length = end - (clip?.start ?? 0) + (element.mediaStart?.value ?? 0);
    const name = clip ? 'its clip' : 'the composition';
    const late = cues.filter((cue) => cue.end > length + tolerance);
    return lines(element, file, late, (cue) => `this caption ends ${round(cue.end - length)} s after ${name}`);
  });
}

/** Captions that are too long for the time in which they are shown. */
export function fastCaptions(context: RuleContext): RuleFinding[] {
  const speed = ({ start, end, nodes }: Cue) => textOfNodes(nodes).replace(/\s+/g, ' ').trim().length / (end - start);
  return filesShown(context).flatMap(({ element, file, captions: { cues } }) => {
    const fast = cues.filter((cue) => cue.end > cue.start && speed(cue) > mostCharactersPerSecond);
    const message = (cue: Cue) =>
      `this caption has ${Math.round(speed(cue))} characters per second; people read at most ${mostCharactersPerSecond}`;
    return lines(element, file, fast, message);
  });
}

const tolerance = borderTolerance({ num: 30, den: 1 });

const round = (seconds: number): number => Math.round(seconds * 100) / 100;

function filesShown({ project, path, composition }: RuleContext): Shown[] {
  return composition.captions.flatMap((element) => {
    const shown = captionsObstacle(element) ? undefined : shownCaptions(project, path, composition, element);
    return shown ? [{ element, ...shown }] : [];
  });
}

function lines(
  element: CaptionsElement,
  file: string,
  [first, ...others]: readonly Cue[],
  message: (cue: Cue) => string,
): RuleFinding[] {
  if (!first) return [];
  return finding(element, `${file}, line ${first.line}: ${message(first)}`, [first, ...others]);
}

function finding({ src }: CaptionsElement, message: string, all: readonly unknown[] = []): RuleFinding[] {
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  return [{ message: message + more, span: src.span }];
}

// Rules for clips: invalid and unresolvable starts, and clips that are never visible.
import { attr } from '../../model/attributes.ts';
import type { Clip } from '../../model/clips.ts';
import { encodeAttributeText } from '../../model/text/attributeText.ts';
import { nearestName } from '../../model/text/suggest.ts';
import type { TimingProblemCode } from '../../model/timing.ts';
import { canBecome, isPlaceholder } from '../../model/variables/placeholders.ts';
import { removeAttribute } from '../attributeEdits.ts';
import { fixInFile, likelyFix, type RuleContext, type RuleFinding, targetOf } from '../context.ts';
import type { Fix, RelatedInformation } from '../finding.ts';

/** Invalid `data-start` values. */
export function invalidStarts({ composition }: RuleContext): RuleFinding[] {
  return composition.problems.filter(({ code }) => code === 'invalid-start');
}

/** `data-start` on the root, which has no effect. */
export function rootStart(context: RuleContext): RuleFinding[] {
  const attribute = context.composition.root?.attributes.get(attr.start);
  const fixes = attribute
    ? [fixInFile(context, `Remove ${attr.start}`, [removeAttribute(context.text, attribute)])]
    : [];
  return context.composition.problems
    .filter(({ code }) => code === 'root-start')
    .map(({ message, span }) => ({ message, span, fixes }));
}

/** Findings for one kind of timing problem. */
export function timelineProblems(code: TimingProblemCode): (context: RuleContext) => RuleFinding[] {
  return (context) =>
    context
      .timeline()
      .problems.filter((problem) => problem.code === code && !dependsOnPlaceholder(context, problem.clip))
      .map(({ message, span, clip }) => {
        if (code === 'unknown-id') return unknownClip(context, clip, message);
        return { message, span, related: code === 'negative-start' ? [] : referredClip(context, clip) };
      });
}

/** Whether a template engine decides which clip a start refers to, or when that clip ends. */
function dependsOnPlaceholder({ clipsById }: RuleContext, { start }: Clip): boolean {
  if (start?.kind !== 'after') return false;
  const [clip] = clipsById().get(start.id) ?? [];
  if (clip) return clip.duration?.isUnknown === true;
  return [...clipsById().keys()].some((id) => isPlaceholder(id) && canBecome(id, start.id));
}

/** The location of the clip that a start refers to. */
function referredClip({ clipsById, path }: RuleContext, clip: Clip): RelatedInformation[] {
  const { start } = clip;
  const other = start?.kind === 'after' ? clipsById().get(start.id)?.[0] : undefined;
  return other && other !== clip ? [{ file: path, span: other.startSpan, message: `The clip ${other.name}` }] : [];
}

function unknownClip(context: RuleContext, clip: Clip, message: string): RuleFinding {
  const { composition, path } = context;
  const { start } = clip;
  if (start?.kind !== 'after') return { message, span: clip.startSpan };
  const { id, idSpan: span } = start;
  const untimed = composition.html.elements.find(
    (element) => element.attributes.get('id')?.value === id && element !== composition.root,
  );
  if (untimed) {
    const related = [{ file: path, span: untimed.startTag, message: `The element with the id "${id}"` }];
    return { message: `"${id}" is not a clip: the element has no ${attr.start}`, span, related };
  }
  const elsewhere = clipOfAnotherFile(context, id);
  if (elsewhere) {
    const related = [{ file: elsewhere.file, span: elsewhere.span, message: `The clip "${id}"` }];
    return {
      message: `"${id}" is a clip in ${elsewhere.file}; ${attr.start} can only refer to clips in its own file`,
      span,
      related,
    };
  }
  const attribute = clip.element.attributes.get(attr.start);
  const quote = attribute?.quote ?? '"';
  const fixes: Fix[] = [];
  const known = context.clipsById();
  // A hyphen with a number belongs to the id unless whitespace precedes it.
  const glued = /^(.+)-(\d+\.?\d*|\.\d+)$/.exec(id);
  const withUnit = /^([\d.]+)\s*(?:s|sec)$/i.exec(id);
  const near = nearestName(
    id,
    [...known.keys()].filter((name) => !clip.ids.includes(name)),
  );
  const change = (replacement: string) => {
    const edit = { span, text: encodeAttributeText(replacement, quote) };
    return [`Change to "${replacement}"`, [edit]] as const;
  };
  if (glued?.[1] && known.has(glued[1])) fixes.push(fixInFile(context, ...change(`${glued[1]} - ${glued[2]}`), true));
  else if (withUnit?.[1]) fixes.push(fixInFile(context, ...change(withUnit[1]), true));
  else if (near !== undefined) fixes.push(likelyFix(context, ...change(near)));
  const meant = near === undefined ? undefined : known.get(near)?.[0];
  const related =
    near !== undefined && meant ? [{ file: path, span: meant.startSpan, message: `The clip "${near}"` }] : [];
  return { message, span, related, fixes };
}

function clipOfAnotherFile({ project, path, composition }: RuleContext, id: string) {
  for (const host of composition.hosts) {
    const target = targetOf(project, path, host);
    const clip = target?.composition.clips.find(({ ids }) => ids.includes(id));
    if (target && clip) return { file: target.path, span: clip.startSpan };
  }
  return undefined;
}

/** Starts that refer to a clip of another composition in the file, or to an id that several clips have. */
export function foreignClips(context: RuleContext): RuleFinding[] {
  const { composition, path } = context;
  return composition.clips.flatMap((clip) => {
    if (clip.start?.kind !== 'after') return [];
    const { id, idSpan: span } = clip.start;
    const same = context.clipsById().get(id) ?? [];
    const own = same.filter(({ owner }) => owner?.element === clip.owner?.element);
    const [first, second] = own.length > 0 ? own : same;
    if (!first) return [];
    const relatedClip = (each: Clip, message: string) => ({ file: path, span: each.startSpan, message });
    if (own.length === 0) {
      const message = `"${id}" is a clip of another composition in this file; its end is measured in that composition's time`;
      return [{ message, span, related: [relatedClip(first, `The clip "${id}"`)] }];
    }
    if (!second) return [];
    const message = `Several clips have the id "${id}"; this start refers to the first`;
    return [
      {
        message,
        span,
        related: [relatedClip(first, 'The first clip with this id'), relatedClip(second, 'Another clip with this id')],
      },
    ];
  });
}

/** Clips that start after the end of their composition, or while their parent clip is hidden. */
export function unseenClips(context: RuleContext): RuleFinding[] {
  const { composition, path } = context;
  const { duration, root } = composition;
  return context.timeline().clips.flatMap(({ clip, start, shows }) => {
    const span = clip.startSpan;
    if (duration?.value != null && clip.owner?.element === root && start >= duration.value) {
      const related = [{ file: path, span: duration.span, message: 'The duration of the composition' }];
      const message = `${clip.name} starts at ${start} s, but the composition ends at ${duration.value} s`;
      return [{ message, span, related }];
    }
    if (!clip.parent || shows.end === null || shows.end > shows.start || clip.duration?.value == null) return [];
    const related = [{ file: path, span: clip.parent.startSpan, message: `The parent clip ${clip.parent.name}` }];
    return [{ message: `${clip.name} is never visible: its parent clip is hidden at that time`, span, related }];
  });
}

// Where the captions of a video go: into a track of it, or into a file.
import { UserError } from '../errors.ts';
import type { Caption } from '../model/captions/readCues.ts';
import { frameTime } from '../model/frameGrid.ts';
import { type CaptionKind, captionKinds, embedded, type Format, formatTable } from './formats.ts';
import type { RenderPlan } from './renderPlan.ts';

/** The kind of the file that an option asks for; undefined for `embed` and for other texts. */
export const captionKind = (option: string): CaptionKind | undefined =>
  captionKinds.find((kind) => option === kind || option.toLowerCase().endsWith(`.${kind}`));

/** Throws UserError `usage` for the path of one file, where each of several videos has a file of captions. */
export function rejectCaptionPath(option: string | undefined): void {
  if (option === undefined || option === embedded || isKind(option)) return;
  throw new UserError('usage', 'Each video has its own file of captions', {
    hint: 'Use --captions vtt for files next to the videos, with the same names.',
  });
}

const isKind = (option: string): boolean => captionKinds.some((kind) => kind === option);

/** Throws UserError `usage`. */
export function checkCaptions(option: string, format: Format, output: string | undefined): void {
  if (option === embedded) {
    if (formatTable[format].captions !== null) return;
    throw new UserError('usage', `${format} has no track for captions`, {
      hint: 'Use --captions vtt for a file next to the output, or --format mp4, mov or webm.',
    });
  }
  if (captionKind(option) === undefined)
    throw new UserError(
      'usage',
      `captions must be embed, vtt, srt, or a file name that ends with .vtt or .srt (got "${option}")`,
    );
  if (isKind(option) && output === '-')
    throw new UserError('usage', 'The file of captions needs a name, because the video is written to standard output', {
      hint: `Use --captions captions.${option}.`,
    });
}

/** `embed`, or the path of the file. */
export const captionOutput = (option: string, output: string, format: Format): string => {
  if (!isKind(option)) return option;
  const { extension } = formatTable[format];
  const hasExtension = extension !== '' && output.toLowerCase().endsWith(extension);
  const name = hasExtension ? output.slice(0, -extension.length) : output;
  return `${name}.${option}`;
};

/** The plan with the captions of its frames. `captions` have times of the composition. */
export function withCaptions(plan: RenderPlan, captions: readonly Caption[]): RenderPlan {
  if (!plan.captions) return plan;
  const offset = frameTime(plan.firstFrame ?? 0, plan.fps);
  const length = frameTime(plan.frames, plan.fps);
  const millis = (seconds: number) => Math.round(seconds * 1000) / 1000;
  const cues = captions.map(({ start, end, text }) => ({
    start: millis(Math.max(0, start - offset)),
    end: millis(Math.min(length, end - offset)),
    text,
  }));
  const seen = new Set<string>();
  const isNew = (cue: Caption) => seen.size < seen.add(JSON.stringify(cue)).size;
  return { ...plan, captions: { ...plan.captions, cues: cues.filter((cue) => cue.end > cue.start && isNew(cue)) } };
}

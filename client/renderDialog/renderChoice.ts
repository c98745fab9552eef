// What the user chooses in the render dialog, and the command lines that follow from it.
import { chooseFormat, type Format, formatTable, hasAlpha } from '../../renderer-core/plan/formats.ts';
import type { Stack, VideoChoice } from '../render/jobArguments.ts';
import { stackArgs, videoArgs } from '../render/jobArguments.ts';

/** Where a video is rendered: on this computer, at the hosted service, or on a stack in the user's AWS account. */
export const targets = ['local', 'cloud', 'aws'] as const;
export type Target = (typeof targets)[number];

/** JSON: it is remembered for each composition. `batch`: URI of the data file whose rows are rendered. */
export type RenderChoice = { target: Target; video: VideoChoice; batch?: string };

/** The words of the command that renders on each target. */
export const commandOf = { local: ['render'], cloud: ['cloud', 'render'], aws: ['serverless', 'render'] } as const;

/** The options that the target accepts: only this computer renders parts, more than 8 bits and HDR, and writes captions. */
export function videoOf({ target, video }: RenderChoice): VideoChoice {
  if (target === 'local') return video;
  const { from: _, to: __, captions: ___, color: ____, ...rest } = video;
  return rest;
}

/** The extension of the video, without a dot; empty for a folder of frames. */
export function extensionOf({ format }: VideoChoice): string {
  return formatTable[chooseFormat(format, undefined)].extension.slice(1);
}

/** `renders/card.mp4` as `renders/card.webm`. A name without a known extension gets one. */
export function withExtension(output: string, extension: string): string {
  const known = Object.values(formatTable).map((row) => row.extension.slice(1));
  const [, name = output, ending = ''] = /^(.*[^/\\])\.([^./\\]+)$/.exec(output) ?? [];
  const base = known.includes(ending.toLowerCase()) ? name : output;
  return extension === '' ? base : `${base}.${extension}`;
}

/** The colors other than its default that a format can have. */
const formatColors: Partial<Record<Format, readonly string[]>> = {
  mp4: ['10-bit', 'pq', 'hlg'],
  webm: ['10-bit'],
  mov: ['pq', 'hlg'],
};

export const colorsOf = ({ format }: VideoChoice): readonly string[] =>
  formatColors[chooseFormat(format, undefined)] ?? [];

/** Whether transparent areas of the page stay transparent. */
export function keepsAlpha({ format, color }: VideoChoice): boolean {
  if (color !== undefined) return false;
  const chosen = chooseFormat(format, undefined);
  return hasAlpha({ format: chosen, codec: formatTable[chosen].codecs[0] ?? null, bitDepth: 8 });
}

/** Sets or, with an empty text, removes one option of the video. */
export function withOption(video: VideoChoice, name: keyof VideoChoice, value: string): VideoChoice {
  const { [name]: _, ...rest } = video;
  const text = value.trim();
  const changed = withoutWrongColor(text === '' ? rest : { ...rest, [name]: text });
  if (changed.aspectRatio !== undefined) return changed;
  // Without another aspect ratio, there is nothing to fill.
  const { fit: __, background: ___, ...whole } = changed;
  return whole;
}

function withoutWrongColor({ color, ...rest }: VideoChoice): VideoChoice {
  return color !== undefined && colorsOf(rest).includes(color) ? { ...rest, color } : rest;
}

/** The options of a copied command, in addition to those of the video. */
export function otherOptions({ target }: RenderChoice, output: string, stack: Stack | undefined): string[] {
  return [`--output=${output}`, ...(target === 'aws' && stack ? stackArgs(stack) : [])];
}

/** The arguments that check a choice without rendering it. Values are read from standard input. */
export function dryRunArgs(
  choice: RenderChoice,
  { folder, composition, output }: { folder: string; composition: string; output: string },
): string[] {
  const common = [folder, `--composition=${composition}`, '--variables-file=-', ...videoArgs(videoOf(choice))];
  const outputArgs = choice.target === 'aws' ? [] : [`--output=${output}`];
  return [...commandOf[choice.target], ...common, ...outputArgs, '--dry-run'];
}

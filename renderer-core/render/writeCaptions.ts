// The captions of a finished video: a file next to it, or the text of its track.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { captionText, withoutOverlaps } from '../media/captionText.ts';
import { captionFiles } from '../plan/captionFiles.ts';
import { captionKind } from '../plan/captionOutput.ts';
import { embedded } from '../plan/formats.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { checkFileOutput, type OutputTarget, openFileOutput } from '../project/output/outputTarget.ts';
import { pathInside } from '../project/pathInside.ts';
import type { PreparedRender, ProgressReporter } from './types.ts';

/** Throws UserError `usage` or `output_unwritable` if the file of captions cannot be written, or would replace another one. */
export async function checkCaptionOutput({ root, graph, files, draft }: PreparedRender): Promise<void> {
  const { captions, output, variables } = draft;
  if (!captions || captions.output === embedded) return;
  const target = resolve(captions.output);
  const rejected = (what: string) =>
    new UserError('usage', `${captions.output} is ${what}, which the captions would replace`, {
      hint: 'Set --captions to another file, such as captions.vtt.',
    });
  if (pathInside(resolve(output), target) !== undefined) throw rejected('a part of the output');
  const sources = captionFiles(graph, variables, files).flatMap(({ path }) => path ?? []);
  if (sources.some((path) => target === join(root, path))) throw rejected('a source of the composition');
  await checkFileOutput(captions.output);
}

/** A WebVTT file in `folder` for the track; undefined if the video gets none. */
export async function trackFile({ captions }: RenderPlan, folder: string): Promise<string | undefined> {
  if (captions?.output !== embedded || captions.cues.length === 0) return undefined;
  const file = join(folder, 'captions.vtt');
  await writeFile(file, captionText(withoutOverlaps(captions.cues), 'vtt'));
  return file;
}

/** Writes the file of captions under its temporary name; undefined if there is none. Warns if nothing is shown. */
export async function writeCaptions(
  { captions }: RenderPlan,
  emit: ProgressReporter['emit'],
): Promise<OutputTarget | undefined> {
  if (!captions) return undefined;
  if (captions.cues.length === 0) {
    const message = 'The video has no captions: no element with data-captions-src shows one';
    emit({ type: 'warning', message });
  }
  const kind = captionKind(captions.output);
  if (captions.output === embedded || kind === undefined) return undefined;
  const target = await openFileOutput(captions.output);
  await writeFile(target.temporary, captionText(captions.cues, kind));
  return target;
}

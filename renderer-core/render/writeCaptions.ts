// The captions of a finished video: a file next to it, or the text of its track.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captionText } from '../media/captionText.ts';
import { captionKind } from '../plan/captionOutput.ts';
import { embedded } from '../plan/formats.ts';
import type { PlanDraft } from '../plan/plan.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { checkFileOutput, type OutputTarget, openFileOutput } from '../project/output/outputTarget.ts';
import type { ProgressReporter } from './types.ts';

/** Throws UserError `output_unwritable` if the file of captions cannot be written. */
export async function checkCaptionOutput({ captions }: Pick<PlanDraft, 'captions'>): Promise<void> {
  if (captions && captions.output !== embedded) await checkFileOutput(captions.output);
}

/** A WebVTT file in `folder` for the track; undefined if the video gets none. */
export async function trackFile({ captions }: RenderPlan, folder: string): Promise<string | undefined> {
  if (captions?.output !== embedded || captions.cues.length === 0) return undefined;
  const file = join(folder, 'captions.vtt');
  await writeFile(file, captionText(captions.cues, 'vtt'));
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

// Chooses the encoder of a render before it starts: builds of ffmpeg contain different encoders.
import { UserError } from '../errors.ts';
import type { PlanDraft } from '../plan/plan.ts';
import { type Encoder, encodersFor, encoderTitle, pixelFormat } from './codecs.ts';
import { type FoundFfmpeg, listPixelFormats } from './findFfmpeg.ts';

/** Throws UserError `ffmpeg_failed` when this ffmpeg has no encoder for the plan, or only one with 8 bits when it needs 10. */
export async function findEncoder(
  ffmpeg: Pick<FoundFfmpeg, 'path' | 'env' | 'encoders'>,
  plan: Pick<PlanDraft, 'format' | 'codec' | 'bitDepth' | 'width' | 'height'>,
  signal?: AbortSignal,
): Promise<Encoder> {
  // Every build of ffmpeg contains these.
  if (plan.codec === null) return plan.format === 'gif' ? 'ffv1' : 'png';
  const names = encodersFor(plan.codec, plan.width, plan.height);
  const title = encoderTitle(plan.codec, names);
  const found = names.find((name) => ffmpeg.encoders.has(name));
  if (found === undefined) throw missingEncoder(`${ffmpeg.path} has no ${title}`);
  if (plan.bitDepth === 10 && !(await listPixelFormats(ffmpeg, found, signal)).has(pixelFormat(plan)))
    throw missingEncoder(`the ${title} of ${ffmpeg.path} does not support 10-bit video`);
  return found;
}

function missingEncoder(message: string): UserError {
  return new UserError('ffmpeg_failed', message, {
    hint: 'Install a build of ffmpeg with more encoders (https://ffmpeg.org/download.html) and pass its path with --ffmpeg or FRAMEWORK_FFMPEG, or choose another --codec or --format.',
  });
}

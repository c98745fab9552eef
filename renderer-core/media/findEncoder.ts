// Which encoder of an ffmpeg makes a video, known before the render starts: builds of ffmpeg differ in what they hold.
import { UserError } from '../errors.ts';
import type { PlanDraft } from '../plan/plan.ts';
import { type Encoder, encodersFor, encoderTitle, pixelFormat } from './codecs.ts';
import { listEncoders, listPixelFormats } from './findFfmpeg.ts';

/** Throws UserError `ffmpeg_failed` when this ffmpeg has no encoder for the plan, or only one that cannot do HDR. */
export async function findEncoder(
  ffmpeg: string,
  plan: Pick<PlanDraft, 'format' | 'codec' | 'hdr' | 'width' | 'height'>,
  signal?: AbortSignal,
): Promise<Encoder> {
  // Every ffmpeg has these.
  if (plan.codec === null) return plan.format === 'gif' ? 'ffv1' : 'png';
  const names = encodersFor(plan.codec, plan.width, plan.height);
  const title = encoderTitle(plan.codec, names);
  const available = await listEncoders(ffmpeg, signal);
  const found = names.find((name) => available.has(name));
  if (found === undefined) throw lacking(`${ffmpeg} has no ${title}`);
  if (plan.hdr && !(await listPixelFormats(ffmpeg, found, signal)).has(pixelFormat(plan)))
    throw lacking(`The ${title} of ${ffmpeg} does not take 10 bits, which HDR needs`);
  return found;
}

function lacking(message: string): UserError {
  return new UserError('ffmpeg_failed', message, {
    hint: 'Install a fuller ffmpeg (https://ffmpeg.org/download.html) and name it with --ffmpeg or FRAMEWORK_FFMPEG, or choose another --codec or --format.',
  });
}

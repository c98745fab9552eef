// Segments of H.264 to an MP4 file, without ffmpeg: their pictures are only packed in another way.
import { open, readFile } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import type { FrameRate } from '../plan/frameRate.ts';
import { splitUnits, unitType } from './heldPictures.ts';
import { readIvf } from './ivf.ts';
import { mp4Head, type Sample } from './mp4.ts';

export type Mp4Options = { width: number; height: number; fps: FrameRate };

/** Writes `output` of IVF files that hold H.264. Sizes in pixels, as encoded. Throws UserError `disk_full`. */
export async function writeMp4(segments: readonly string[], output: string, options: Mp4Options, signal?: AbortSignal) {
  const parameters = { sps: [] as Buffer[], pps: [] as Buffer[] };
  const runs: Sample[][] = [];
  // The index comes first and has every picture's size, so long videos are read twice rather than held.
  let packed: Buffer[] = [];
  for (const segment of segments) {
    signal?.throwIfAborted();
    packed = await pack(segment, parameters);
    runs.push(packed.map((sample) => ({ bytes: sample.length, isSync: isSync(sample) })));
  }
  const file = await open(output, 'w');
  try {
    await file.writeFile(mp4Head({ ...options, ...parameters, runs }));
    for (const segment of segments) {
      signal?.throwIfAborted();
      if (segments.length > 1) packed = await pack(segment, parameters);
      await file.writeFile(Buffer.concat(packed));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new UserError('disk_full', 'the disk is full', {
      hint: 'Free some space on the disk of the output, then render again.',
      cause: error,
    });
  } finally {
    await file.close();
  }
}

type Parameters = { sps: Buffer[]; pps: Buffer[] };

/** The pictures of a segment as they stand in the file; the first segment's parameter sets go into `parameters`. */
async function pack(segment: string, parameters: Parameters): Promise<Buffer[]> {
  const pictures = readIvf(await readFile(segment));
  const isFirst = parameters.sps.length === 0;
  return pictures.map((picture) => {
    const parts: Buffer[] = [];
    for (const unit of splitUnits(picture)) {
      const type = (unit[0] ?? 0) & 31;
      const sets = type === unitType.sps ? parameters.sps : type === unitType.pps ? parameters.pps : undefined;
      const isKnown = sets?.some((one) => one.equals(unit));
      // What the head says need not be said again; parameters of another make are said where they begin to hold.
      if (isKnown) continue;
      if (sets && isFirst) sets.push(unit);
      else parts.push(lengthOf(unit), unit);
    }
    return Buffer.concat(parts);
  });
}

function lengthOf(unit: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(unit.length);
  return bytes;
}

/** Whether a packed picture needs none before it. */
function isSync(sample: Buffer): boolean {
  for (let at = 0; at + 4 < sample.length; at += 4 + sample.readUInt32BE(at)) {
    if (((sample[at + 4] ?? 0) & 31) === unitType.idr) return true;
  }
  return false;
}

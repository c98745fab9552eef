// Writes HDR10 metadata into the headers of a finished MP4 or MOV file: the display that the video is made for, and how bright
// the video gets. Players map colors with it to displays that are less bright.
import { open } from 'node:fs/promises';
import type { LightLevels } from '../plan/brightness.ts';
import { changeBoxes, findIndex, makeBox, readBytes } from './movieBoxes.ts';

/** The length of what `declareLight` inserts. */
const lightBytes = 44;

/**
 * ffmpeg arguments of the output: a title for the video track that takes as much space as the light levels, which replace it. In
 * mov files ffmpeg writes nothing else that could be left out.
 */
export const lightSpace: readonly string[] = ['-metadata:s:v:0', `title=${' '.repeat(lightBytes - 16)}`];

/** Declares the light levels of the HDR video of H.265 or AV1 at `path`. Needs `lightSpace`. */
export async function declareLight(path: string, levels: LightLevels): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const place = await findIndex(file);
    const moov = withLight(await readBytes(file, place.start, place.end), levels);
    await file.write(moov, 0, moov.length, place.start);
  } finally {
    await file.close();
  }
}

/**
 * The index `moov` with light levels. It keeps its length, because frames may follow it, whose offsets it contains: the levels
 * take the space of the first user data (`udta`) that is large enough.
 */
export function withLight(moov: Buffer, levels: LightLevels): Buffer {
  const light = lightBoxes(levels);
  let [hasSpace, isDeclared] = [false, false];
  const changed = changeBoxes(moov, (name, box) => {
    const rest = box.length - light.length;
    // A box that fills space has at least 8 bytes.
    if (name === 'udta' && !hasSpace && (rest === 0 || rest >= 8)) {
      hasSpace = true;
      return rest === 0 ? Buffer.alloc(0) : makeBox('free', Buffer.alloc(rest - 8));
    }
    if (name !== 'stsd' || isDeclared || !videos.has(box.toString('latin1', 20, 24))) return box;
    isDeclared = true;
    return describeLight(box, light);
  });
  if (!isDeclared) throw new Error('the movie has no video of H.265 or AV1');
  if (!hasSpace) throw new Error('the movie has no space for its light levels');
  return changed;
}

const videos = new Set(['hvc1', 'hev1', 'av01']);

/** Adds `light` to the first description of `stsd`, which follows the version, flags and count. */
function describeLight(stsd: Buffer, light: Buffer): Buffer {
  const end = 16 + stsd.readUInt32BE(16);
  const description = makeBox(stsd.toString('latin1', 20, 24), Buffer.concat([stsd.subarray(24, end), light]));
  return makeBox('stsd', Buffer.concat([stsd.subarray(8, 16), description, stsd.subarray(end)]));
}

/**
 * Green, blue, red and white, x and y each, in steps of 0.00002. No display has shown the video before, so that these are the
 * primaries of its own color space (Rec. ITU-R BT.2100, table 2), which contain all its colors.
 */
const primaries = [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450];

/** What a reference display reaches at least, in cd/m² (Rec. ITU-R BT.2100, table 3), and where the PQ curve ends. */
const [referencePeak, pqPeak] = [1000, 10_000];

/** The boxes `mdcv` and `clli` of ISO/IEC 14496-12, with the values of SMPTE ST 2086 and CTA-861. */
function lightBoxes({ maxCll, maxFall }: LightLevels): Buffer {
  // 0 would mean that the level is unknown.
  const whole = (level: number) => Math.min(Math.max(Math.ceil(level), 1), 65_535);
  const display = Buffer.alloc(24);
  for (const [index, value] of primaries.entries()) display.writeUInt16BE(value, 2 * index);
  // The brightest and the darkest light of the display, in steps of 0.0001 cd/m². Nothing less than one step can be written.
  display.writeUInt32BE(10_000 * Math.min(Math.max(referencePeak, whole(maxCll)), pqPeak), 16);
  display.writeUInt32BE(1, 20);
  const content = Buffer.alloc(4);
  content.writeUInt16BE(whole(maxCll), 0);
  content.writeUInt16BE(whole(maxFall), 2);
  return Buffer.concat([makeBox('mdcv', display), makeBox('clli', content)]);
}

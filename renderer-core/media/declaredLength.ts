// Writes the exact length of a video with sound into its headers. ffmpeg rounds it to whole milliseconds, and adds the
// run-up of the audio decoder to it: a second of AAC from the 2018 build says that it lasts 1.022 s.
import { type FileHandle, open } from 'node:fs/promises';
import { sampleRate } from '../plan/audio.ts';
import type { SoundFormat } from './encodeSound.ts';

/** `samples`: the length of pictures and sound alike, at `sampleRate`. */
export async function declareLength(path: string, format: SoundFormat, samples: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    if (format === 'webm') await declareInMatroska(file, samples);
    else await declareInMovie(file, samples);
  } finally {
    await file.close();
  }
}

/** The movie's clock is set to one tick a sample; the movie, its tracks and their edits all last the same. */
async function declareInMovie(file: FileHandle, samples: number): Promise<void> {
  const place = await findMoov(file);
  const moov = Buffer.alloc(place.length);
  await file.read(moov, 0, moov.length, place.offset);
  const [mvhd] = boxes(moov, 'mvhd');
  if (!mvhd) throw new Error('the movie has no header');
  const oldClock = mvhd.readUInt32BE(12);
  mvhd.writeUInt32BE(sampleRate, 12);
  mvhd.writeUInt32BE(samples, 16);
  for (const trak of boxes(moov, 'trak')) {
    for (const tkhd of boxes(trak, 'tkhd')) tkhd.writeUInt32BE(samples, 20);
    for (const elst of boxes(trak, 'edts').flatMap((edts) => boxes(edts, 'elst'))) {
      let left = samples;
      for (let entry = 8; entry < elst.length; entry += 12) {
        // An entry without media is a pause in front of it.
        const isPause = elst.readInt32BE(entry + 4) === -1;
        const lasts = isPause ? Math.round((elst.readUInt32BE(entry) * sampleRate) / oldClock) : left;
        elst.writeUInt32BE(lasts, entry);
        left -= lasts;
      }
    }
  }
  await file.write(moov, 0, moov.length, place.offset);
}

/** Where the content of the box `moov` is; whatever is as large as a film is stepped over. */
async function findMoov(file: FileHandle): Promise<{ offset: number; length: number }> {
  const head = Buffer.alloc(16);
  for (let offset = 0; (await file.read(head, 0, 16, offset)).bytesRead >= 8; ) {
    const short = head.readUInt32BE(0);
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (head.toString('latin1', 4, 8) === 'moov') return { offset: offset + 8, length: size - 8 };
    if (size < 8) break;
    offset += size;
  }
  throw new Error('the movie has no box "moov"');
}

/** Contents of the boxes of this name right inside `parent`: views, so that writing into them writes into it. */
function boxes(parent: Buffer, name: string): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset + 8 <= parent.length; ) {
    const size = parent.readUInt32BE(offset);
    if (size < 8) break;
    if (parent.toString('latin1', offset + 4, offset + 8) === name)
      found.push(parent.subarray(offset + 8, offset + size));
    offset += size;
  }
  return found;
}

/** Header bytes in which ffmpeg has written Matroska's segment information. */
const headBytes = 4096;

/** The duration's name and size: a 64-bit float of milliseconds follows. */
const durationMark = Buffer.from([0x44, 0x89, 0x88]);

async function declareInMatroska(file: FileHandle, samples: number): Promise<void> {
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  const mark = head.subarray(0, bytesRead).indexOf(durationMark);
  if (mark < 0) throw new Error('the video has no duration');
  head.writeDoubleBE((samples * 1000) / sampleRate, mark + durationMark.length);
  await file.write(head, mark, durationMark.length + 8, mark);
}

// Writes the exact length of a video into its headers. ffmpeg rounds it to whole milliseconds and adds the delay of the
// audio decoder.
import { type FileHandle, open } from 'node:fs/promises';
import { sampleRate } from '../plan/audio.ts';
import type { SoundFormat } from './encodeSound.ts';
import { boxes, findIndex, readBytes } from './movieBoxes.ts';

/** Declares that the video and the sound in the file at `path` are `samples` samples long, at `sampleRate`. */
export async function declareLength(path: string, format: SoundFormat, samples: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    if (format === 'webm') await declareInMatroska(file, samples);
    else await declareMovieLength(file, sampleRate, samples);
  } finally {
    await file.close();
  }
}

/**
 * Sets the timescale of an MP4 or MOV file and the length of the movie, its tracks and their edits, in ticks of that
 * timescale. Creation times become 0, so that the same render produces the same bytes.
 */
export async function declareMovieLength(file: FileHandle, timescale: number, ticks: number): Promise<void> {
  const place = await findIndex(file);
  const moov = await readBytes(file, place.start + 8, place.end);
  const [mvhd] = boxes(moov, 'mvhd');
  if (!mvhd) throw new Error('the movie has no header');
  const oldTimescale = mvhd.readUInt32BE(12);
  clearTimes(mvhd);
  mvhd.writeUInt32BE(timescale, 12);
  mvhd.writeUInt32BE(ticks, 16);
  for (const trak of boxes(moov, 'trak')) {
    for (const tkhd of boxes(trak, 'tkhd')) {
      clearTimes(tkhd);
      tkhd.writeUInt32BE(ticks, 20);
    }
    for (const mdhd of boxes(trak, 'mdia').flatMap((mdia) => boxes(mdia, 'mdhd'))) clearTimes(mdhd);
    for (const elst of boxes(trak, 'edts').flatMap((edts) => boxes(edts, 'elst'))) {
      let left = ticks;
      for (let entry = 8; entry < elst.length; entry += 12) {
        // An entry without media is a pause before the track starts.
        const isPause = elst.readInt32BE(entry + 4) === -1;
        const length = isPause ? Math.round((elst.readUInt32BE(entry) * timescale) / oldTimescale) : left;
        elst.writeUInt32BE(length, entry);
        left -= length;
      }
    }
  }
  await file.write(moov, 0, moov.length, place.start + 8);
}

/** Sets the creation and modification times of a header box to 0. */
function clearTimes(header: Buffer): void {
  header.fill(0, 4, 12);
}

/** ffmpeg writes Matroska's segment information within this number of bytes. */
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

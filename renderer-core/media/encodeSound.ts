// ffmpeg arguments: the mixed sound beside the pictures, encoded as each container wants it.
import { rawSound } from './trackSound.ts';

/** The containers that hold sound. */
export type SoundFormat = 'mp4' | 'webm' | 'mov';

export const holdsSound = (format: string): format is SoundFormat => format in encoders;

/** What `mixAudio` wrote, and what it is encoded for. */
export type Sound = { file: string; format: SoundFormat };

const encoders: Record<SoundFormat, readonly string[]> = {
  mp4: ['-c:a', 'aac', '-b:a', '192k'],
  webm: ['-c:a', 'libopus', '-b:a', '160k'],
  mov: ['-c:a', 'pcm_s16le'],
};

/** Opus begins 312 samples early for its decoder. Without this, ffmpeg moves the pictures instead, and not the sound. */
const opusRunUp = ['-itsoffset', '0.0065'];

/** Stands after the input of the pictures. */
export const soundInput = ({ file, format }: Sound): string[] => [
  ...(format === 'webm' ? opusRunUp : []),
  ...rawSound,
  ...['-i', file],
];

/** Stands after `-c copy`, which it overrides for the sound. */
export const soundEncoder = ({ format }: Sound): string[] => ['-map', '1:a:0', ...encoders[format]];

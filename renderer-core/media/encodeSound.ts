// ffmpeg arguments that add the mixed sound to a video, encoded for its container.
import { rawSound } from './trackSound.ts';

/** The output formats that can contain sound. */
export type SoundFormat = 'mp4' | 'webm' | 'mov' | 'hls';

export const holdsSound = (format: string): format is SoundFormat => format in encoders;

/** The file that `mixAudio` wrote, and the format of the output. */
export type Sound = { file: string; format: SoundFormat };

const encoders: Record<SoundFormat, readonly string[]> = {
  mp4: ['-c:a', 'aac', '-b:a', '192k'],
  webm: ['-c:a', 'libopus', '-b:a', '160k'],
  mov: ['-c:a', 'pcm_s16le'],
  hls: ['-c:a', 'aac', '-b:a', '192k'],
};

/** The input arguments, to be placed after the input of the frames. */
export const soundInput = ({ file }: Sound): string[] => [...rawSound, '-i', file];

/** The encoder arguments, to be placed after `-c copy`, which they override for the sound. */
export const soundEncoder = ({ format }: Sound): string[] => ['-map', '1:a:0', ...encoders[format]];

// What is really in a rendered file: frames as pixels, and the facts that ffmpeg reads out of it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';

export type Picture = { width: number; height: number; at(x: number, y: number): [number, number, number, number] };

/** The frames of a png render, in order. */
export function readFrames(folder: string): Picture[] {
  const names = readdirSync(folder).sort();
  return names.map((name) => picture(PNG.sync.read(readFileSync(join(folder, name)))));
}

function picture({ width, height, data }: { width: number; height: number; data: Buffer }): Picture {
  return {
    width,
    height,
    at(x, y) {
      const offset = (y * width + x) * 4;
      return [data[offset] ?? -1, data[offset + 1] ?? -1, data[offset + 2] ?? -1, data[offset + 3] ?? -1];
    },
  };
}

/** `#rrggbb` of a pixel. */
export function hex(picture: Picture | undefined, x: number, y: number): string {
  const [r, g, b] = picture?.at(x, y) ?? [-1, -1, -1];
  return `#${[r, g, b].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Decodes every frame of a video to RGB by the tags it carries. */
export async function decode(file: string, width: number, height: number): Promise<Picture[]> {
  const filter = 'scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgba';
  const raw = execFileSync(
    (await findFfmpeg()).path,
    ['-v', 'error', '-i', file, '-vf', filter, '-vsync', '0', '-f', 'rawvideo', '-'],
    { maxBuffer: 2 ** 31 },
  );
  const size = width * height * 4;
  return Array.from({ length: raw.length / size }, (_, index) =>
    picture({ width, height, data: raw.subarray(index * size, (index + 1) * size) }),
  );
}

/** What ffmpeg says about the first video stream: `h264 (High), yuv420p(tv, bt709), 64x48, 30 fps`, and the duration. */
export async function describeVideo(file: string): Promise<{ stream: string; duration: string }> {
  let text = '';
  try {
    execFileSync((await findFfmpeg()).path, ['-hide_banner', '-i', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    // Without an output ffmpeg always ends with an error, after it has described the input.
    text = String((error as { stderr: Buffer }).stderr);
  }
  return { stream: /Video: (.*)/.exec(text)?.[1] ?? '', duration: /Duration: ([\d:.]+)/.exec(text)?.[1] ?? '' };
}

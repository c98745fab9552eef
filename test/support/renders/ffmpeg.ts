// The ffmpeg with which tests create and read media files. Renders use the embedded one, unless another is installed.

import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Ffmpeg, ffmpegCommand } from '../../../renderer-core/media/ffmpeg.ts';
import { ffmpegLibrary, ffmpegPackage } from '../../../renderer-core/setup/ffmpegPackages.ts';
import { program } from '../programs.ts';

/** A program of 2018, which is enough for a reference that shares no code with the embedded one. */
export const referenceFfmpeg: string = (createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string })
  .path;
/** To run it as a render does. */
export const ffmpegAt = (path: string): Ffmpeg => ({ path, env: process.env });

/** Writes a program to `path` that runs the embedded ffmpeg, where only executables are accepted. Returns the path. */
export function embeddedExecutable(path: string): string {
  const name = `../../../node_modules/${ffmpegPackage(process.platform, process.arch)}/${ffmpegLibrary}`;
  const [node, args] = ffmpegCommand(fileURLToPath(new URL(name, import.meta.url)), []);
  return program(path, `exec ${[node, ...args].map((part) => `"${part}"`).join(' ')} "$@"`);
}

// Its install script, which does the same, does not run (package.json).
chmodSync(referenceFfmpeg, 0o755);

// Runs ffmpeg as a child process: feeds its standard input, kills it on abort, and turns failures into UserErrors.

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';
import { diskFull } from '../project/output/tempFiles.ts';

/** An ffmpeg with the environment of its processes. `cwd`: the folder of relative paths in its arguments. */
export type Ffmpeg = { path: string; env: NodeJS.ProcessEnv; cwd?: string };

export type FfmpegProcess = {
  /** Writes one frame. Resolves when ffmpeg has read it and the buffer may be reused. */
  write(data: Uint8Array): Promise<void>;
  /** Closes the input and resolves when ffmpeg has succeeded. Rejects with a UserError when it fails. */
  finish(): Promise<void>;
};

/** Its standard output must be read to the end. */
export type FfmpegStream = FfmpegProcess & { output: Readable };

/**
 * The formats that ffmpeg may read. Playlists and scripts are excluded: with a media file's name, they would make ffmpeg
 * read other files.
 */
const mediaFormats = [
  'mov,matroska,avi,mpegts,mpeg,mpegvideo,m4v,h264,hevc,ivf,obu,av1,flv,asf,ogg,mp3,aac,wav,w64,aiff,caf,flac,ac3',
  'eac3,dts,dtshd,truehd,amr,amrnb,amrwb,au,ape,wv,tta,tak,mpc,mpc8,voc,rm,mxf,mxf_opatom,gxf,nut,dv,vc1,gif,apng',
  'webp_pipe,png_pipe,jpeg_pipe,bmp_pipe,tiff_pipe,mjpeg,yuv4mpegpipe,swf,nsv,bink,smk,roq,rpl,film_cpk,wtv,xwma',
  'dsf,sox,smjpeg,lxf,4xm,nuv,xa',
].join(',');

/** Input arguments for a file from a project. */
export const mediaInput = (file: string): string[] => ['-format_whitelist', mediaFormats, '-i', file];

/** Input arguments for a finished video: also for the playlist of an HLS stream, whose segments are files of this machine. */
export const videoInput = (file: string): string[] =>
  /\.m3u8$/i.test(file)
    ? ['-format_whitelist', 'hls,mov,mpegts', '-protocol_whitelist', 'file', '-i', file]
    : mediaInput(file);

/** The script next to this bundle, or in dist when the sources run directly. */
export const embeddedProgram: string = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/embeddedFfmpeg.mjs' : './embeddedFfmpeg.mjs', import.meta.url),
);

/** Whether an ffmpeg is not an executable but the libraries of node-av, with which Node runs the embedded program. */
export const isLibrary = (ffmpeg: string): boolean => ffmpeg.endsWith('.node');

export function ffmpegCommand(ffmpeg: string, args: string[]): [program: string, args: string[]] {
  return isLibrary(ffmpeg) ? [process.execPath, [embeddedProgram, ffmpeg, ...args]] : [ffmpeg, args];
}

/** Starts `ffmpeg`. If it fails, the last lines of its standard error become the message. */
export function startFfmpeg({ path, env, cwd }: Ffmpeg, args: string[], signal?: AbortSignal): FfmpegProcess {
  return control(
    spawn(...ffmpegCommand(path, args), { stdio: ['pipe', 'ignore', 'pipe'], env, cwd, windowsHide: true }),
    signal,
  );
}

/** Starts `ffmpeg`, whose output is `pipe:1`. */
export function startFfmpegStream({ path, env }: Ffmpeg, args: string[], signal?: AbortSignal): FfmpegStream {
  const child = spawn(...ffmpegCommand(path, args), { stdio: ['pipe', 'pipe', 'pipe'], env, windowsHide: true });
  return { ...control(child, signal), output: child.stdout };
}

function control(child: ChildProcessByStdio<Writable, Readable | null, Readable>, signal?: AbortSignal): FfmpegProcess {
  const ended = whenEnded(child, signal);
  // `finish` reports the failure; until it is called, the rejection must not count as unhandled.
  ended.catch(() => undefined);
  // A broken pipe: the exit of the process reports the reason.
  child.stdin.on('error', () => undefined);

  return {
    async write(data) {
      const taken = new Promise<void>((resolve, reject) => {
        child.stdin.write(data, (error) => (error ? reject(error) : resolve()));
      });
      // If ffmpeg has exited, its failure explains more than the broken pipe.
      await taken.catch(() => ended);
    },
    finish() {
      child.stdin.end();
      return ended;
    },
  };
}

/** Runs ffmpeg until it exits. Rejects with a UserError when it fails. */
export function runFfmpeg(ffmpeg: Ffmpeg, args: string[], signal?: AbortSignal): Promise<void> {
  return startFfmpeg(ffmpeg, args, signal).finish();
}

/**
 * Runs ffmpeg with the output `pipe:1` and writes that to `path`. For formats without an end, in which nothing shows that
 * ffmpeg could not write all of a file.
 */
export async function runFfmpegInto(
  ffmpeg: Ffmpeg,
  args: string[],
  path: string,
  signal?: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  const { output, finish } = startFfmpegStream(ffmpeg, args, signal);
  if (onBytes) output.on('data', (data: Uint8Array) => onBytes(data.length));
  const written = pipeline(output, createWriteStream(path)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOSPC' ? diskFull(error) : error;
  });
  // When ffmpeg fails, its reason comes first; when the file cannot be written, ffmpeg only sees a broken pipe.
  const [end, write] = await Promise.allSettled([finish(), written]);
  signal?.throwIfAborted();
  if (write.status === 'rejected') throw write.reason;
  if (end.status === 'rejected') throw end.reason;
}

/** What versions before 6 print if they could not write the end of a file. They succeed all the same. */
const lostEnd = /^Error (?:writing trailer of|closing file) /m;

async function whenEnded(child: ChildProcess, signal?: AbortSignal): Promise<void> {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4000);
  });
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  try {
    const [code, by] = (await once(child, 'close')) as [number | null, string | null];
    signal?.throwIfAborted();
    if (code !== 0 || lostEnd.test(tail)) throw ffmpegFailure(tail, code, by);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserError) throw error;
    throw new UserError('ffmpeg_failed', `cannot start ffmpeg: ${String((error as Error).message)}`, {
      hint: 'Run "framework doctor" to see which ffmpeg is used, or pass the path of another one with --ffmpeg.',
      cause: error,
    });
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function ffmpegFailure(stderr: string, code: number | null, by: string | null): UserError {
  const output = stderr.trim().split('\n').slice(-3).join(' ');
  if (/No space left on device/i.test(stderr)) return diskFull();
  if (by !== null) {
    return new UserError('ffmpeg_failed', `ffmpeg was killed (${by}) before the video was finished`, {
      hint: 'If the machine ran out of memory, render at a smaller resolution or with --workers 1.',
    });
  }
  return new UserError('ffmpeg_failed', `ffmpeg failed (exit ${String(code)}): ${output || 'no error output'}`, {
    hint: 'Run "framework doctor" to see which ffmpeg is used, or pass the path of another one with --ffmpeg.',
  });
}

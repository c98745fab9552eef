// Runs ffmpeg: started once, fed on standard input or not at all, killed with its owner, its failures put into words.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { UserError } from '../errors.ts';

export type FfmpegProcess = {
  /** Writes one picture; resolves when ffmpeg has taken it, so that the buffer may be used again. */
  write(data: Uint8Array): Promise<void>;
  /** Closes the input and resolves when ffmpeg has ended well. Throws a UserError when it has not. */
  finish(): Promise<void>;
};

/**
 * Formats of media files. Playlists and scripts, which would have ffmpeg read other files under a name that looks like
 * media, are none of them.
 */
const mediaFormats = [
  ...[
    'mov',
    'matroska',
    'avi',
    'mpegts',
    'mpeg',
    'mpegvideo',
    'm4v',
    'h264',
    'hevc',
    'ivf',
    'obu',
    'av1',
    'flv',
    'asf',
  ],
  ...[
    'ogg',
    'mp3',
    'aac',
    'wav',
    'w64',
    'aiff',
    'caf',
    'flac',
    'ac3',
    'eac3',
    'dts',
    'dtshd',
    'truehd',
    'amr',
    'amrnb',
  ],
  ...[
    'amrwb',
    'au',
    'ape',
    'wv',
    'tta',
    'tak',
    'mpc',
    'mpc8',
    'voc',
    'rm',
    'mxf',
    'mxf_opatom',
    'gxf',
    'nut',
    'dv',
    'vc1',
  ],
  ...[
    'gif',
    'apng',
    'webp_pipe',
    'png_pipe',
    'jpeg_pipe',
    'bmp_pipe',
    'tiff_pipe',
    'mjpeg',
    'yuv4mpegpipe',
    'swf',
    'nsv',
  ],
  ...['bink', 'smk', 'roq', 'rpl', 'film_cpk', 'wtv', 'xwma', 'dsf', 'sox', 'smjpeg', 'lxf', '4xm', 'nuv', 'xa'],
].join(',');

/** An input that comes from a project. */
export const mediaInput = (file: string): string[] => ['-format_whitelist', mediaFormats, '-i', file];

/** Starts `ffmpeg`. What it prints last on standard error becomes the message of a failure. */
export function startFfmpeg(ffmpeg: string, args: string[], signal?: AbortSignal): FfmpegProcess {
  const child = spawn(ffmpeg, args, { stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true });
  const ended = whenEnded(child, signal);
  // Whoever calls finish sees the failure; until then it must not count as unhandled.
  ended.catch(() => undefined);
  child.stdin.on('error', () => undefined);

  return {
    async write(data) {
      const taken = new Promise<void>((resolve, reject) => {
        child.stdin.write(data, (error) => (error ? reject(error) : resolve()));
      });
      // When ffmpeg dies, its exit says why; the broken pipe does not.
      await taken.catch(() => ended);
    },
    finish() {
      child.stdin.end();
      return ended;
    },
  };
}

/** Runs ffmpeg to its end. */
export function runFfmpeg(ffmpeg: string, args: string[], signal?: AbortSignal): Promise<void> {
  return startFfmpeg(ffmpeg, args, signal).finish();
}

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
    if (code !== 0) throw ffmpegFailure(tail, code, by);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserError) throw error;
    throw new UserError('ffmpeg_failed', `ffmpeg could not be started: ${String((error as Error).message)}`, {
      hint: 'Run "framework doctor" to see which ffmpeg is used, or name another with --ffmpeg.',
      cause: error,
    });
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function ffmpegFailure(stderr: string, code: number | null, by: string | null): UserError {
  const said = stderr.trim().split('\n').slice(-3).join(' ');
  if (/No space left on device/i.test(stderr)) {
    return new UserError('disk_full', 'the disk is full', {
      hint: 'Free some space on the disk of the output and of the temporary folder (TMPDIR), then render again.',
    });
  }
  if (by !== null) {
    return new UserError('ffmpeg_failed', `ffmpeg was killed (${by}) before the video was finished`, {
      hint: 'If the machine ran out of memory, render with --workers 1 or at a smaller size.',
    });
  }
  return new UserError('ffmpeg_failed', `ffmpeg failed (exit ${code}): ${said || 'it said nothing'}`, {
    hint: 'Run "framework doctor" to see which ffmpeg is used, or name another with --ffmpeg.',
  });
}

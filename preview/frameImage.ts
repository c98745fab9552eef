// Takes an image of one frame with the renderer, in a child process because it starts a browser.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../renderer-core/errors.ts';
import type { PageOptions } from './shownComposition.ts';

export type FrameImageRequest = {
  root: string;
  composition: string;
  values: Record<string, unknown>;
  options: PageOptions;
  systemFonts: boolean;
  frame: number;
  /** Files with unsaved text, which the renderer would not see. */
  unsaved: string[];
  signal: AbortSignal;
};

/** Returns a PNG with exactly the pixels of a render. Throws UserError. */
export async function takeFrameImage(request: FrameImageRequest): Promise<Uint8Array> {
  const { root, composition, values, options, systemFonts, frame, unsaved, signal } = request;
  if (unsaved.length > 0) {
    throw new UserError('usage', `${unsaved.join(', ')} must be saved first`, {
      hint: 'The renderer reads the files on disk. Save, then try again.',
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'framework-frame-'));
  try {
    const output = join(folder, 'frame.png');
    const args = ['snapshot', root, '--composition', composition, '--at', `${frame}f`, '-o', output, '--json'];
    const fonts = systemFonts ? ['--system-fonts'] : [];
    await runCli([...args, ...argsOf(options), ...fonts, '--variables', JSON.stringify(values)], signal);
    return await readFile(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Options of the command line: `aspectRatio` is `--aspect-ratio`. */
const argsOf = (options: PageOptions): string[] =>
  Object.entries(options).map(([name, value]) => `--${name === 'aspectRatio' ? 'aspect-ratio' : name}=${value}`);

/** Runs the CLI of this process with other arguments. */
function runCli(args: string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const program = process.argv[1] ?? '';
    execFile(process.execPath, [program, ...args], { signal, windowsHide: true }, (error, stdout, stderr) => {
      if (!error) return resolve();
      reject(new UserError('render_failed', messageIn(stdout) ?? stderr.trim().split('\n')[0] ?? error.message));
    });
  });
}

/** The error message in the output of `--json`. */
function messageIn(stdout: string): string | undefined {
  try {
    return (JSON.parse(stdout) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}

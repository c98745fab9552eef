// A picture of one frame, taken by the renderer itself: a process of its own, because it drives a browser.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';

export type PictureRequest = {
  root: string;
  composition: string;
  values: Record<string, unknown>;
  frame: number;
  /** Files whose text is not on disk: the renderer would not see it. */
  unsaved: string[];
  signal: AbortSignal;
};

/** PNG of exactly the pixels that a render has. Throws UserError. */
export async function takePicture(request: PictureRequest): Promise<Uint8Array> {
  const { root, composition, values, frame, unsaved, signal } = request;
  if (unsaved.length > 0) {
    throw new UserError('usage', `${unsaved.join(', ')} is not saved.`, {
      hint: 'Save first: pictures are taken by the renderer, from the files on disk.',
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'framework-picture-'));
  try {
    const output = join(folder, 'frame.png');
    const args = ['snapshot', root, '--composition', composition, '--at', `${frame}f`, '-o', output, '--json'];
    await runCli([...args, '--variables', JSON.stringify(values)], signal);
    return await readFile(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the program that this process runs, with other arguments. */
function runCli(args: string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const program = process.argv[1] ?? '';
    execFile(process.execPath, [program, ...args], { signal, windowsHide: true }, (error, stdout, stderr) => {
      if (!error) return resolve();
      reject(new UserError('render_failed', messageIn(stdout) ?? stderr.trim().split('\n')[0] ?? error.message));
    });
  });
}

/** What `--json` says went wrong. */
function messageIn(stdout: string): string | undefined {
  try {
    return (JSON.parse(stdout) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}

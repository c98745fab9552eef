// The user's own npm, which knows their registry, proxy and credentials.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { candidatesOnPath, isExecutable } from '../project/programs.ts';

/** Path of npm on PATH. On Windows, that of its script: Node does not start the `.cmd` file without a shell. */
export async function findNpm(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string | undefined> {
  for (const path of candidatesOnPath('npm', env, platform)) {
    const file = platform === 'win32' ? join(dirname(path), 'node_modules', 'npm', 'bin', 'npm-cli.js') : path;
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

export type NpmPack = {
  /** The path that `findNpm` returns. */
  npm: string;
  /** Such as `parse5@8.1.1`. */
  spec: string;
  /** An empty folder. It receives the archive, and npm's cache in `cache`, which grows while npm downloads. */
  folder: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
};

/** Downloads a package with `npm pack`, which runs no scripts. Throws UserError `download_failed`. */
export async function npmPack({ npm, spec, folder, env, signal }: NpmPack): Promise<void> {
  const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const folders = [`--pack-destination=${folder}`, `--cache=${join(folder, 'cache')}`];
  const args = [
    'pack',
    spec,
    '--ignore-scripts',
    '--loglevel=error',
    '--update-notifier=false',
    ...folders,
    ...retries,
  ];
  const [program, before] = npm.endsWith('.js') ? [process.execPath, [npm]] : [npm, []];
  signal?.throwIfAborted();
  const child = spawn(program, [...before, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    const [code] = await once(child, 'close').catch((error: Error) => [error.message]);
    signal?.throwIfAborted();
    if (code !== 0) throw npmFailure(spec, output || String(code));
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** Whether an error of `npmPack` says that the registry has no such package. */
export const isUnknownPackage = (error: unknown): boolean =>
  error instanceof UserError && error.cause instanceof Error && /\bE404\b/.test(error.cause.message);

/** npm prints a code, details, and in one line what happened. */
function npmFailure(spec: string, output: string): UserError {
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const reason = lines.find((line) => line !== '' && !/^(?:code|syscall|errno|path) /.test(line));
  return new UserError('download_failed', `npm cannot download ${spec}: ${reason}`, {
    hint: 'Check the registry and the proxy of npm with "npm config list". FRAMEWORK_FFMPEG_MIRROR selects a download without npm.',
    cause: new Error(output),
  });
}

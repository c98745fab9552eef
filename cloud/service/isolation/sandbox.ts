// The sandbox of a worker: bubblewrap shows it only its programs and its own folder, without a network and without other
// processes. Chrome starts its own sandbox inside.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheRoot } from '../../../renderer-core/project/cacheFolder.ts';
import { candidatesOnPath, isExecutable } from '../../../renderer-core/project/programs.ts';

/** What this machine has for isolating workers. All paths are absolute. */
export type Sandbox = {
  bubblewrap: string;
  prlimit: string;
  readable: readonly string[];
  /** Folders and files of the kernel that a user could change. */
  kernel: readonly string[];
  /** The data of the service, also if it is in a readable folder. */
  hidden?: string | undefined;
};

/** Programs and libraries, names of hosts, and certificates. Nothing of users. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store'],
  ...['/etc/ssl', '/etc/ca-certificates', '/etc/pki', '/etc/fonts', '/etc/alternatives', '/etc/ld.so.cache'],
  ...['/etc/localtime', '/etc/chromium', '/etc/chromium.d'],
];

export type SandboxOptions = {
  env: NodeJS.ProcessEnv;
  /** Programs that may be outside of the system's folders. */
  programs: readonly string[];
  /** The bundle that workers run. */
  workerFile: string;
  /** The data of the service. */
  dataDir?: string;
  platform?: NodeJS.Platform;
};

/** Checks the sandbox by starting it. Returns the reason if this machine has none. */
export async function findSandbox(options: SandboxOptions): Promise<Sandbox | { reason: string }> {
  const { env, platform = process.platform } = options;
  if (platform !== 'linux') return { reason: 'bubblewrap needs Linux' };
  const [bubblewrap, prlimit] = await Promise.all(['bwrap', 'prlimit'].map((name) => firstOnPath(name, env)));
  if (bubblewrap === undefined) return { reason: 'bubblewrap (bwrap) is not installed' };
  if (prlimit === undefined) return { reason: 'prlimit is not installed' };
  const hidden = options.dataDir === undefined ? undefined : await realFolder(options.dataDir);
  const sandbox = { bubblewrap, prlimit, readable: await readablePaths(options), kernel: await kernelPaths(), hidden };
  const folder = await mkdtemp(join(tmpdir(), 'framework-sandbox-'));
  try {
    const [program, args] = sandboxed(sandbox, folder, [process.execPath, '--version']);
    await promisify(execFile)(program, args, { env: {}, timeout: 20_000 });
    return sandbox;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    return { reason: `bubblewrap does not start: ${(stderr || message).trim().split('\n')[0]}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What `/proc` has besides processes. Inside of the sandbox, the kernel checks the user outside of it: for root, it would let a
 * worker write the settings of the machine, such as `/proc/sys/kernel/core_pattern`.
 */
async function kernelPaths(): Promise<string[]> {
  const entries = await readdir('/proc', { withFileTypes: true });
  return entries
    .filter((entry) => !/^\d+$/.test(entry.name) && !entry.isSymbolicLink())
    .map(({ name }) => `/proc/${name}`);
}

/** Creates the folder if it is missing, because nothing can be mounted there otherwise. */
async function realFolder(path: string): Promise<string> {
  // The service reports a folder that it cannot create when it opens its data.
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
  return realpath(path).catch(() => resolve(path));
}

async function firstOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const path of candidatesOnPath(name, env, 'linux')) if (await isExecutable(path)) return path;
  return undefined;
}

/** Caches that workers share are left out: a worker could read what another one has fetched. */
async function readablePaths({ env, programs, workerFile }: SandboxOptions): Promise<string[]> {
  const cache = cacheRoot(env);
  const entries = await readdir(cache).catch(() => []);
  const shared = entries.filter((name) => /^(?:chromium|ffmpeg|node-av|fonts|programs)/.test(name));
  const real = await Promise.all(programs.map((path) => realpath(path).catch(() => path)));
  return [
    ...systemFolders,
    process.execPath,
    ...packageFolders(workerFile),
    ...shared.map((name) => join(cache, name)),
    ...[...programs, ...real].map((path) => dirname(path)),
    ...(env.NODE_EXTRA_CA_CERTS ? [env.NODE_EXTRA_CA_CERTS] : []),
  ];
}

/** The folder of a bundle, its manifest, and every `node_modules` in which Node looks for packages. */
function packageFolders(bundle: string): string[] {
  const folder = dirname(bundle);
  const above = (path: string): string[] => (dirname(path) === path ? [path] : [path, ...above(dirname(path))]);
  return [folder, join(folder, '..', 'package.json'), ...above(folder).map((path) => join(path, 'node_modules'))];
}

/** For each process. The memory of all processes together is limited by the service's container or systemd unit. */
const limits = ['--core=0', `--fsize=${8 * 1024 ** 3}`, `--data=${8 * 1024 ** 3}`, '--nofile=8192', '--nproc=2048'];

/** The program and arguments that run `command` in the sandbox. It can write only to `folder`. */
export function sandboxed(
  { bubblewrap, prlimit, readable, kernel, hidden }: Sandbox,
  folder: string,
  command: readonly string[],
): [program: string, args: string[]] {
  const show = (paths: readonly string[]) => paths.flatMap((path) => ['--ro-bind-try', path, path]);
  const inData = (path: string) => hidden !== undefined && path.startsWith(`${hidden}/`);
  const args = [
    ...['--unshare-all', '--die-with-parent', '--hostname', 'render', '--uid', '1000', '--gid', '1000'],
    // No rights of root, and no way to type into the terminal of the service.
    ...['--cap-drop', 'ALL', '--new-session'],
    ...['--proc', '/proc', '--dev', '/dev', ...show(kernel)],
    // Not in memory, and counted with the other files of the render.
    ...['--bind', folder, '/tmp'],
    ...show(readable),
    // An empty folder in place of the data, in which only programs and the worker's own folder are shown.
    ...(hidden === undefined ? [] : ['--tmpfs', hidden]),
    ...show(readable.filter(inData)),
    ...['--bind', folder, folder],
    ...(hidden === undefined ? [] : ['--remount-ro', hidden]),
    ...['--chdir', folder, '--'],
    ...[prlimit, ...limits, ...command],
  ];
  return [bubblewrap, args];
}

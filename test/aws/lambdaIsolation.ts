// What a function sees of its machine: its code, the libraries of its operating system, and `/tmp`.
// Source: the AWS Lambda developer guide, "Understanding the Lambda execution environment lifecycle", and the image of
// Amazon Linux 2023 for Node, which has no programs, fonts or libraries of browsers.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LambdaProgram } from './lambdaProgram.ts';
import { seccompProgram } from './lambdaSeccomp.ts';

const libraryFolders = ['/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/lib64', '/usr/lib64'];
const libraries = [
  ...[
    'ld-linux-x86-64.so.2',
    'libc.so.6',
    'libm.so.6',
    'libmvec.so.1',
    'libdl.so.2',
    'libpthread.so.0',
    'librt.so.1',
    'libutil.so.1',
  ],
  ...['libresolv.so.2', 'libnss_files.so.2', 'libnss_dns.so.2', 'libgcc_s.so.1', 'libstdc++.so.6'],
];
const devices = ['null', 'zero', 'full', 'random', 'urandom'];

/** The home folder of Lambda's user does not exist. */
const user = { name: 'sbx_user1051', id: 993, group: 990, home: '/home/sbx_user1051' };

export type Isolation = { program: LambdaProgram; code: string; layers: readonly string[]; diskMb: number };

/** Arguments of `bwrap`, and the file that its descriptor 3 must read. `folder`: for files of the isolation. */
export async function isolated(
  { program, code, layers, diskMb }: Isolation,
  folder: string,
): Promise<{ args: string[]; seccompFile: string; env: Record<string, string> }> {
  const seccompFile = join(folder, 'seccomp');
  const passwd = join(folder, 'passwd');
  await writeFile(seccompFile, seccompProgram());
  await writeFile(passwd, `${user.name}:x:${user.id}:${user.group}::${user.home}:/sbin/nologin\n`);
  const modules = dirname(dirname(dirname(program.node)));
  const inRuntime = (path: string) => join('/var/runtime/node_modules', path.slice(modules.length));
  const args = [
    ...['--unshare-user', '--uid', String(user.id), '--gid', String(user.group)],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', '169.254.100.6', '--die-with-parent'],
    ...libraryFolders
      .flatMap((from) => libraries.map((name) => join(from, name)))
      .filter(existsSync)
      .flatMap(readOnly),
    ...['--ro-bind', passwd, '/etc/passwd', ...readOnly('/etc/resolv.conf'), ...readOnly('/etc/hosts')],
    ...devices.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    ...['--proc', '/proc', '--ro-bind', code, '/var/task', '--ro-bind', modules, '/var/runtime/node_modules'],
    ...['--size', String(diskMb * 1024 ** 2), '--tmpfs', '/tmp', ...layers.flatMap(readOnly), '--remount-ro', '/'],
    ...['--chdir', '/var/task', '--seccomp', '3', '--', inRuntime(program.node), inRuntime(program.client)],
  ];
  const env = { PATH: '/var/lang/bin:/usr/bin:/bin', LAMBDA_TASK_ROOT: '/var/task', HOME: user.home };
  return { args, seccompFile, env };
}

const readOnly = (path: string): string[] => ['--ro-bind', path, path];

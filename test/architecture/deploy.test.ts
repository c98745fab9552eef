// The files with which operators install the service agree with the command line, the sandbox and each other.
// test/e2e/image.test.ts runs them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serviceRows } from '../../cli/commands/doctorService.ts';
import { serveCommands } from '../../cli/commands/serve/serveCommands.ts';
import { fontPackages } from '../../renderer-core/fonts/fontPackages.ts';
import { isOnDemand } from '../../renderer-core/model/fonts/pinnedFamilies.ts';
import { repository } from '../support/repositoryFiles.ts';
import { podmanRun, readContainerfile } from '../support/service/containerfile.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const image = readContainerfile(read('deploy/Containerfile'));
const unit = read('deploy/framework.service');
const operations = read('docs/operations.md');
const installScript = read('deploy/install.sh');

/** The last value of a setting of the unit. */
const setting = (name: string): string | undefined =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].at(-1)?.[1];

const variable = (name: string): string | undefined =>
  new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(installScript)?.[1];

const serveOptions = new Set(serveCommands.find(({ name }) => name === 'serve')?.options.map(({ name }) => name));
const unknownOptions = (command: string): string[] =>
  [...command.matchAll(/--([a-z-]{2,})/g)].map(([, name = '']) => name).filter((name) => !serveOptions.has(name));

test('the installation has the fonts that others download on first use', () => {
  const wanted = fontPackages.filter(({ name }) => isOnDemand(name)).map(({ name, version }) => `${name}@${version}`);
  const [, listed = ''] = /^fonts="([^"]*)"$/m.exec(installScript) ?? [];
  expect(listed.split(/\s+/)).toEqual(wanted);
  expect(read('docs/fonts.md').match(/@fontsource\S+@\d\S+/g)).toEqual(wanted);
});

describe('Containerfile', () => {
  test('starts the service below tini, with options that it has', () => {
    const command = image.entrypoint.join(' ');
    expect(command).toMatch(/^\/usr\/bin\/tini -- framework serve /);
    expect(unknownOptions(command)).toEqual([]);
  });

  test('runs the steps of install.sh, as the user that it creates', () => {
    expect([...image.run.matchAll(/sh install\.sh (\w+)/g)].map(([, step]) => step)).toEqual([
      'packages',
      'application',
      'clean',
    ]);
    expect(image.user).toBe(`${variable('user_id')}:${variable('user_id')}`);
    expect(image.env.HOME).toBe(variable('data'));
    expect(image.entrypoint.at(-1)).toBe(variable('data'));
  });

  test.each([
    [200, 0],
    [503, 1],
  ])('its health check for status %i exits with %i', async (status, code) => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [program, ...args] = image.healthCheck;
    expect(program).toBe('node');
    const child = spawn(
      process.execPath,
      args.map((arg) => arg.replace('127.0.0.1:8787', `127.0.0.1:${port}`)),
    );
    expect(await once(child, 'exit')).toEqual([code, null]);
    server.close();
    expect(paths).toEqual(['/readyz']);
  });
});

describe('install.sh', () => {
  const packages = variable('packages')?.split(' ') ?? [];

  test('installs what "doctor --service" asks for', () => {
    const sandbox = { reason: 'bubblewrap (bwrap) is not installed' };
    const rows = serviceRows({ sandbox, isRoot: false, built: 0, now: Date.now() });
    const fixes = rows.map(({ fix = '' }) => fix).join('\n');
    const wanted = [...fixes.matchAll(/apt-get install (?:--[\w-]+ )?([\w-]+)/g)].map(([, name]) => name);
    expect(wanted).toEqual(['chromium-headless-shell', 'bubblewrap']);
    expect(fixes).toContain(`FRAMEWORK_BROWSER=${variable('browser')}`);
    expect(packages).toEqual(expect.arrayContaining(wanted));
  });

  test('installs the program of prlimit, the entry point and Node', () => {
    expect(packages).toEqual(expect.arrayContaining(['util-linux', 'tini', 'nodejs', 'ca-certificates']));
  });
});

describe('systemd unit', () => {
  test('starts the service with options that it has, as the user of install.sh', () => {
    expect(setting('ExecStart')).toMatch(/^\/usr\/local\/bin\/framework serve --data \/var\/lib\/framework /);
    expect(unknownOptions(setting('ExecStart') ?? '')).toEqual([]);
    expect([setting('User'), setting('StateDirectory')]).toEqual([variable('user'), 'framework']);
  });

  test('waits longer for the end of the service than the service for renders and requests', () => {
    const drain = Number(/--drain-seconds (\d+)/.exec(setting('ExecStart') ?? '')?.[1]);
    expect(Number(setting('TimeoutStopSec')?.replace(/s$/, ''))).toBeGreaterThanOrEqual(drain + 30);
  });

  test('has none of the settings with which bubblewrap cannot isolate renders', () => {
    const forbidden = ['ProtectKernelTunables', 'ProtectKernelLogs', 'ProcSubset', 'ProtectHostname'];
    for (const name of [...forbidden, 'RestrictNamespaces', 'PrivateUsers', 'MemoryDenyWriteExecute'])
      expect([name, setting(name)]).toEqual([name, undefined]);
  });

  test('allows the system calls of the sandbox', () => {
    const filters = [...unit.matchAll(/^SystemCallFilter=(.*)$/gm)].flatMap(([, value = '']) => value.split(' '));
    // clone, clone3 and unshare are in @system-service.
    expect(filters).toEqual(
      expect.arrayContaining(['@system-service', 'chroot', 'mount', 'pivot_root', 'sethostname', 'umount2', 'seccomp']),
    );
  });
});

describe('seccomp.json', () => {
  type Rule = { names: string[]; action: string; args?: object[]; includes?: object; excludes?: object };
  const profile = JSON.parse(read('deploy/seccomp.json')) as { defaultAction: string; syscalls: Rule[] };
  const sandboxCalls = ['chroot', 'clone', 'clone3', 'mount', 'pivot_root', 'sethostname', 'umount2', 'unshare'];
  const rulesOf = (call: string) => profile.syscalls.filter(({ names }) => names.includes(call));

  test('forbids what it does not name', () => expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO'));

  test.each(sandboxCalls)('allows %s without a capability, and the documentation says why', (call) => {
    expect(rulesOf(call)).toEqual([
      { comment: expect.any(String), names: expect.any(Array), action: 'SCMP_ACT_ALLOW' },
    ]);
    expect(operations).toMatch(new RegExp(`^\\|.*\`${call}\`.*\\|`, 'm'));
  });

  test.each([
    'bpf',
    'init_module',
    'io_uring_setup',
    'kexec_load',
    'keyctl',
    'open_by_handle_at',
    'perf_event_open',
    'setns',
    'userfaultfd',
  ])('does not allow %s', (call) =>
    expect(rulesOf(call).filter(({ action }) => action === 'SCMP_ACT_ALLOW')).toEqual([]));
});

describe('docs/operations.md', () => {
  test('runs the container as the test does', () => {
    const [, command = ''] = /^(podman run[\s\S]*?)\n[^ ]/m.exec(operations) ?? [];
    expect(command.split(/[\s\\]+/)).toEqual(expect.arrayContaining([...podmanRun]));
    const [, given = ''] = /framework (--public-url.*)$/m.exec(command) ?? [];
    expect(given).not.toBe('');
    expect(unknownOptions(given)).toEqual([]);
  });

  test('names only files and npm scripts that exist', () => {
    const paths = [...operations.matchAll(/\bdeploy\/[\w.-]+/g)].map(([path]) => path);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) expect(read(path)).not.toBe('');
  });
});

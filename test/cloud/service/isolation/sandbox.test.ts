// What code in the sandbox of a worker can see and do.
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { serviceRows } from '../../../../cli/commands/doctorService.ts';
import { findSandbox, type Sandbox, sandboxed } from '../../../../cloud/service/isolation/sandbox.ts';
import { browserProblem } from '../../../../cloud/service/isolation/sandboxedBrowser.ts';
import { workerFile } from '../../../../cloud/service/queue/workerFile.ts';
import { findBrowser } from '../../../../renderer-core/capture/findBrowser.ts';
import { temporaryFolder } from '../../../support/project.ts';
import { startHost } from '../../../support/servers/host.ts';
import { needPrograms } from '../../../support/systemPrograms.ts';

beforeEach((context) => needPrograms(context, 'bwrap', 'prlimit'));

async function openSandbox(options: { programs?: string[]; dataDir?: string } = {}): Promise<Sandbox> {
  const found = await findSandbox({ env: process.env, programs: [], workerFile, ...options });
  if ('reason' in found) throw new Error(found.reason);
  return found;
}

/** Runs a module in the sandbox of `folder` and returns what it prints. `user`: the number of another user of the machine. */
async function run(folder: string, code: string, sandbox?: Sandbox, user?: number): Promise<string> {
  const command = [process.execPath, '--input-type=module', '-e', code];
  const [program, args] = sandboxed(sandbox ?? (await openSandbox()), folder, command);
  const as = user === undefined ? {} : { uid: user, gid: user };
  if (user !== undefined) chownSync(folder, user, user);
  const { stdout } = await promisify(execFile)(program, args, { env: { PATH: process.env.PATH }, ...as });
  return stdout.trim();
}

test('shows its own folder, and neither the data of the service nor other renders', async () => {
  const data = temporaryFolder();
  for (const name of ['own', 'other']) mkdirSync(join(data, 'work', name), { recursive: true });
  writeFileSync(join(data, 'service.sqlite'), 'secret');
  writeFileSync(join(data, 'work/other/project.zip'), 'zip');
  const folder = join(data, 'work/own');
  const code = `import { existsSync, readdirSync, writeFileSync } from 'node:fs';
    writeFileSync('result.txt', 'written');
    const hidden = ${JSON.stringify([join(data, 'service.sqlite'), join(data, 'work/other'), '/etc/shadow', '/etc/passwd', '/home'])};
    console.log(JSON.stringify({ data: readdirSync(${JSON.stringify(data)}), seen: hidden.filter((path) => existsSync(path)) }));`;
  expect(JSON.parse(await run(folder, code))).toEqual({ data: ['work'], seen: [] });
  expect(readFileSync(join(folder, 'result.txt'), 'utf8')).toBe('written');
});

test('hides the data of the service also in a folder with programs, and shows programs in the data', async () => {
  const root = temporaryFolder();
  const data = join(root, 'data');
  const folder = join(data, 'work/own');
  for (const path of [folder, join(data, 'programs')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(data, 'service.sqlite'), 'secret');
  const programs = [join(root, 'browser'), join(data, 'programs/ffmpeg')];
  for (const path of programs) writeFileSync(path, '');
  const code = `import { readdirSync, writeFileSync } from 'node:fs';
    writeFileSync('result.txt', 'written');
    const write = (path) => { try { writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; } };
    const list = (path) => readdirSync(path).sort();
    console.log(JSON.stringify([list(${JSON.stringify(root)}), list(${JSON.stringify(data)}), list(${JSON.stringify(join(data, 'programs'))}), write(${JSON.stringify(join(data, 'new'))})]));`;
  expect(JSON.parse(await run(folder, code, await openSandbox({ programs, dataDir: data })))).toEqual([
    ['browser', 'data'],
    ['programs', 'work'],
    ['ffmpeg'],
    'EROFS',
  ]);
  expect(readFileSync(join(folder, 'result.txt'), 'utf8')).toBe('written');
});

test('cannot change programs', async () => {
  const code = `import { writeFileSync } from 'node:fs';
    const codes = ${JSON.stringify(['/usr/bin/new', workerFile])}.map((path) => {
      try { writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; }
    });
    console.log(codes.join());`;
  expect(await run(temporaryFolder(), code)).toBe('EROFS,EROFS');
});

test('sees no other processes, and runs as another user', async () => {
  const code = `import { readdirSync } from 'node:fs';
    const processes = readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
    console.log(process.getuid(), processes.length);`;
  expect(await run(temporaryFolder(), code)).toBe('1000 2');
});

/** Every Debian has it, and it owns nothing. */
const otherUser = 65_534;

test.each([
  ['this user', undefined],
  ['another user', otherUser],
])('cannot write anything of the kernel as %s, and has no rights of root', async (_, user) => {
  // Only root can start it as another user.
  if (user !== undefined && process.getuid?.() !== 0) return;
  const code = `import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs';
    const opened = [];
    const walk = (folder) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = folder + '/' + entry.name;
        // Processes of the sandbox are its own.
        if (/^\\/proc\\/\\d+$/.test(path) || entry.isSymbolicLink()) continue;
        try {
          if (entry.isDirectory()) walk(path);
          else { closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)); opened.push(path); }
        } catch { /* It may not be read or written. */ }
      }
    };
    for (const folder of ['/proc', '/sys']) try { walk(folder) } catch { /* It is not there. */ }
    const rights = readFileSync('/proc/self/status', 'utf8').match(/Cap(?:Eff|Bnd):\\t\\d+/g);
    const settings = readFileSync('/proc/sys/kernel/ostype', 'utf8').trim();
    console.log(JSON.stringify({ opened, rights, settings }));`;
  const own = await openSandbox();
  // The other user cannot read the home folder of this one.
  const readable = user === undefined ? own.readable : own.readable.filter((path) => !path.startsWith(homedir()));
  expect(JSON.parse(await run(temporaryFolder(), code, { ...own, readable }, user))).toEqual({
    opened: [],
    rights: ['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000'],
    settings: 'Linux',
  });
});

test('has no network', async () => {
  const host = await startHost({ '/': { body: 'hello' } });
  const code = `console.log(await fetch('${host.origin}').then(() => 'reached', (error) => error.cause.code));`;
  expect(await run(temporaryFolder(), code)).toBe('ECONNREFUSED');
  expect(host.requests).toEqual([]);
});

test('cannot write files that fill the disk', async () => {
  const code = `import { openSync, ftruncateSync } from 'node:fs';
    try { ftruncateSync(openSync('big', 'w'), 9 * 1024 ** 3); console.log('written'); } catch (error) { console.log(error.code); }`;
  expect(await run(temporaryFolder(), `process.on('SIGXFSZ', () => {}); ${code}`)).toBe('EFBIG');
});

test('says why there is no sandbox', async () => {
  const options = { programs: [], workerFile };
  expect(await findSandbox({ ...options, env: { PATH: '' } })).toEqual({
    reason: 'bubblewrap (bwrap) is not installed',
  });
  expect(await findSandbox({ ...options, env: process.env, platform: 'darwin' })).toEqual({
    reason: 'bubblewrap needs Linux',
  });
});

test('shows a page of the browser, and says why it cannot', async () => {
  const browser = await findBrowser({ env: process.env });
  const found = await findSandbox({ env: process.env, programs: [browser.path], workerFile });
  if ('reason' in found) throw new Error(found.reason);
  expect(await browserProblem(found, browser, process.env)).toBeUndefined();
  const broken = { path: '/bin/false', env: {} };
  expect(await browserProblem(found, broken, process.env)).toBe('it ended at once');
});

test('framework doctor --service reports it', async () => {
  const none = { reason: 'bubblewrap (bwrap) is not installed' };
  const states = (facts: Omit<Parameters<typeof serviceRows>[0], 'now'>) =>
    serviceRows({ ...facts, now: Date.parse('2026-11-29') }).map(({ name, status }) => `${name} ${status}`);
  expect(states({ sandbox: await openSandbox(), isRoot: false })).toEqual(['isolation ok', 'user ok']);
  expect(states({ sandbox: await openSandbox(), problem: 'chroot: EPERM', isRoot: false })).toEqual([
    'isolation missing',
    'user ok',
  ]);
  expect(states({ sandbox: none, isRoot: false })).toEqual(['isolation warning', 'user ok']);
  expect(states({ sandbox: none, isRoot: true })).toEqual(['isolation missing', 'user missing']);
  const age = (day: string) => states({ sandbox: none, isRoot: false, built: Date.parse(day) })[0];
  expect([age('2026-10-04'), age('2026-10-03')]).toEqual(['browser age ok', 'browser age warning']);
});

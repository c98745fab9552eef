// Installing programs from a local server: atomic, also after errors.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Build, buildFor, isBuild, type Machine, type Program } from '../../../renderer-core/setup/builds.ts';
import { type InstallOptions, installBuild } from '../../../renderer-core/setup/install.ts';
import {
  findSetupProgram,
  listSetupPrograms,
  removeSetupPrograms,
} from '../../../renderer-core/setup/programsFolder.ts';
import type { SetupEvent } from '../../../renderer-core/setup/setupReport.ts';
import { mountDisk } from '../../support/devices.ts';
import { temporaryFolder } from '../../support/project.ts';
import { checksum, type Mirror, pathOf, scriptZip, startMirror } from '../../support/servers/mirror.ts';
import { full } from '../../support/suites.ts';

const machine: Machine = { platform: process.platform, arch: process.arch, isMusl: false };
const zip = scriptZip('echo "Chromium 1.2.3"');
const gz = gzipSync('#!/bin/sh\necho "ffmpeg version 9.9"\n');

let mirror: Mirror;
let into: string;

beforeEach(async () => {
  mirror = await startMirror();
  onTestFinished(() => mirror.close());
  into = join(temporaryFolder(), 'programs');
  mirror.files.set(pathOf('browser'), { content: zip });
  mirror.files.set(`${pathOf('browser')}.sha256`, checksum(zip));
  mirror.files.set(pathOf('ffmpeg'), { content: gz });
  mirror.files.set(`${pathOf('ffmpeg')}.sha256`, checksum(gz));
});

function build(program: Program): Build {
  const found = buildFor(program, machine, { browser: mirror.url, ffmpeg: mirror.url });
  if (!isBuild(found)) throw new Error(found.reason);
  // The size of these files instead of that of the real ones.
  return { ...found, bytes: 1000, unpackedBytes: 5000 };
}

function install(program: Program, options: Partial<InstallOptions> = {}) {
  const check = async () => undefined;
  return installBuild(build(program), { into, machine, env: {}, isMirror: true, now: Date.now, check, ...options });
}

/** Files in the folder, which must be complete. */
const left = () => (existsSync(into) ? readdirSync(into) : []);

test('installs a browser that renders find', async () => {
  const events: SetupEvent[] = [];
  const { path, isNew } = await install('browser', { onEvent: (event) => events.push(event) });
  expect(isNew).toBe(true);
  expect(execFileSync(path, { encoding: 'utf8' })).toBe('Chromium 1.2.3\n');
  expect(statSync(join(path, '../locales/en.pak')).mode & 0o111).toBe(0);
  expect(left()).toEqual([expect.stringMatching(/^browser-.*-153\.0\.8010\.12$/)]);
  expect(events.filter(({ type }) => type === 'download').at(-1)).toMatchObject({
    program: 'browser',
    doneBytes: zip.length,
    totalBytes: zip.length,
  });
  expect(events.filter(({ type }) => type === 'stage')).toEqual([
    { type: 'stage', message: 'Unpacking Chrome Headless Shell 153.0.8010.12' },
  ]);
  expect(await findSetupProgram('browser', { env: { FRAMEWORK_PROGRAMS_DIR: into } })).toBe(path);
  expect(await findSetupProgram('ffmpeg', { env: { FRAMEWORK_PROGRAMS_DIR: into } })).toBeUndefined();
});

test('does not download an installed program again without force', async () => {
  const { path } = await install('ffmpeg');
  const asked = mirror.asked.length;
  expect(await install('ffmpeg')).toMatchObject({ path, isNew: false });
  expect(mirror.asked).toHaveLength(asked);
  writeFileSync(path, 'damaged');
  expect(await install('ffmpeg', { force: true })).toMatchObject({ path, isNew: true });
  expect(execFileSync(path, { encoding: 'utf8' })).toContain('9.9');
});

test('removes earlier builds and the files of killed setups', async () => {
  const older = join(into, `ffmpeg-${machine.platform}-${machine.arch}-b6.0`);
  for (const name of [older, join(into, '.new-ffmpeg-x'), join(into, 'something-else')])
    mkdirSync(name, { recursive: true });
  await install('ffmpeg');
  expect(left().sort()).toEqual([`ffmpeg-${machine.platform}-${machine.arch}-b6.1.1`, 'something-else']);
});

test('downloads once when two setups run at the same time', async () => {
  const events: SetupEvent[] = [];
  const onEvent = (event: SetupEvent) => events.push(event);
  const both = await Promise.all([install('browser', { onEvent }), install('browser', { onEvent })]);
  expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  expect(mirror.asked.filter((path) => path.endsWith('.zip'))).toHaveLength(1);
  expect(events).toContainEqual({ type: 'stage', message: `Waiting for another setup in ${into}` });
});

test('leaves no files when it is cancelled, and does not block the next setup', async () => {
  mirror.files.set(pathOf('ffmpeg'), { content: gz, holdAfter: 20 });
  const controller = new AbortController();
  const cancelled = install('ffmpeg', {
    signal: controller.signal,
    onEvent: ({ type }) => type === 'download' && controller.abort(),
  });
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(left()).toEqual([]);
  mirror.files.set(pathOf('ffmpeg'), { content: gz });
  expect(await install('ffmpeg')).toMatchObject({ isNew: true });
});

const wrongs: [string, (mirror: Mirror) => void, string | RegExp][] = [
  ['an HTTP error', ({ files }) => files.clear(), /failed with HTTP status 404: http.*ffmpeg-.*\.gz/],
  [
    'an interrupted connection',
    ({ files }) => files.set(pathOf('ffmpeg'), { content: gz, cutAfter: 30 }),
    /was interrupted/,
  ],
  [
    'a file that does not match the checksum of the mirror',
    ({ files }) => files.set(pathOf('ffmpeg'), { content: Buffer.from('<html>Sign in</html>') }),
    /^The checksum of .* is wrong: its SHA-256 is [0-9a-f]{64} \(20 bytes\)/,
  ],
  [
    'a file that does not match the recorded checksum, when the mirror has none',
    ({ files }) => files.delete(`${pathOf('ffmpeg')}.sha256`),
    /expected (?:[0-9a-f]{64})\. The file was deleted/,
  ],
  [
    'a file that cannot be unpacked',
    ({ files }) => {
      const text = Buffer.from('no archive at all');
      files.set(pathOf('ffmpeg'), { content: text }).set(`${pathOf('ffmpeg')}.sha256`, checksum(text));
    },
    /^Cannot unpack the download: incorrect header check/,
  ],
];

test.each(wrongs)('rejects %s, and leaves no files', async (_what, spoil, message) => {
  spoil(mirror);
  await expect(install('ffmpeg')).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(/./),
  });
  expect(left()).toEqual([]);
});

test('rejects an archive without the program, and a damaged one', async () => {
  for (const [content, message] of [
    [zip.subarray(0, 200), 'Cannot unpack the download'],
    [scriptZipOf('other'), 'does not contain the program (browser)'],
  ] as const) {
    mirror.files.set(pathOf('browser'), { content }).set(`${pathOf('browser')}.sha256`, checksum(content));
    await expect(install('browser')).rejects.toThrow(message);
    expect(left()).toEqual([]);
  }
});

function scriptZipOf(name: string): Buffer {
  return Buffer.from(
    scriptZip('exit 0').toString('latin1').replaceAll('chrome-headless-shell', name.padEnd(21, '-')),
    'latin1',
  );
}

test('keeps the installed program when the new one does not pass its check', async () => {
  const { path } = await install('ffmpeg');
  const before = readFileSync(path, 'utf8');
  const other = gzipSync('#!/bin/sh\nexit 1\n');
  mirror.files.set(pathOf('ffmpeg'), { content: other }).set(`${pathOf('ffmpeg')}.sha256`, checksum(other));
  const check = () => Promise.reject(new Error('it does not start'));
  await expect(install('ffmpeg', { force: true, check })).rejects.toThrow('it does not start');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('reports an unreachable host and a refused connection', async () => {
  const unreachable = { ...build('ffmpeg'), url: 'http://framework.invalid/ffmpeg.gz' };
  const options = { into, machine, env: {}, isMirror: false, now: Date.now, check: async () => undefined };
  await expect(installBuild(unreachable, options)).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(/^Cannot reach framework\.invalid: this machine seems to be offline/),
  });
  await mirror.close();
  await expect(install('ffmpeg')).rejects.toThrow(/127\.0\.0\.1:\d+ does not respond \(ECONNREFUSED\)/);
});

/** Tunnels every connection to the mirror, or responds with the given status. */
async function startProxy(refusal?: string): Promise<{ url: string; tunnelled: string[] }> {
  const tunnelled: string[] = [];
  const server = createServer().on('connect', (request, socket) => {
    tunnelled.push(request.url ?? '');
    if (refusal) return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const to = connect(Number(new URL(mirror.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(to).pipe(socket);
    });
    for (const end of [socket, to]) end.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnelled };
}

test('uses the proxy of the environment, and names it when it refuses', async () => {
  const far = { ...build('ffmpeg'), url: `http://framework.invalid${pathOf('ffmpeg')}` };
  const options = { into, machine, isMirror: true, now: Date.now, check: async () => undefined };
  const proxy = await startProxy();
  expect(await installBuild(far, { ...options, env: { HTTP_PROXY: proxy.url } })).toMatchObject({ isNew: true });
  expect([...new Set(proxy.tunnelled)]).toEqual(['framework.invalid:80']);

  const refusing = await startProxy('407 Proxy Authentication Required');
  const refused = installBuild(far, { ...options, force: true, env: { http_proxy: refusing.url } });
  await expect(refused).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringContaining('The proxy refused the download from framework.invalid'),
    hint: expect.stringContaining('HTTPS_PROXY'),
  });
  const around = { HTTP_PROXY: refusing.url, NO_PROXY: '127.0.0.1' };
  expect(await install('browser', { env: around })).toMatchObject({ isNew: true });
});

test('reports an unreachable proxy and an invalid one', async () => {
  await expect(install('ffmpeg', { env: { HTTP_PROXY: 'http://127.0.0.1:1' } })).rejects.toMatchObject({
    code: 'download_failed',
    hint: expect.stringContaining('Check the proxy in the environment variables'),
  });
  await expect(install('ffmpeg', { env: { HTTP_PROXY: 'nonsense' } })).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringContaining('The proxy of the environment is invalid'),
  });
  expect(left()).toEqual([]);
});

test('reports a full disk before anything is written', async () => {
  const huge = { ...build('ffmpeg'), unpackedBytes: 1e15 };
  const options = { into, machine, env: {}, isMirror: true, now: Date.now, check: async () => undefined };
  await expect(installBuild(huge, options)).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/ has \d+ MB free, but \d+ MB are needed\.$/),
    hint: expect.stringContaining('--dir'),
  });
  expect(left()).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'reports a disk that becomes full during the download',
  full,
  async (context) => {
    mkdirSync(into);
    mountDisk(context, 'size=1m', into);
    const zeros = gzipSync(Buffer.alloc(5_000_000));
    mirror.files.set(pathOf('ffmpeg'), { content: zeros }).set(`${pathOf('ffmpeg')}.sha256`, checksum(zeros));
    await expect(install('ffmpeg')).rejects.toMatchObject({
      code: 'disk_full',
      hint: expect.stringContaining('--dir'),
    });
    expect(left()).toEqual([]);
  },
);

test('reports a folder that cannot be written', async () => {
  writeFileSync(into, 'a file');
  await expect(install('ffmpeg')).rejects.toMatchObject({ code: 'output_unwritable' });
});

test('lists installed programs with their sizes, and removes only them', async () => {
  await install('browser');
  await install('ffmpeg');
  writeFileSync(join(into, 'notes.txt'), 'mine');
  expect(await listSetupPrograms(into, { env: process.env })).toMatchObject([
    { program: 'browser', version: '153.0.8010.12' },
    { program: 'ffmpeg', version: 'b6.1.1', bytes: 36 },
  ]);
  expect(await removeSetupPrograms(into, ['ffmpeg'], { env: process.env })).toMatchObject([
    { program: 'ffmpeg', bytes: 36 },
  ]);
  expect(left()).toHaveLength(2);
  await removeSetupPrograms(into, ['browser', 'ffmpeg'], { env: process.env });
  expect(left()).toEqual(['notes.txt']);
});

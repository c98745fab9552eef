// Downloads from a server of this machine into a folder: whole or not at all, whatever goes wrong on the way.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Build, buildFor, isBuild, type Machine, type Program } from '../../renderer-core/setup/builds.ts';
import { type InstallOptions, installBuild, type SetUpEvent } from '../../renderer-core/setup/install.ts';
import { listSetUp, removeSetUp, setUpProgram } from '../../renderer-core/setup/programsFolder.ts';
import { checksum, type Mirror, pathOf, scriptZip, startMirror } from '../support/mirror.ts';
import { temporaryFolder } from '../support/project.ts';

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
  // The space that these take, instead of that of the real ones.
  return { ...found, bytes: 1000, unpackedBytes: 5000 };
}

function install(program: Program, options: Partial<InstallOptions> = {}) {
  const check = async () => undefined;
  return installBuild(build(program), { into, machine, env: {}, isMirror: true, check, ...options });
}

/** What lies in the folder: nothing half may. */
const left = () => (existsSync(into) ? readdirSync(into) : []);

test('the browser: its folder, runnable, and found by a render', async () => {
  const events: SetUpEvent[] = [];
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
  expect(await setUpProgram('browser', { env: { FRAMEWORK_PROGRAMS_DIR: into } })).toBe(path);
  expect(await setUpProgram('ffmpeg', { env: { FRAMEWORK_PROGRAMS_DIR: into } })).toBeUndefined();
});

test('what is there is not downloaded again, unless it is asked for', async () => {
  const { path } = await install('ffmpeg');
  const asked = mirror.asked.length;
  expect(await install('ffmpeg')).toMatchObject({ path, isNew: false });
  expect(mirror.asked).toHaveLength(asked);
  writeFileSync(path, 'damaged');
  expect(await install('ffmpeg', { force: true })).toMatchObject({ path, isNew: true });
  expect(execFileSync(path, { encoding: 'utf8' })).toContain('9.9');
});

test('an earlier build goes when a new one is there, and so does what a killed setup left', async () => {
  const older = join(into, `ffmpeg-${machine.platform}-${machine.arch}-b6.0`);
  for (const name of [older, join(into, '.new-ffmpeg-x'), join(into, 'something-else')])
    mkdirSync(name, { recursive: true });
  await install('ffmpeg');
  expect(left().sort()).toEqual([`ffmpeg-${machine.platform}-${machine.arch}-b6.1.1`, 'something-else']);
});

test('two at once: one downloads, the other waits and takes what is there', async () => {
  const events: SetUpEvent[] = [];
  const onEvent = (event: SetUpEvent) => events.push(event);
  const both = await Promise.all([install('browser', { onEvent }), install('browser', { onEvent })]);
  expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  expect(mirror.asked.filter((path) => path.endsWith('.zip'))).toHaveLength(1);
  expect(events).toContainEqual({ type: 'stage', message: `Waiting for another setup in ${into}` });
});

test('cancelled in the middle: nothing is left, and the next one is not held up', async () => {
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
  ['a status that is no success', ({ files }) => files.clear(), /answered with status 404: http.*ffmpeg-.*\.gz/],
  [
    'a connection that breaks off',
    ({ files }) => files.set(pathOf('ffmpeg'), { content: gz, cutAfter: 30 }),
    /broke off/,
  ],
  [
    'another file than the one that the mirror promises',
    ({ files }) => files.set(pathOf('ffmpeg'), { content: Buffer.from('<html>Sign in</html>') }),
    /is not the file that was published: its SHA-256 is [0-9a-f]{64} \(20 bytes\)/,
  ],
  [
    'another file than the recorded one, where the mirror promises nothing',
    ({ files }) => files.delete(`${pathOf('ffmpeg')}.sha256`),
    /not (?:[0-9a-f]{64})\. It was thrown away/,
  ],
  [
    'something that cannot be unpacked',
    ({ files }) => {
      const text = Buffer.from('no archive at all');
      files.set(pathOf('ffmpeg'), { content: text }).set(`${pathOf('ffmpeg')}.sha256`, checksum(text));
    },
    /cannot be unpacked: incorrect header check/,
  ],
];

test.each(wrongs)('%s is an error, and nothing is left', async (_what, spoil, message) => {
  spoil(mirror);
  await expect(install('ffmpeg')).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(/./),
  });
  expect(left()).toEqual([]);
});

test('an archive without the program, and one that is damaged', async () => {
  for (const [content, message] of [
    [zip.subarray(0, 200), 'cannot be unpacked'],
    [scriptZipOf('other'), 'holds no browser'],
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

test('a program that does not pass its trial is not kept, and what was there before is', async () => {
  const { path } = await install('ffmpeg');
  const before = readFileSync(path, 'utf8');
  const other = gzipSync('#!/bin/sh\nexit 1\n');
  mirror.files.set(pathOf('ffmpeg'), { content: other }).set(`${pathOf('ffmpeg')}.sha256`, checksum(other));
  const check = () => Promise.reject(new Error('it does not start'));
  await expect(install('ffmpeg', { force: true, check })).rejects.toThrow('it does not start');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('offline, and nobody there', async () => {
  const nobody = { ...build('ffmpeg'), url: 'http://framework.invalid/ffmpeg.gz' };
  const options = { into, machine, env: {}, isMirror: false, check: async () => undefined };
  await expect(installBuild(nobody, options)).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(/^framework\.invalid cannot be reached: this machine seems to be offline/),
  });
  await mirror.close();
  await expect(install('ffmpeg')).rejects.toThrow(/127\.0\.0\.1:\d+ does not answer \(ECONNREFUSED\)/);
});

/** Tunnels every connection to the mirror, or answers with a status of its own. */
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

test('the proxy of the environment is used, and blamed when it refuses', async () => {
  const far = { ...build('ffmpeg'), url: `http://framework.invalid${pathOf('ffmpeg')}` };
  const options = { into, machine, isMirror: true, check: async () => undefined };
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

test('a proxy that is not there, and one whose name makes no sense', async () => {
  await expect(install('ffmpeg', { env: { HTTP_PROXY: 'http://127.0.0.1:1' } })).rejects.toMatchObject({
    code: 'download_failed',
    hint: expect.stringContaining('The environment names a proxy'),
  });
  await expect(install('ffmpeg', { env: { HTTP_PROXY: 'nonsense' } })).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringContaining('The proxy of the environment cannot be used'),
  });
  expect(left()).toEqual([]);
});

test('a disk that is too small is told before anything is written', async () => {
  const huge = { ...build('ffmpeg'), unpackedBytes: 1e15 };
  const options = { into, machine, env: {}, isMirror: true, check: async () => undefined };
  await expect(installBuild(huge, options)).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/ has \d+ MB free, and \d+ MB are needed\.$/),
    hint: expect.stringContaining('--into'),
  });
  expect(left()).toEqual([]);
});

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('a disk that fills up meanwhile', async () => {
  mkdirSync(into);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', into]);
  onTestFinished(() => void execFileSync('umount', [into]));
  const zeros = gzipSync(Buffer.alloc(5_000_000));
  mirror.files.set(pathOf('ffmpeg'), { content: zeros }).set(`${pathOf('ffmpeg')}.sha256`, checksum(zeros));
  await expect(install('ffmpeg')).rejects.toMatchObject({ code: 'disk_full', hint: expect.stringContaining('--into') });
  expect(left()).toEqual([]);
});

test('a folder that cannot be written', async () => {
  writeFileSync(into, 'a file');
  await expect(install('ffmpeg')).rejects.toMatchObject({ code: 'output_unwritable' });
});

test('what was set up is listed with its size, and removed without what else lies there', async () => {
  await install('browser');
  await install('ffmpeg');
  writeFileSync(join(into, 'notes.txt'), 'mine');
  expect(await listSetUp(into)).toMatchObject([
    { program: 'browser', version: '153.0.8010.12' },
    { program: 'ffmpeg', version: 'b6.1.1', bytes: 36 },
  ]);
  expect(await removeSetUp(into, ['ffmpeg'])).toMatchObject([{ program: 'ffmpeg', bytes: 36 }]);
  expect(left()).toHaveLength(2);
  await removeSetUp(into, ['browser', 'ffmpeg']);
  expect(left()).toEqual(['notes.txt']);
});

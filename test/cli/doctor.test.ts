// `framework doctor`: the diagnosis of different machines, and its output.
import { expect, test } from 'vitest';
import { diagnose, type Probes } from '../../renderer-core/doctor/diagnose.ts';
import type { Diagnosis } from '../../renderer-core/doctor/diagnosis.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { type FontPackage, fontPackages } from '../../renderer-core/fonts/fontPackages.ts';
import type { FontsState } from '../../renderer-core/fonts/installedFonts.ts';
import type { FoundFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import { buildFor } from '../../renderer-core/setup/builds.ts';
import { schemaProblems } from '../support/schemaProblems.ts';
import { cli } from './cli.ts';

function fontsState(found: readonly FontPackage[], missing: readonly FontPackage[], hasNpm = true): FontsState {
  return { found: found.map((one) => ({ ...one, folder: '/n', source: 'embedded' as const })), missing, hasNpm };
}

const { env } = process;
const encoders: ReadonlySet<string> = new Set(['libx264', 'aac']);

const healthy: Probes = {
  nodeVersion: '22.3.0',
  browser: async () => ({
    path: '/cache/chromium',
    source: 'embedded',
    env: {},
    name: 'embedded Chromium',
    headlessShell: true,
  }),
  version: async () => 'Chromium 153.0.1',
  capture: async () => ({ path: 'paint', reason: 'the browser draws with HTML-in-canvas', version: '153.0.1' }),
  ffmpeg: async () => ({ path: '/n/node-av.node', env: {}, source: 'embedded', version: '8.1', encoders }),
  folder: async (path) => ({ path: path.includes('tmp') ? '/tmp' : '/cache', freeBytes: 50e9 }),
  fonts: async () => fontsState(fontPackages, []),
  systemFonts: async () => 12,
  machine: () => ({ cores: 4, memoryBytes: 8e9 }),
  libraries: async () => undefined,
  build: async (program) => buildFor(program, { platform: 'linux', arch: 'x64', isMusl: false }),
};

async function rowOf(name: string, probes: Partial<Probes>) {
  const { ok, rows } = await diagnose({ env, probes: { ...healthy, ...probes } });
  return { ok, ...rows.find((row) => row.name === name) };
}

test('reports ok for every row of a healthy machine', async () => {
  const { ok, rows } = await diagnose({ env, probes: healthy });
  expect(ok).toBe(true);
  expect(rows.map(({ name, status, value }) => `${status} ${name}: ${value}`).slice(0, 5)).toEqual([
    'ok Node.js: 22.3.0',
    'ok browser: Chromium 153.0.1, /cache/chromium (from the npm package)',
    'ok capture: paint: the browser draws with HTML-in-canvas',
    'ok ffmpeg: 8.1, /n/node-av.node (from the npm package)',
    'ok H.264 encoder: libx264',
  ]);
  expect(rows.some(({ fix }) => fix !== undefined)).toBe(false);
});

test('warns about another browser and ffmpeg than the pinned ones, and offers those', async () => {
  const fix = 'This is not the pinned version: frames can differ from those of other machines.';
  const capture: Probes['capture'] = async () => ({ path: 'paint', reason: 'as usual', version: '156.0.1' });
  expect(await rowOf('browser', { capture })).toEqual({
    ok: true,
    name: 'browser',
    status: 'warning',
    value: 'Chromium 156.0.1, /cache/chromium (from the npm package)',
    fix: `${fix} Run "framework setup browser", which downloads the pinned one.`,
    remedy: { program: 'browser', bytes: 119_800_000 },
  });
  const service = await diagnose({ env: {}, anyBrowser: true, probes: { ...healthy, capture } });
  expect(service.rows.find(({ name }) => name === 'browser')).toMatchObject({ status: 'ok' });
  const found: FoundFfmpeg = { path: '/bin/ffmpeg', env: {}, source: 'installed', version: '7.1', encoders };
  const ffmpeg = async () => found;
  expect(await rowOf('ffmpeg', { ffmpeg })).toMatchObject({
    ok: true,
    status: 'warning',
    remedy: { program: 'ffmpeg' },
  });
  const { rows } = await diagnose({ env, ffmpegPath: '/bin/ffmpeg', probes: { ...healthy, ffmpeg } });
  expect(rows.find(({ name }) => name === 'ffmpeg')).toMatchObject({ status: 'warning', fix });
});

test('reports a fix for everything that a render lacks', async () => {
  const none = () =>
    Promise.reject(new UserError('browser_not_found', 'No browser was found.', { hint: 'Install one.' }));
  expect(await rowOf('browser', { browser: none })).toEqual({
    ok: false,
    name: 'browser',
    status: 'missing',
    value: 'No browser was found.',
    fix: 'Install one. Or run "framework setup browser", which downloads one.',
    remedy: { program: 'browser', bytes: 119_800_000 },
  });
  expect(schemaProblems('doctor', await diagnose({ env, probes: { ...healthy, browser: none } }))).toEqual([]);
  const noLibrary = () => Promise.reject(new UserError('browser_failed', 'libnss3.so', { hint: 'Install libnss3.' }));
  const closed = () => Promise.reject(new UserError('browser_failed', 'closed', { hint: 'Run "framework doctor".' }));
  expect(await rowOf('browser', { capture: closed, version: noLibrary })).toMatchObject({
    ok: false,
    value: '/cache/chromium (from the npm package): libnss3.so',
    fix: 'Install libnss3. Or run "framework setup browser", which downloads one.',
  });
  expect(await rowOf('browser', { capture: closed })).toMatchObject({
    value: '/cache/chromium (from the npm package): closed',
    fix: 'Choose another one with --browser <path>. Or run "framework setup browser", which downloads one.',
  });
  const libraries: Probes['libraries'] = async (path) =>
    new UserError('browser_failed', `${path} lacks libnss3.so.`, { hint: 'Run: sudo apt-get install libnss3' });
  expect(await rowOf('browser', { capture: closed, libraries })).toEqual({
    ok: false,
    name: 'browser',
    status: 'missing',
    value: '/cache/chromium lacks libnss3.so.',
    fix: 'Run: sudo apt-get install libnss3',
  });
  expect(await rowOf('ffmpeg', { ffmpeg: () => Promise.reject(new Error('odd')) })).toMatchObject({
    ok: false,
    status: 'missing',
    value: 'odd',
  });
  const without: Probes['ffmpeg'] = async () => ({ ...(await healthy.ffmpeg()), encoders: new Set(['mpeg4']) });
  expect(await rowOf('H.264 encoder', { ffmpeg: without })).toMatchObject({
    ok: false,
    status: 'missing',
  });
  // No download is offered where no build exists, or where the program is already a download.
  const build: Probes['build'] = async (program) =>
    buildFor(program, { platform: 'linux', arch: 'x64', isMusl: program === 'browser' });
  expect(await rowOf('browser', { browser: none, build })).toMatchObject({
    fix: expect.stringContaining('apk add chromium'),
  });
  expect(await rowOf('browser', { browser: none, build })).not.toHaveProperty('remedy');
  const downloaded: Probes['browser'] = async () => ({
    path: '/p/chrome-headless-shell',
    source: 'set-up',
    env: {},
    name: 'chrome-headless-shell',
    headlessShell: true,
  });
  expect(await rowOf('browser', { browser: downloaded, capture: noLibrary })).toEqual({
    ok: false,
    name: 'browser',
    status: 'missing',
    value: '/p/chrome-headless-shell (downloaded by framework setup): libnss3.so',
    fix: 'Install libnss3.',
  });
  expect(await rowOf('Node.js', { nodeVersion: '20.18.1' })).toMatchObject({ ok: false, status: 'missing' });
  expect(await rowOf('Node.js', { nodeVersion: '20.19.0' })).toMatchObject({ ok: true, status: 'ok' });
});

test('requires a temporary folder, and warns about a missing cache folder', async () => {
  const unwritable = async (path: string) => ({ path, problem: 'permission denied' });
  expect(await rowOf('temporary folder', { folder: unwritable })).toMatchObject({ ok: false, status: 'missing' });
  expect(await rowOf('cache folder', { folder: unwritable })).toMatchObject({ status: 'warning' });
  const full = async (path: string) => ({ path, freeBytes: 2e8 });
  expect(await rowOf('temporary folder', { folder: full })).toMatchObject({ ok: true, status: 'warning' });
});

test('offers the download of missing fonts, which needs npm', async () => {
  expect(await rowOf('fonts', {})).toMatchObject({ status: 'ok', value: '22 packages (from the npm package)' });
  const [emoji, others] = [true, false].map((is) => fontPackages.filter(({ name }) => /emoji/.test(name) === is));
  expect(await rowOf('fonts', { fonts: async () => fontsState(others ?? [], emoji ?? []) })).toMatchObject({
    status: 'ok',
    value: '21 packages (from the npm package); the other 1 are downloaded on first use',
  });
  const missing = fontPackages.filter(({ name }) => name === '@fontsource/arimo');
  const found = fontPackages.filter(({ name }) => name !== '@fontsource/arimo');
  expect(await rowOf('fonts', { fonts: async () => fontsState(found, missing) })).toEqual({
    ok: true,
    name: 'fonts',
    status: 'warning',
    value: '21 of 22 packages',
    fix: 'The others are downloaded on first use. Or run "framework setup fonts" to download them now.',
    remedy: { program: 'fonts', bytes: 2_331_821 },
  });
  expect(await rowOf('fonts', { fonts: async () => fontsState(found, missing, false) })).toEqual({
    ok: false,
    name: 'fonts',
    status: 'missing',
    value: '21 of 22 packages, and no npm to download the others',
    fix: 'Install npm, which is part of Node.js (https://nodejs.org), and run "framework setup fonts". Or render with --system-fonts.',
  });
});

test('a machine without system fonts can render', async () => {
  const systemFonts = async () => 0;
  const browser: Probes['browser'] = async () => ({ ...(await healthy.browser()), source: 'installed' });
  expect(await rowOf('system fonts', { systemFonts, browser })).toMatchObject({
    ok: true,
    status: 'ok',
    value: 'none installed (with --system-fonts, text may be invisible)',
  });
});

test('warns about little memory', async () => {
  expect(await rowOf('machine', { machine: () => ({ cores: 1, memoryBytes: 1e9 }) })).toMatchObject({
    ok: true,
    status: 'warning',
    value: '1 core, 1.0 GB of memory',
  });
});

const diagnosis: Diagnosis = {
  ok: false,
  rows: [
    { name: 'Node.js', status: 'ok', value: '22.3.0' },
    { name: 'browser', status: 'missing', value: 'none', fix: 'Install one.' },
    { name: 'fonts', status: 'warning', value: 'none', fix: 'Install some.' },
  ],
};

test('prints a table with fixes, and exits with 1 if the machine cannot render', async () => {
  const engine = { diagnose: async () => diagnosis };
  expect(await cli(['doctor'], { engine })).toEqual({
    status: 1,
    stderr: '',
    stdout: [
      '✔ Node.js  22.3.0',
      '✖ browser  none',
      '! fonts    none',
      '',
      'To fix:',
      '✖ browser: Install one.',
      '! fonts: Install some.',
      '',
      'This machine cannot render yet.',
      '',
    ].join('\n'),
  });
  const json = await cli(['doctor', '--json'], { engine });
  expect(json.status).toBe(1);
  expect(JSON.parse(json.stdout)).toEqual(diagnosis);
  const well = await cli(['doctor'], {
    engine: { diagnose: async () => ({ ok: true, rows: diagnosis.rows.slice(0, 1) }) },
  });
  expect(well).toEqual({ status: 0, stderr: '', stdout: '✔ Node.js  22.3.0\n\nThis machine can render.\n' });
});

test('passes --browser and --ffmpeg on', async () => {
  let seen: unknown;
  const engine = {
    diagnose: async (options: unknown) => {
      seen = options;
      return diagnosis;
    },
  };
  await cli(['doctor', '--browser=/b', '--ffmpeg', '/f'], { engine });
  expect(seen).toMatchObject({ browserPath: '/b', ffmpegPath: '/f' });
});

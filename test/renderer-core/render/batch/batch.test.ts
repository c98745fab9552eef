// Batches of real renders: the content of the videos and the manifest, also after failures, kills and resuming.
// It is longer than 400 lines because all of it reads the same manifests.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { UserError } from '../../../../renderer-core/errors.ts';
import type { BatchEvent, BatchReport, BatchResult } from '../../../../renderer-core/render/batch/batchReport.ts';
import type { BatchRequest } from '../../../../renderer-core/render/batch/batchTypes.ts';
import type { ManifestFile } from '../../../../renderer-core/render/batch/manifestFile.ts';
import { planBatch } from '../../../../renderer-core/render/batch/renderBatch.ts';
import { renderBatch, renderVideo } from '../../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { indexIsFirst } from '../../../support/renders/movieBoxes.ts';
import { processesBelow } from '../../../support/renders/processes.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';
import { decode, hex } from '../../../support/renders/video.ts';
import { silence } from '../../../support/renders/wav.ts';
import { core, soak } from '../../../support/suites.ts';

const red = '#ff0000';
const card = (body = '', duration = 0.1) =>
  composition(`<div style="position:absolute;inset:0;background:var(--color)"></div>${body}`, {
    duration,
    variables: [
      { id: 'color', type: 'color', label: 'Color', default: '#000000' },
      { id: 'name', type: 'string', label: 'Name', default: '' },
    ],
  });
const throws = '<script>if (__framework.getVariables().name === "bad") throw new Error("not this one");</script>';

let out = '';
beforeEach(() => {
  out = temporaryFolder();
});

const rows = (...names: string[]) => names.map((name) => ({ name, color: red }));

type Ran = { results: BatchResult[]; report: BatchReport; events: BatchEvent[]; manifest: ManifestFile };

async function run(request: Omit<BatchRequest, 'output'>, output = join(out, '{name}.mp4')): Promise<Ran> {
  const results: BatchResult[] = [];
  const events: BatchEvent[] = [];
  const batch = renderBatch({ output, onEvent: (event) => events.push(event), ...request });
  for (;;) {
    const next = await batch.next();
    if (next.done) return { results, report: next.value, events, manifest: readManifest() };
    results.push(next.value);
  }
}

/** Why rows would be rendered again. */
async function reasonsOf(request: Omit<BatchRequest, 'output'>, output = join(out, '{name}.mp4')): Promise<string[]> {
  const { reasons } = await planBatch({ output, resume: true, ...request }, surroundings);
  return [...reasons].map(([row, reason]) => `${row}: ${reason}`);
}

const readManifest = (): ManifestFile => JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
const statuses = ({ rows: all }: ManifestFile) => all.map(({ status }) => status);

/** Colors in the middle of the first and the last frame of a video with three frames. */
async function expectColor(file: string, color: string): Promise<void> {
  const frames = await decode(file, 64, 48);
  expect(frames).toHaveLength(3);
  const [r = 0, g = 0, b = 0] = frames[2]?.at(32, 24) ?? [];
  const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  for (const [at, value] of [r, g, b].entries()) expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThan(8);
  expect(hex(frames[0], 32, 24)).toBe(hex(frames[2], 32, 24));
}

test('renders the requested rows, and keeps what the manifest says about the others', async () => {
  const projectDir = project(card(throws));
  const first = await run({ projectDir, rows: rows('a', 'bad', 'c', 'd') });
  expect(statuses(first.manifest)).toEqual(['completed', 'failed', 'completed', 'completed']);
  rmSync(join(out, 'c.mp4'));
  // A new row moves the others; they are identified by their outputs.
  const second = await run({ projectDir, rows: rows('new', 'a', 'bad', 'c', 'd'), indices: [0, 3] });
  expect(second.results.map(({ index }) => index)).toEqual([0, 3]);
  expect(second.report).toMatchObject({ total: 2, completed: 2, failed: 0, resumed: 0 });
  expect(second.events.filter(({ type }) => type === 'rows').at(-1)).toMatchObject({ total: 2, completed: 2 });
  expect(second.manifest).toMatchObject({ total: 5, completed: 4, failed: 1 });
  expect(statuses(second.manifest)).toEqual(['completed', 'completed', 'failed', 'completed', 'completed']);
  expect(second.manifest.rows[1]).toMatchObject({ ...first.manifest.rows[0], index: 1, inputs: expect.anything() });
  expect(existsSync(join(out, 'c.mp4'))).toBe(true);
  const third = await run({ projectDir, rows: rows('new', 'a', 'bad', 'c', 'd'), indices: [3, 1], resume: true });
  expect(third.report).toMatchObject({ total: 2, completed: 2, resumed: 2 });
});

test('renders each row with its own values, one or two rows at a time', core, async () => {
  const projectDir = project(card());
  const colors = ['#ff0000', '#00ff00', '#808080'];
  const values = colors.map((color, at) => ({ name: `n${at}`, color }));
  for (const concurrency of [1, 2]) {
    const { report, results, manifest, events } = await run({ projectDir, rows: values, concurrency });
    expect(report).toMatchObject({ total: 3, completed: 3, failed: 0, skipped: 0, resumed: 0 });
    expect(results.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
    expect(manifest).toMatchObject({ version: 1, batch: null, total: 3, completed: 3 });
    expect(manifest.rows[1]).toMatchObject({ index: 1, status: 'completed', durationMs: 100, error: null });
    for (const [at, color] of colors.entries()) await expectColor(join(out, `n${at}.mp4`), color);
    expect(events.filter(({ type }) => type === 'row')).toHaveLength(6);
    const running = events.flatMap((event) => (event.type === 'rows' ? [event.running] : []));
    // While one row is captured, the file of the row before it may still be encoded.
    expect(Math.max(...running)).toBeGreaterThanOrEqual(concurrency);
    expect(Math.max(...running)).toBeLessThanOrEqual(2 * concurrency);
  }
  expect(readdirSync(out).sort()).toEqual(['manifest.json', 'n0.mp4', 'n1.mp4', 'n2.mp4']);
});

test('writes the same bytes for a row as for a separate render', async () => {
  const projectDir = project(
    card(
      `<style>@keyframes go{from{transform:translateX(-9px)}to{transform:none}} h1{animation:go .3s both;color:#fff}</style>
       <h1 data-var-text="name"></h1>`,
      0.3,
    ),
  );
  const values = rows('a', 'b', 'c', 'd');
  await run({ projectDir, rows: values, capture: 'paint' });
  for (const variables of [values[0], values[3]]) {
    const output = join(temporaryFolder(), 'single.mp4');
    await renderVideo({ projectDir, variables: variables ?? {}, output, capture: 'paint' });
    expect(readFileSync(output).equals(readFileSync(join(out, `${variables?.name}.mp4`)))).toBe(true);
    expect(indexIsFirst(readFileSync(output))).toBe(true);
  }
});

test('captures a row as a separate render does if one of its last frames is painted wrong', async () => {
  const side = (color: string, angle: number) =>
    `<i style="position:absolute;inset:0;background:${color};transform:rotateY(${angle}deg)"></i>`;
  const cards = `<div style="position:absolute;inset:0;transform-style:preserve-3d">${side('#f00', 45)}${side('#00f', -45)}</div>`;
  const script = `<script>if (__framework.getVariables().name === 'd')
    setTimeout(() => { root.innerHTML += '${cards}'; }, 350)</script>`;
  const projectDir = project(card(`<p style="color:white">Hello</p>${script}`, 0.5));
  const values = rows('a', 'd');
  const { results } = await run({ projectDir, rows: values, fps: '10' });
  const paths = results.map((result) => 'report' in result && result.report.capture.path);
  expect(paths).toEqual(['paint', 'screenshot']);
  const output = join(temporaryFolder(), 'single.mp4');
  await renderVideo({ projectDir, variables: values[1] ?? {}, output, fps: '10' });
  expect(readFileSync(output).equals(readFileSync(join(out, 'd.mp4')))).toBe(true);
});

test('keeps state of a row out of the other rows', async () => {
  const leave = `
    const around = window[Symbol.for('framework.parent')];
    const found = [around.left, localStorage.getItem('left'), around.document.querySelector('i')];
    if (found.some(Boolean)) throw new Error('not alone');
    around.left = 1;
    localStorage.setItem('left', '1');
    if (__framework.getVariables().name === 'b') around.document.body.append(around.document.createElement('i'));`;
  const { report } = await run({
    projectDir: project(card(`<script>${leave}</script>`)),
    rows: rows('a', 'b', 'c'),
  });
  expect(report).toMatchObject({ completed: 3, failed: 0 });
});

test('continues with other rows after a row fails', core, async () => {
  const { report, results, manifest } = await run({ projectDir: project(card(throws)), rows: rows('a', 'bad', 'c') });
  expect(report).toMatchObject({ completed: 2, failed: 1 });
  expect(statuses(manifest)).toEqual(['completed', 'failed', 'completed']);
  const message = expect.stringContaining('not this one');
  expect(manifest.rows[1]?.error).toMatchObject({ code: 'script_error', message });
  expect(results[1]).toMatchObject({ index: 1, status: 'failed', error: { code: 'script_error', message } });
  expect(readdirSync(out).sort()).toEqual(['a.mp4', 'c.mp4', 'manifest.json']);
});

test('fails only the row that references a missing file', async () => {
  const projectDir = project(card('<img data-var-src="name">'));
  const { manifest } = await run({ projectDir, rows: rows('', 'no.png', '') }, join(out, '{index}.mp4'));
  expect(statuses(manifest)).toEqual(['completed', 'failed', 'completed']);
  expect(manifest.rows[1]?.error).toMatchObject({ code: 'asset_missing' });
});

test('skips rows that have not started with failFast', async () => {
  const projectDir = project(card(throws));
  const { report, manifest } = await run({ projectDir, rows: rows('bad', 'b', 'c'), failFast: true });
  expect(report).toMatchObject({ completed: 0, failed: 1, skipped: 2 });
  expect(statuses(manifest)).toEqual(['failed', 'skipped', 'skipped']);
  expect(readdirSync(out)).toEqual(['manifest.json']);
});

test('fails only one row when the browser crashes', async () => {
  const projectDir = project(card('', 5));
  const results: BatchResult[] = [];
  let killed = false;
  const batch = renderBatch({
    projectDir,
    rows: rows('a', 'b', 'c'),
    output: join(out, '{name}.mp4'),
    onEvent(event) {
      if (killed || event.type !== 'row' || event.index !== 1 || event.status !== 'running') return;
      killed = true;
      for (const pid of browsersBelow(process.pid)) kill(pid);
    },
  });
  for await (const result of batch) results.push(result);
  expect(results.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
  expect(results[1]).toMatchObject({ error: { code: 'browser_failed' } });
});

test('resumes with rows whose output is missing, incomplete or from other inputs', core, async () => {
  const projectDir = project(card());
  const names = rows('a', 'b', 'c', 'd');
  await run({ projectDir, rows: names });
  rmSync(join(out, 'a.mp4'));
  writeFileSync(join(out, 'b.mp4'), 'not a video');
  const changed = names.map((row, at) => (at === 2 ? { ...row, color: '#00ff00' } : row));
  const { report, results, manifest } = await run({ projectDir, rows: changed, resume: true });
  expect(report).toMatchObject({ completed: 4, resumed: 1 });
  expect(results.map(({ index }) => index)).toEqual([0, 1, 2]);
  await expectColor(join(out, 'b.mp4'), red);
  await expectColor(join(out, 'c.mp4'), '#00ff00');
  expect(statuses(manifest)).toEqual(['completed', 'completed', 'completed', 'completed']);
  writeFileSync(join(projectDir, 'index.html'), card('<!-- other -->'));
  expect(await reasonsOf({ projectDir, rows: changed })).toHaveLength(4);
});

const box = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect fill="${color}"/></svg>`;

/** Each row shows its own photo, and a logo of all rows; a script looks for a file that may not exist. */
function gallery(): string {
  const body = `<link rel="stylesheet" href="style.css"><p class="logo"></p><img data-var-src="photo">
    <div data-composition-id="part" data-composition-src="parts/part.html"></div>
    <script>fetch('data.json'); fetch('hint.json', { method: 'HEAD' });</script>`;
  return project({
    'index.html': composition(body, {
      duration: 0.1,
      variables: [{ id: 'photo', type: 'string', label: 'Photo', default: 'a.svg' }],
    }),
    'parts/part.html': '<template><div data-composition-id="part"><p class="part"></p></div></template>',
    'style.css': '.logo{width:8px;height:8px;background:url(logo.svg)}',
    'data.json': '{}',
    ...{ 'logo.svg': box('red'), 'a.svg': box('green'), 'b.svg': box('blue') },
  });
}

test('renders rows again whose files have changed, and reports the reasons', async () => {
  const projectDir = gallery();
  const photos = ['a.svg', 'b.svg', 'a.svg'].map((photo) => ({ photo }));
  const output = join(out, '{index}.mp4');
  const again = (request: Partial<BatchRequest> = {}) => reasonsOf({ projectDir, rows: photos, ...request }, output);
  const every = (reason: string) => photos.map((_, row) => `${row}: ${reason}`);
  const write = (name: string, text: string) => writeFileSync(join(projectDir, name), text);

  const { manifest, events } = await run({ projectDir, rows: photos }, output);
  expect(events.filter(({ type }) => type === 'rerender')).toEqual([]);
  // Rows after the second one get the logo from the browser's cache.
  for (const [at, { inputs }] of manifest.rows.entries()) {
    const files = inputs?.files.map((index) => manifest.files?.[index]) ?? [];
    const shared = ['data.json', 'hint.json', 'index.html', 'logo.svg', 'parts/part.html', 'style.css'];
    expect(files.map((file) => file?.path).sort()).toEqual([photos[at]?.photo, ...shared]);
    for (const file of files)
      expect(file?.sha256).toEqual(file?.path === 'hint.json' ? null : expect.stringMatching(/^\w{64}$/));
  }

  write('notes.txt', 'a note');
  write('report.json', '{}');
  expect(await again()).toEqual([]);
  expect(await again({ quality: 'draft' })).toEqual(every('options changed'));
  expect(await again({ rows: [{ photo: 'b.svg' }, ...photos.slice(1)] })).toEqual(['0: variables changed']);
  write('b.svg', box('white'));
  expect(await again()).toEqual(['1: b.svg changed']);
  write('b.svg', box('blue'));
  write('parts/part.html', '<template><div data-composition-id="part"></div></template>');
  expect(await again({ resume: 'completed' })).toEqual([]);
  write('logo.svg', box('black'));
  write('hint.json', '{}');
  rmSync(join(out, '2.mp4'));
  const { results, events: reported } = await run({ projectDir, rows: photos, resume: true }, output);
  const changes = ['hint.json was added', 'logo.svg changed', 'parts/part.html changed'];
  const reasons = results.sort((one, other) => one.index - other.index).map(({ reason }) => reason ?? '');
  expect(reasons.slice(0, 2).map((reason) => reason.split(', ').sort())).toEqual([changes, changes]);
  expect(reasons[2]).toBe('the output is missing');
  expect(reported.flatMap((event) => (event.type === 'rerender' ? [event.reason] : []))).toEqual(reasons);
  expect(await again()).toEqual([]);
});

test('renders a row again whose sound has changed', async () => {
  const projectDir = project({ 'index.html': card('<audio src="a.wav" data-start="0"></audio>'), 'a.wav': silence(1) });
  const request = { projectDir, rows: rows('a') };
  await run(request);
  expect(await reasonsOf(request)).toEqual([]);
  writeFileSync(join(projectDir, 'a.wav'), silence(2));
  expect(await reasonsOf(request)).toEqual(['0: a.wav changed']);
});

test('renders rows again that another engine has rendered', async () => {
  const request = { projectDir: project(card()), rows: rows('a', 'b') };
  const { manifest } = await run(request);
  const [first, second] = manifest.rows;
  expect(first?.engine).toEqual({
    browser: { version: expect.stringMatching(/^153\./), source: 'embedded' },
    ffmpeg: { version: expect.stringMatching(/^8\./), source: 'embedded' },
  });
  const other = { ...first, engine: { ...first?.engine, ffmpeg: { version: '7.1', source: 'installed' } } };
  writeFileSync(join(out, 'manifest.json'), JSON.stringify({ ...manifest, rows: [other, second] }));
  expect(await reasonsOf(request)).toEqual(['0: the browser or FFmpeg changed']);
  expect(await reasonsOf({ ...request, resume: 'completed' })).toEqual([]);
});

test('ignores outputs inside the project when it compares inputs', async () => {
  const projectDir = project(card());
  out = join(projectDir, 'renders');
  expect((await run({ projectDir, rows: rows('a', 'b') })).report.completed).toBe(2);
  expect(await reasonsOf({ projectDir, rows: rows('a', 'b') })).toEqual([]);
});

test('sets cancelled rows back to pending', async () => {
  const controller = new AbortController();
  const projectDir = project(card('', 60));
  const work = run({
    projectDir,
    rows: rows('a', 'b'),
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === 'row') setTimeout(() => controller.abort(), 1500);
    },
  });
  const error = await work.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ code: 'cancelled', message: expect.stringContaining('0 of 2 rows are completed') });
  expect(statuses(readManifest())).toEqual(['pending', 'pending']);
  expect(readdirSync(out)).toEqual(['manifest.json']);
});

test('stops all renders when the caller leaves the loop', async () => {
  const batch = renderBatch({
    projectDir: project(card()),
    rows: rows('a', 'b', 'c'),
    output: join(out, '{name}.mp4'),
  });
  for await (const { index } of batch) {
    expect(index).toBe(0);
    break;
  }
  expect(statuses(readManifest())).toContain('pending');
  expect(processesBelow(process.pid)).toEqual([]);
});

test('renders nothing when a row is invalid', async () => {
  const request = { projectDir: project(card()), rows: [{ name: 'a' }, {}, { name: 'A' }] };
  const error = await run(request).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'batch_invalid', problems: [{ row: 1 }, { row: 2 }] });
  const strict = await run({ ...request, rows: [{ name: 'a', color: 'red' }], strictVariables: true }).catch((e) => e);
  expect(strict).toMatchObject({ code: 'variables_invalid', problems: [{ row: 0 }] });
  expect(readdirSync(out)).toEqual([]);
  writeFileSync(join(out, 'manifest.json'), '{"name":"an app"}');
  const foreign = await run({ ...request, rows: rows('a') }).catch((cause: unknown) => cause);
  expect(foreign).toMatchObject({ code: 'output_unwritable', message: expect.stringContaining('is not the manifest') });
  expect(readdirSync(out)).toEqual(['manifest.json']);
});

// --- the command line --------------------------------------------------------------------------------------------------

const cli = join(import.meta.dirname, '../../../../dist/cli.js');

function start(projectDir: string, batch: string, ...options: string[]): ChildProcess {
  const args = [cli, 'render', projectDir, '--batch', batch, '-o', join(out, '{name}.mp4'), ...options];
  return spawn(process.execPath, args, { stdio: 'ignore' });
}

function batchFile(count: number): string {
  const file = join(temporaryFolder(), 'rows.json');
  const hue = (at: number) => `#${((at * 0x123457) % 0x1000000).toString(16).padStart(6, '0')}`;
  writeFileSync(
    file,
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ name: `row ${at}`, color: hue(at) }))),
  );
  return file;
}

/** Milliseconds until each kill: fixed times, or with `KILLS=20` that number of random times. */
const kills = Number(process.env.KILLS ?? 0);
const waits = kills > 0 ? Array.from({ length: kills }, () => 200 + 8000 * Math.random()) : [300, 1700, 2600];

test('resumes after it was killed at any time', { ...soak, timeout: 180_000 + 60_000 * kills }, async () => {
  const projectDir = project(card());
  const batch = batchFile(8 + 6 * kills);
  for (const wait of waits) {
    const child = start(projectDir, batch, '--resume');
    await Promise.race([once(child, 'exit'), sleep(wait)]);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    if (!existsSync(join(out, 'manifest.json'))) continue;
    for (const { status, output, bytes } of readManifest().rows) {
      if (status === 'completed') expect(statSync(output).size).toBe(bytes);
    }
  }
  const [status] = (await once(start(projectDir, batch, '--resume'), 'exit')) as [number];
  expect(status).toBe(0);
  const values = JSON.parse(readFileSync(batch, 'utf8')) as { name: string; color: string }[];
  const names = values.map(({ name }) => `${name}.mp4`);
  expect(readdirSync(out).sort()).toEqual([...names, 'manifest.json'].sort());
  for (const { name, color } of values) await expectColor(join(out, `${name}.mp4`), color);
  expect(statuses(readManifest())).toEqual(values.map(() => 'completed'));
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended together with its parent.
  }
}

/** Only the folders of browsers. Encoders use the same parent folder. */
const browsersBelow = (pid: number): number[] =>
  processesBelow(pid)
    .filter(({ line }) => line.includes('/profile-'))
    .map((one) => one.pid);

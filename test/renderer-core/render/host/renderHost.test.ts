// The render host, as a process of its own: it renders and takes snapshots like this process, and leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBrowser } from '../../../../renderer-core/capture/findBrowser.ts';
import { renderWithHost, snapshotWithHost } from '../../../../renderer-core/render/host/hostClient.ts';
import type { SnapshotRequest } from '../../../../renderer-core/render/snapshot/takeSnapshot.ts';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { renderVideo, takeSnapshot } from '../../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { processesBelow, processesWith } from '../../../support/renders/processes.ts';
import { surroundings } from '../../../support/renders/surroundings.ts';

let cache: string;
let owner: ChildProcess;

beforeEach(() => {
  cache = temporaryFolder();
  owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
});

afterEach(async () => {
  owner.kill('SIGKILL');
  await expect.poll(hosts, { timeout: 60_000 }).toEqual([]);
});

const user = () => ({ ...surroundings, owner: owner.pid ?? 0, env: { ...process.env, FRAMEWORK_CACHE: cache } });
const render = (request: RenderRequest) => renderWithHost(request, user());
const snapshot = (request: SnapshotRequest) => snapshotWithHost(request, user());

/** Process IDs of this test's hosts. */
const hosts = (): number[] => processesWith(join(cache, 'host')).map(({ pid }) => pid);

const browsersOf = (pid: number): number[] =>
  processesBelow(pid).flatMap((one) => (one.line.includes('--type=') ? [] : [one.pid]));

const foldersOf = (pid: number): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`framework-render-${pid}-`));

/** Shows whether a page before it has stored something. */
const remembering = composition(`<p id="mark" style="color:#fff;margin:0">0</p><script>
  if (document.cookie + Object.keys(localStorage)) document.getElementById("mark").style.color = "#f00";
  document.cookie = "seen=1; path=/";
  localStorage.seen = "1";
</script>`);

const long = composition('<p style="color:#fff">Long</p>', { duration: 60 });

test('renders again in the same browser, with the bytes of a render without host', async () => {
  const projectDir = project(remembering);
  const folder = temporaryFolder();
  const own = await renderVideo({ projectDir, output: join(folder, 'own.mp4') });
  const first = await render({ projectDir, output: join(folder, 'first.mp4') });
  const [host = 0, ...others] = hosts();
  expect(others).toEqual([]);
  const browsers = browsersOf(host);
  expect(browsers).toHaveLength(1);
  const stages: string[] = [];
  const onEvent: RenderRequest['onEvent'] = (event) => event.type === 'stage' && stages.push(event.stage);
  const second = await render({ projectDir, output: join(folder, 'second.mp4'), onEvent });
  expect(stages).toContain('capture');
  expect(hosts()).toEqual([host]);
  expect(browsersOf(host)).toEqual(browsers);
  const bytes = ({ output }: { output: string }) => readFileSync(output).toString('base64');
  expect(bytes(first)).toBe(bytes(own));
  expect(bytes(second)).toBe(bytes(own));
  const varying = { elapsedMs: 0, firstFrameMs: 0, output: '', workers: own.workers };
  expect({ ...second, ...varying }).toEqual({ ...own, ...varying });
});

test('takes snapshots in the browser of its renders, with the bytes of a snapshot without host', async () => {
  const projectDir = project(remembering);
  const folder = temporaryFolder();
  const request = { projectDir, at: ['5f'], maxSide: 64 };
  const own = await takeSnapshot({ ...request, output: join(folder, 'own.png') });
  await render({ projectDir, output: join(folder, 'video.mp4') });
  const [host = 0] = hosts();
  const browsers = browsersOf(host);
  const stages: string[] = [];
  const onEvent: SnapshotRequest['onEvent'] = (event) => event.type === 'stage' && stages.push(event.stage);
  const hosted = await snapshot({ ...request, output: join(folder, 'hosted.png'), onEvent });
  expect(stages).toContain('capture');
  expect(hosts()).toEqual([host]);
  expect(browsersOf(host)).toEqual(browsers);
  const [a, b] = [own.pictures[0], hosted.pictures[0]];
  expect({ ...b, output: '' }).toEqual({ ...a, output: '' });
  expect(readFileSync(b?.output ?? '')).toEqual(readFileSync(a?.output ?? ''));
  await expect(snapshot({ ...request, at: ['9'], output: join(folder, 'late.png') })).rejects.toMatchObject({
    code: 'usage',
  });
});

test('finds its programs again when they have changed', async () => {
  const folder = temporaryFolder();
  const browserPath = join(folder, 'browser');
  const { path } = await findBrowser({ env: process.env });
  symlinkSync(path, browserPath);
  const request = { projectDir: project(remembering), browserPath };
  await render({ ...request, output: join(folder, 'a.mp4') });
  rmSync(browserPath);
  await expect(render({ ...request, output: join(folder, 'b.mp4') })).rejects.toMatchObject({
    code: 'browser_not_found',
  });
  symlinkSync(path, browserPath);
  await render({ ...request, output: join(folder, 'c.mp4') });
  expect(hosts()).toHaveLength(1);
});

test('ends with its owner, and removes its browser and its files', async () => {
  await render({ projectDir: project(remembering), output: join(temporaryFolder(), 'a.mp4') });
  const [host = 0] = hosts();
  owner.kill('SIGKILL');
  await expect.poll(hosts, { timeout: 60_000 }).toEqual([]);
  expect(processesBelow(host)).toEqual([]);
  expect(foldersOf(host)).toEqual([]);
  expect(readdirSync(join(cache, 'host'))).toEqual([]);
});

test('removes the files of a cancelled render, and renders the next one', async () => {
  const output = temporaryFolder();
  const controller = new AbortController();
  const onEvent: RenderRequest['onEvent'] = ({ type }) => type === 'frames' && controller.abort();
  const { signal } = controller;
  const request = { projectDir: project(long), output: join(output, 'a.mp4') };
  await expect(render({ ...request, signal, onEvent })).rejects.toMatchObject({ code: 'cancelled' });
  const [host = 0] = hosts();
  expect(readdirSync(output)).toEqual([]);
  expect(browsersOf(host)).toEqual([]);
  await render({ projectDir: project(remembering), output: join(output, 'b.mp4') });
  expect(readdirSync(output)).toEqual(['b.mp4']);
  expect(hosts()).toEqual([host]);
});

test('renders in its own process when the host is killed, and starts another one for the next render', async () => {
  const folder = temporaryFolder();
  let killed = 0;
  const onEvent: RenderRequest['onEvent'] = ({ type }) => {
    if (type !== 'frames' || killed) return;
    const [host] = hosts();
    if (host === undefined) throw new Error('No host renders.');
    killed = host;
    process.kill(host, 'SIGKILL');
  };
  const projectDir = project(remembering);
  const report = await render({ projectDir, output: join(folder, 'a.mp4'), onEvent });
  expect(report.frames).toBe(30);
  expect(readdirSync(folder).filter((name) => name === 'a.mp4')).toHaveLength(1);
  expect(hosts()).toEqual([]);
  await render({ projectDir, output: join(folder, 'b.mp4') });
  expect(hosts()).not.toEqual([]);
});

test('reports the errors of a composition, and renders two at the same time', async () => {
  const folder = temporaryFolder();
  const broken = project(composition('<script>\nnope();</script>'));
  const projectDir = project(remembering);
  await expect(render({ projectDir: broken, output: join(folder, 'a.mp4') })).rejects.toMatchObject({
    name: 'UserError',
    code: 'script_error',
    place: { file: 'index.html', line: 5 },
  });
  const outputs = ['b.mp4', 'c.mp4'].map((name) => join(folder, name));
  await Promise.all(outputs.map((output) => render({ projectDir, output })));
  expect(readdirSync(folder)).toEqual(['b.mp4', 'c.mp4']);
});

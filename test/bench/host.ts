// npm run bench:host: the time from the request to the file, for a first render and for repeated ones with the render host.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderWithHost } from '../../renderer-core/render/host/hostClient.ts';
import { surroundings } from '../support/renders/surroundings.ts';
import { chooseCases, prepareProject } from './cases.ts';
import { figure, median, table } from './table.ts';

const rounds = 5;
const cli = join(import.meta.dirname, '../../dist/cli.js');
const folder = await mkdtemp(join(tmpdir(), 'framework-bench-'));
const output = join(folder, 'out.mp4');

type Ways = { terminal: number; editor: number; program: number };
type Row = { name: string; times: Ways[]; files: Set<string> };

try {
  const rows: Row[] = [];
  for (const project of [await titleCard(), ...(await cards())]) rows.push(await measureProject(project));
  console.log(resultsTable(rows));
  if (rows.some(({ files }) => files.size > 1)) throw new Error('The files differ.');
} finally {
  await rm(folder, { recursive: true, force: true });
}

type Project = { name: string; dir: string };

/** The card of the batches with 1080p and five seconds. */
async function titleCard(): Promise<Project> {
  const html = await readFile(join(import.meta.dirname, 'compositions/card/index.html'), 'utf8');
  const dir = join(folder, 'card');
  await mkdir(dir);
  const large = html
    .replaceAll('1280', '1920')
    .replaceAll('720', '1080')
    .replace('data-duration="1"', 'data-duration="5"');
  await writeFile(join(dir, 'index.html'), large);
  return { name: 'card', dir };
}

function cards(): Promise<Project[]> {
  const prepared = chooseCases(['social-card', 'lower-third'], 5).map(async (one) => {
    const dir = join(folder, one.name);
    await prepareProject(one, one.seconds, dir, 'ours');
    return { name: one.name, dir };
  });
  return Promise.all(prepared);
}

async function measureProject({ name, dir }: Project): Promise<Row> {
  const row: Row = { name, times: [], files: new Set() };
  const measure = async (render: () => Promise<unknown>): Promise<number> => {
    // The host cleans its browser after a render; people wait longer.
    await sleep(500);
    const started = performance.now();
    await render();
    const seconds = (performance.now() - started) / 1000;
    row.files.add(
      createHash('sha256')
        .update(await readFile(output))
        .digest('hex'),
    );
    return seconds;
  };
  await withHost(dir);
  for (let round = 0; round < rounds; round++) {
    const terminal = await measure(() => runCli(dir, []));
    const editor = await measure(() => runCli(dir, ['ipc']));
    const program = await measure(() => withHost(dir));
    row.times.push({ terminal, editor, program });
  }
  return row;
}

function withHost(projectDir: string): Promise<unknown> {
  return renderWithHost({ projectDir, output }, { ...surroundings, owner: process.pid });
}

/** Starts it as a shell does, or with `ipc` as the editor does. */
async function runCli(dir: string, channel: 'ipc'[]): Promise<void> {
  const args = [cli, 'render', dir, '--output', output, '--progress=ndjson', '--quiet'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', ...channel] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`framework render ended with ${status}`);
}

function resultsTable(rows: readonly Row[]): string {
  const time = (title: string, way: keyof Ways) => ({
    title,
    numeric: true,
    text: ({ times }: Row) => figure(median(times.map((one) => one[way])), 2),
  });
  return table<Row>(
    [
      { title: 'Composition', text: ({ name }) => name },
      time('`framework render`, s', 'terminal'),
      time('Again, from the editor, s', 'editor'),
      time('Again, from a running program, s', 'program'),
    ],
    rows,
  );
}

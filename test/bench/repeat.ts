// npm run bench:repeat: renders the same compositions again and again, and checks that path and bytes are always the same.
// Renders alternate between one page and two, because a frame must not depend on the page that draws it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import { cases, chooseCases, prepareProject } from './cases.ts';
import { renderOurs } from './ours.ts';
import { figure, median, table } from './table.ts';

const help = `npm run bench:repeat -- [composition or project folder...] [options]
  --runs N         renders of each (default: 50)
  --concurrent N   renders at the same time (default: 1)
  --nice N         run with this niceness (default: 0)
  --seconds N      render only N seconds
  --from N         start at second N (default: 0)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '50' },
    concurrent: { type: 'string', default: '1' },
    nice: { type: 'string', default: '0' },
    seconds: { type: 'string' },
    from: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

type Repeated = { name: string; project: string };
type Render = { path: string; reason: string; sha256: string; seconds: number };
type Row = { name: string; renders: Render[] };

const folder = await mkdtemp(join(tmpdir(), 'framework-bench-'));
try {
  if (values.help) console.log(help);
  else await main();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  setPriority(Number(values.nice));
  const rows: Row[] = [];
  for (const one of await chooseProjects()) rows.push({ name: one.name, renders: await repeat(one) });
  console.log(resultsTable(rows));
  for (const { name, renders } of rows) {
    for (const [result, count] of countOf(renders.map(({ path, reason, sha256 }) => `${sha256} ${path}: ${reason}`)))
      console.log(`${name}: ${count} x ${result}`);
  }
  if (rows.some(({ renders }) => countOf(renders.map(({ sha256 }) => sha256)).size > 1)) process.exitCode = 1;
}

async function chooseProjects(): Promise<Repeated[]> {
  const isCase = (name: string) => cases.some((one) => one.name.startsWith(name));
  const names = positionals.filter((name) => isCase(name) || !existsSync(name));
  const chosen = positionals.length > 0 && names.length === 0 ? [] : chooseCases(names, Number.POSITIVE_INFINITY);
  const prepared: Repeated[] = [];
  // One after another: the first creates the images that the others copy.
  for (const one of chosen) {
    const project = join(folder, one.name);
    await mkdir(project, { recursive: true });
    await prepareProject(one, one.seconds, project, 'ours');
    prepared.push({ name: one.name, project });
  }
  const given = positionals.filter((name) => !names.includes(name)).map((path) => ({ name: path, project: path }));
  return [...prepared, ...given];
}

/** Renders a project as often as requested. */
async function repeat({ name, project }: Repeated): Promise<Render[]> {
  const browser = await findBrowser({ env: process.env });
  const ffmpeg = await findFfmpeg({ env: process.env });
  const renders: Render[] = [];
  const { from, seconds: length } = values;
  const part = length === undefined ? { from } : { from, to: String(Number(from) + Number(length)) };
  const render = async (lane: number, workers: number): Promise<void> => {
    const output = join(folder, `${lane}.mp4`);
    const { report, seconds } = await renderOurs(browser, ffmpeg.path, { project, output, workers, ...part });
    const sha256 = createHash('sha256')
      .update(await readFile(output))
      .digest('hex');
    renders.push({ ...report.capture, sha256, seconds });
    console.error(`${name}: ${renders.length} of ${values.runs}, ${report.capture.path}, ${sha256.slice(0, 12)}`);
  };
  let started = 0;
  const lanes = Array.from({ length: Number(values.concurrent) }, async (_, lane) => {
    while (started < Number(values.runs)) await render(lane, 1 + (started++ % 2));
  });
  await Promise.all(lanes);
  return renders;
}

function countOf(results: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  return counts;
}

function resultsTable(rows: readonly Row[]): string {
  const distinct = (renders: readonly Render[], key: 'path' | 'sha256') =>
    String(countOf(renders.map((render) => render[key])).size);
  return table<Row>(
    [
      { title: 'Composition', text: ({ name }) => name },
      { title: 'Renders', numeric: true, text: ({ renders }) => String(renders.length) },
      { title: 'Different files', numeric: true, text: ({ renders }) => distinct(renders, 'sha256') },
      { title: 'Different paths', numeric: true, text: ({ renders }) => distinct(renders, 'path') },
      { title: 'Seconds', numeric: true, text: ({ renders }) => figure(median(renders.map(({ seconds }) => seconds))) },
    ],
    rows,
  );
}

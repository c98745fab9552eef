// Renders with one core and with all cores of this machine, and prints how many of them were busy: `npm run bench:scaling`.
// Arguments are names of compositions; `--seconds` is their length.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { type Case, chooseCases, prepareProject } from './cases.ts';
import { startCpuSampling } from './processTree.ts';

type Reading = { at: number; cpu: number };

type Scaling = { wall: number; cpu: number; captureWall: number; captureCpu: number; pages: number };

const cli = join(import.meta.dirname, '../../dist/cli.js');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    cores: { type: 'string', default: `1,${availableParallelism()}` },
  },
});
const browser = await findBrowser({ env: process.env });
const folder = await mkdtemp(join(tmpdir(), 'scaling-'));
const coreCounts = values.cores.split(',').map(Number);
try {
  console.log(
    '| Composition | Frames | Cores | Pages | Seconds | CPU seconds | Busy cores | Capture, seconds | Busy cores in capture |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const one of chooseCases(positionals, Number(values.seconds))) {
    const project = join(folder, one.name);
    await prepareProject(one, one.seconds, project, 'ours');
    const runs = coreCounts.map((): Scaling[] => []);
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [index, cores] of coreCounts.entries()) runs[index]?.push(await render(project, cores));
    for (const [index, cores] of coreCounts.entries()) printRow(one, cores, runs[index] ?? []);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function printRow(one: Case, cores: number, runs: Scaling[]): void {
  const median = (key: keyof Scaling) => runs.map((run) => run[key]).sort((a, b) => a - b)[runs.length >> 1] ?? 0;
  const cells = [
    ...[one.name, Math.round(one.seconds * 30), cores, median('pages')],
    ...[median('wall').toFixed(2), median('cpu').toFixed(2), (median('cpu') / median('wall')).toFixed(2)],
    ...[median('captureWall').toFixed(2), (median('captureCpu') / median('captureWall')).toFixed(2)],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** Renders on the first `cores` cores. Capture is from the first to the last captured frame. */
async function render(project: string, cores: number): Promise<Scaling> {
  const args = ['render', project, '--output', join(project, 'out.mp4'), '--browser', browser.path];
  const command = [process.execPath, cli, ...args, '--json', '--progress', 'ndjson'];
  const cpu = startCpuSampling();
  const read = (): Reading => ({ at: performance.now(), cpu: cpu.seconds() });
  const before = read();
  const child = spawn('taskset', ['-c', `0-${cores - 1}`, ...command], {
    env: { ...process.env, ...browser.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [first, last] = await captureTimes(child, read);
  const [code] = await ended;
  if (code !== 0) throw new Error(`The render failed: ${output}`);
  const after = read();
  cpu.stop();
  const report = JSON.parse(output);
  return {
    wall: (after.at - before.at) / 1000,
    cpu: after.cpu - before.cpu,
    captureWall: (last.at - first.at) / 1000,
    captureCpu: last.cpu - first.cpu,
    pages: (report.report ?? report).workers.count,
  };
}

async function captureTimes(child: ChildProcess, read: () => Reading): Promise<[first: Reading, last: Reading]> {
  let first: Reading | undefined;
  let last = read();
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    if (!line.startsWith('{') || JSON.parse(line).type !== 'frames') continue;
    last = read();
    first ??= last;
  }
  return [first ?? last, last];
}

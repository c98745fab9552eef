// npm run bench:serverless: measures the steps of the real Lambda function on this machine, in the doubles of AWS, and computes from
// them how long renders on AWS take and what they cost. One step runs at a time. Arguments are names of compositions.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { framesPerSecond, prepareProject } from '../cases.ts';
import { figure, table } from '../table.ts';
import { type ModelledRender, modelRender, type StageSeconds, slowed } from './serverlessModel.ts';
import {
  type MeasuredRender,
  type MeasuredStep,
  makeLonger,
  measureRender,
  memoryMb,
  type Stages,
  startBench,
} from './serverlessStages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});

/** Seconds, chunks that are measured, and chunks that are computed. */
const short = { seconds: 120, measuredChunks: 40, chunks: [16, 40, 200], target: 25 };
const hour = { seconds: 3600, measuredChunks: 200, chunks: [16, 40, 200], target: 120 };
type Video = typeof short;

const compositions = [
  { name: 'css-shapes', videos: [short, hour] },
  { name: 'text-shapes', videos: [short, hour] },
  { name: 'particles', videos: [short, hour] },
].filter(({ name }) => positionals.length === 0 || positionals.includes(name));

type Row = { name: string; video: Video; measured: MeasuredRender; stages: StageSeconds };
type Computed = Row & { chunks: number; render: ModelledRender; halfSpeed: ModelledRender };

const folder = await mkdtemp(join(tmpdir(), 'bench-serverless-projects-'));
const loads = [loadNow()];
const bench = await startBench();
try {
  const rows: Row[] = [];
  for (const { name, videos } of compositions) {
    let firstFrame: number | undefined;
    for (const video of videos) {
      const projectDir = join(folder, `${name}-${video.seconds}`);
      await prepareProject({ name }, video.seconds, projectDir, 'ours');
      await makeLonger(join(projectDir, 'index.html'), video.seconds);
      const order = { projectDir, chunks: video.measuredChunks, withFirst: firstFrame === undefined };
      const measured = await measureRender(bench, order);
      firstFrame ??= secondsUntilFrame(measured.first ?? measured.last);
      rows.push({ name, video, measured, stages: stagesOf(measured, firstFrame) });
      loads.push(loadNow());
    }
  }
  print(rows);
} finally {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
}

function loadNow(): number {
  return loadavg()[0] ?? 0;
}

function total({ stages }: MeasuredStep): number {
  return Object.values(stages).reduce((sum, seconds) => sum + seconds, 0);
}

/** Until the first frame of the chunk. */
function secondsUntilFrame({ stages }: MeasuredStep): number {
  const { wait = 0, site = 0, browser = 0, page = 0 } = stages;
  return wait + site + browser + page;
}

function stagesOf({ plan, last, lastStart, assemble }: MeasuredRender, firstFrame: number): StageSeconds {
  const { frames = 0, upload = 0 } = last.stages;
  return {
    plan: total(plan),
    firstFrame,
    passedFrame: Math.max(0, secondsUntilFrame(last) - firstFrame) / lastStart,
    frame: (frames + upload) / (last.frames - 1),
    assemble: total(assemble),
  };
}

function print(rows: readonly Row[]): void {
  const computed = rows.flatMap((row) => row.video.chunks.map((chunks) => compute(row, chunks)));
  const [cpu] = cpus();
  const load = loads.map((one) => figure(one)).join(', ');
  const machine = `${cpu?.model.trim()}, ${cpus().length} cores; load averages: ${load}`;
  if (values.json) console.log(JSON.stringify({ memoryMb, loads, rows, computed }, undefined, 2));
  else console.log(`${machine}\n\n${stepsTable(rows)}\n\n${videosTable(computed)}`);
}

function compute(row: Row, chunks: number): Computed {
  const { measured, stages } = row;
  const video = { frames: measured.frames, chunks, bytes: measured.bytes, memoryMb };
  return {
    ...row,
    chunks,
    render: modelRender({ ...video, stages }),
    halfSpeed: modelRender({ ...video, stages: slowed(stages, 2) }),
  };
}

function lengthOf({ seconds }: Video): string {
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}

function stepsTable(rows: readonly Row[]): string {
  const steps = rows.flatMap(({ name, video, measured }) => {
    const { plan, first, last, assemble } = measured;
    const all = first ? [plan, first, last, assemble] : [plan, last, assemble];
    return all.map((step) => ({ name, video, step }));
  });
  type Step = (typeof steps)[number];
  const text = (stages: Stages): string =>
    Object.entries(stages)
      .map(([stage, seconds]) => `${stage} ${figure(seconds)}`)
      .join(', ');
  return table<Step>(
    [
      { title: 'Composition', text: ({ name }) => name },
      { title: 'Video', text: ({ video }) => lengthOf(video) },
      { title: 'Step', text: ({ step }) => step.step },
      { title: 'Frames', numeric: true, text: ({ step }) => String(step.frames) },
      { title: 'Seconds', numeric: true, text: ({ step }) => figure(total(step)) },
      { title: 'Stages, s', text: ({ step }) => text(step.stages) },
    ],
    steps,
  );
}

function videosTable(computed: readonly Computed[]): string {
  const ratio = ({ video }: Computed, { seconds }: ModelledRender): string => figure(seconds / video.target, 2);
  return table<Computed>(
    [
      { title: 'Composition', text: ({ name }) => name },
      { title: 'Video', text: ({ video }) => lengthOf(video) },
      { title: 'Chunks', numeric: true, text: ({ chunks }) => String(chunks) },
      { title: 'Frames/s', numeric: true, text: ({ stages }) => figure(1 / stages.frame) },
      { title: 'Mbit/s', numeric: true, text: (row) => figure(megabitsPerSecond(row)) },
      { title: 'Seconds', numeric: true, text: ({ render }) => figure(render.seconds) },
      { title: 'Of the target', numeric: true, text: (row) => ratio(row, row.render) },
      { title: 'At half speed, s', numeric: true, text: ({ halfSpeed }) => figure(halfSpeed.seconds) },
      { title: 'Of the target', numeric: true, text: (row) => ratio(row, row.halfSpeed) },
      { title: 'Worker seconds', numeric: true, text: ({ render }) => figure(render.workerSeconds, 0) },
      { title: 'Passing frames', numeric: true, text: ({ render }) => `${Math.round(100 * render.passing)} %` },
      { title: 'Dollars', numeric: true, text: ({ render }) => figure(render.usd, 3) },
    ],
    computed,
  );
}

function megabitsPerSecond({ measured }: Computed): number {
  return (measured.bytes * 8) / 1e6 / (measured.frames / framesPerSecond);
}

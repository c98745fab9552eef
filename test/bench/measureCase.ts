// Measures one composition: renderers and limits take turns, then their frames are compared.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundBrowser } from '../../renderer-core/capture/findBrowser.ts';
import type { Quality } from '../../renderer-core/plan/formats.ts';
import { measureBrowser } from './browserLimit.ts';
import { type Case, comparedSeconds, frameCountOf, prepareProject } from './cases.ts';
import { renderPeer } from './others/peer.ts';
import { type Remotion, renderRemotion } from './others/remotion.ts';
import { type OursRun, renderOurs } from './ours.ts';
import { measurePaint } from './paintLimit.ts';
import type { Measured } from './processTree.ts';
import { compareWithFrames, countFrames, type Likeness, writeRaw } from './quality.ts';
import { median } from './table.ts';
import { measureX264 } from './x264Limit.ts';

export type Tools = {
  browser: FoundBrowser;
  ffmpeg: string;
  withPeer: boolean;
  remotion: Remotion | null;
  report(text: string): void;
};

export type Tool = 'ours' | 'peer' | 'Remotion' | 'paint alone' | 'x264 alone' | 'browser alone';

export type Row = {
  name: string;
  quality: Quality;
  tool: Tool;
  /** Medians of the rounds. */
  seconds: number;
  cpuSeconds: number | null;
  /** The range of the rounds' seconds, as a part of their median. */
  spread: number;
  frames: number;
  peakMiB: number | null;
  /** Null for what writes no file. */
  kilobytes: number | null;
  likeness: Likeness | null;
  /** PSNR against our painted lossless frames; null if the frames were not painted. */
  psnrOwn: number | null;
  /** Only for our renderer. */
  firstFrameMs: number | null;
  /** Only for our renderer: the number of different files among the rounds and one more render with a single page. */
  differentFiles: number | null;
  /** Capture path, or another remark. */
  note: string;
};

export type CaseResult = { rows: Row[]; failures: string[] };

type Contender = {
  tool: Tool;
  run(): Promise<Measured | OursRun>;
  /** Null for what writes no file. */
  output: string | null;
  runs: (Measured | OursRun)[];
  /** Absent: in every round. */
  maxRuns?: number;
  hashes: Set<string>;
};

/** One composition, ready to be measured. */
type Prepared = {
  one: Case;
  folder: string;
  project: string;
  peerProject: string;
  shortProject: string;
  /** Folder of the lossless screenshots. */
  shots: string;
  /** The same frames in one file. */
  raw: string;
  width: number;
  height: number;
  /** The number of frames that are compared. */
  compared: number;
};

/** The result rows of one composition. A tool that fails is reported and has no row. */
export async function measureCase(
  one: Case,
  qualities: readonly Quality[],
  rounds: number,
  tools: Tools,
  folder: string,
): Promise<CaseResult> {
  const prepared = await prepareCase(one, tools, folder);
  const results: CaseResult = { rows: [], failures: [] };
  for (const quality of qualities) {
    const { rows, failures } = await measureQuality(prepared, quality, rounds, tools);
    results.rows.push(...rows);
    results.failures.push(...failures);
  }
  await rm(folder, { recursive: true, force: true });
  return results;
}

async function prepareCase(one: Case, { browser, ffmpeg, report }: Tools, folder: string): Promise<Prepared> {
  const place = (name: string) => join(folder, name);
  const [project, peerProject, shortProject, shots] = [place('ours'), place('peer'), place('short'), place('shots')];
  await mkdir(folder, { recursive: true });
  await prepareProject(one, comparedSeconds(one), shortProject, 'ours');
  await prepareProject(one, one.seconds, project, 'ours');
  await prepareProject(one, one.seconds, peerProject, 'peer');
  report(`${one.name}: lossless frames by screenshot`);
  const options = { project: shortProject, output: shots, format: 'png', capture: 'screenshot' } as const;
  const { width, height, frames: compared } = (await renderOurs(browser, ffmpeg, options)).report;
  const raw = place('frames.yuv');
  await writeRaw(shots, raw);
  return { one, folder, project, peerProject, shortProject, shots, raw, width, height, compared };
}

async function measureQuality(prepared: Prepared, quality: Quality, rounds: number, tools: Tools): Promise<CaseResult> {
  const { one, folder, project, shortProject } = prepared;
  const { browser, ffmpeg, report } = tools;
  const label = `${one.name} ${quality}`;
  const [ours, ...others] = contendersFor(prepared, quality, tools);
  const failures = await takeTurns([ours, ...others], rounds, label, report);
  const pages = pagesOf(ours);
  const isPainted = lastReport(ours)?.capture.path === 'paint';
  if (isPainted) {
    const paint = paintContender(prepared, pages, tools);
    failures.push(...(await takeTurns([paint], rounds, label, report)));
    others.push(paint);
  }
  report(`${label}: a file from one page, and lossless frames by paint`);
  const single = join(folder, `single.${one.format ?? 'mp4'}`);
  await renderOurs(browser, ffmpeg, { project, output: single, quality, workers: 1 });
  ours.hashes.add(await hashFile(single));
  const painted = isPainted ? join(folder, 'painted') : null;
  const options = { project: shortProject, format: 'png', capture: 'paint' } as const;
  if (painted) await renderOurs(browser, ffmpeg, { ...options, output: painted });

  const rows: Row[] = [];
  for (const contender of [ours, ...others].filter(({ runs }) => runs.length > 0)) {
    report(`${label}: comparing the frames of ${contender.tool}`);
    rows.push(await rowOf(contender, prepared, { quality, painted, pages }));
    if (contender.output) await rm(contender.output);
  }
  if (painted) await rm(painted, { recursive: true });
  return { rows, failures };
}

type RowFacts = { quality: Quality; painted: string | null; pages: number };

async function rowOf(
  contender: Contender,
  { one, shots, compared }: Prepared,
  { quality, painted, pages }: RowFacts,
): Promise<Row> {
  const { output, tool } = contender;
  const expected = frameCountOf(one.seconds);
  const frames = output ? await countFrames(output) : expected;
  const compare = async (reference: string | null) =>
    output && reference ? compareWithFrames(output, reference, compared) : null;
  const own = await compare(tool === 'ours' ? painted : null);
  return {
    ...(await summarise(contender)),
    name: one.name,
    quality,
    frames,
    likeness: await compare(shots),
    psnrOwn: own?.psnr ?? null,
    note: noteOn(contender, { frames, expected, pages }),
  };
}

/** Ours is the first. */
function contendersFor(prepared: Prepared, quality: Quality, tools: Tools): [Contender, ...Contender[]] {
  const { one, folder, project, peerProject, raw, width, height, compared } = prepared;
  const { browser, ffmpeg, withPeer, remotion } = tools;
  const contender = (tool: Tool, name: string, run: (output: string) => Contender['run']): Contender => {
    const output = join(folder, `${name}-${quality}.${one.format ?? 'mp4'}`);
    return { tool, run: run(output), output, runs: [], hashes: new Set() };
  };
  const ours = contender('ours', 'ours', (output) => () => renderOurs(browser, ffmpeg, { project, output, quality }));
  const others: Contender[] = [];
  if (withPeer) {
    const render = (output: string) => () =>
      renderPeer(browser, ffmpeg, { project: peerProject, output, quality, format: one.format ?? 'mp4' });
    others.push({ ...contender('peer', 'peer', render), ...(one.seconds > 60 ? { maxRuns: 1 } : {}) });
  }
  // It has no drafts.
  if (remotion && one.notInRemotion === undefined && quality === 'standard') {
    const render = (output: string) => () => renderRemotion(remotion, browser, { one, project, output });
    // It takes as long as all others together.
    others.push({ ...contender('Remotion', 'remotion', render), maxRuns: 1 });
  }
  const limit = { ffmpeg, raw, width, height, frames: compared, quality, folder };
  // The limit is always h264, which is cheap.
  const encode = (output: string) => () => measureX264({ ...limit, output, encoders: pagesOf(ours) });
  const start = () => measureBrowser(browser, { project, width, height, folder });
  const browserAlone: Contender = { tool: 'browser alone', run: start, output: null, runs: [], hashes: new Set() };
  return [ours, ...others, contender('x264 alone', 'x264', encode), browserAlone];
}

function paintContender({ project }: Prepared, pages: number, { browser, ffmpeg }: Tools): Contender {
  const run = () => measurePaint(browser, ffmpeg, { project, pages });
  return { tool: 'paint alone', run, output: null, runs: [], hashes: new Set() };
}

/** Alternates (A B A B), so that changes of the machine's speed affect all tools. Returns what failed. */
async function takeTurns(
  contenders: readonly Contender[],
  rounds: number,
  label: string,
  report: Tools['report'],
): Promise<string[]> {
  const failures = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    for (const { tool, run, output, runs, hashes, maxRuns = rounds } of contenders) {
      if (round >= maxRuns) continue;
      try {
        const measured = await run();
        runs.push(measured);
        if (output !== null) hashes.add(await hashFile(output));
        report(
          `${label}: ${tool} ${measured.seconds.toFixed(1)} s, ${measured.cpuSeconds?.toFixed(1)} s of processor time`,
        );
      } catch (error) {
        const failure = `${label}: ${tool} failed: ${error instanceof Error ? error.message : String(error)}`;
        failures.add(failure);
        report(failure);
      }
    }
  }
  return [...failures];
}

function lastReport({ runs }: Contender): OursRun['report'] | undefined {
  const last = runs.at(-1);
  return last && 'report' in last ? last.report : undefined;
}

function pagesOf(ours: Contender): number {
  return lastReport(ours)?.workers.count ?? 1;
}

async function hashFile(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

async function summarise({ tool, runs, output, hashes }: Contender) {
  const seconds = runs.map((run) => run.seconds);
  const first = runs.flatMap((run) => ('report' in run ? [run.report.firstFrameMs] : []));
  return {
    tool,
    seconds: median(seconds),
    cpuSeconds: medianOf(runs.map(({ cpuSeconds }) => cpuSeconds)),
    spread: (Math.max(...seconds) - Math.min(...seconds)) / median(seconds),
    peakMiB: medianOf(runs.map(({ peakMiB }) => peakMiB)),
    kilobytes: output === null ? null : (await stat(output)).size / 1000,
    firstFrameMs: medianOf(first),
    differentFiles: tool === 'ours' ? hashes.size : null,
  };
}

/** The median of the measured values; null if there are none. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null);
  return measured.length > 0 ? median(measured) : null;
}

function noteOn(contender: Contender, facts: { frames: number; expected: number; pages: number }): string {
  const { frames, expected } = facts;
  const report = lastReport(contender);
  const count = report?.workers.count ?? facts.pages;
  const counted = (noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`;
  if (contender.tool === 'paint alone') return counted('page');
  if (contender.tool === 'x264 alone') {
    return frames < expected ? `${counted('encoder')}, first ${frames} frames only` : counted('encoder');
  }
  const wrong = frames === expected ? [] : [`${frames} of ${expected} frames`];
  const why = report?.capture.path === 'screenshot' ? `: ${report.capture.reason}` : '';
  const path = report ? [`${report.capture.path}${why}, ${counted('page')}`] : [];
  return [...path, ...wrong].join(', ');
}

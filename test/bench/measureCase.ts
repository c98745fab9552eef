// Measures one composition: alternates between our renderer, the peer and x264 alone, then compares the frames.
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundBrowser } from '../../renderer-core/capture/findBrowser.ts';
import type { Quality } from '../../renderer-core/plan/formats.ts';
import { type Case, comparedSeconds, frameCountOf, prepareProject } from './cases.ts';
import { type OursRun, renderOurs } from './ours.ts';
import { renderPeer } from './peer.ts';
import type { Measured } from './processTree.ts';
import { compareWithFrames, countFrames, writeRaw } from './quality.ts';
import { median } from './table.ts';
import { measureX264 } from './x264Limit.ts';

export type Tools = { browser: FoundBrowser; ffmpeg: string; withPeer: boolean; report(text: string): void };

export type Row = {
  name: string;
  quality: Quality;
  tool: 'ours' | 'peer' | 'x264 alone';
  seconds: number;
  frames: number;
  peakMiB: number | null;
  kilobytes: number;
  psnr: number;
  /** PSNR against our painted lossless frames; null if the frames were not painted. */
  psnrOwn: number | null;
  ssim: number;
  /** Only for our renderer. */
  firstFrameMs: number | null;
  /** Capture path, or another remark. */
  note: string;
};

type Contender = {
  tool: Row['tool'];
  run(): Promise<Measured | OursRun>;
  output: string;
  runs: (Measured | OursRun)[];
};

/** The result rows of one composition. A tool that fails is reported and omitted. */
export async function measureCase(
  one: Case,
  qualities: Quality[],
  runs: number,
  tools: Tools,
  folder: string,
): Promise<Row[]> {
  const { browser, ffmpeg, report } = tools;
  const short = join(folder, 'short');
  const project = join(folder, 'ours');
  const peerProject = join(folder, 'peer');
  await mkdir(folder, { recursive: true });
  await prepareProject(one, comparedSeconds(one), short, 'ours');
  await prepareProject(one, one.seconds, project, 'ours');
  await prepareProject(one, one.seconds, peerProject, 'peer');

  report(`${one.name}: lossless frames by screenshot`);
  const shots = join(folder, 'shots');
  const reference = await renderOurs(browser, ffmpeg, {
    project: short,
    output: shots,
    format: 'png',
    capture: 'screenshot',
  });
  const { width, height, frames: compared } = reference.report;
  const raw = join(folder, 'frames.yuv');
  await writeRaw(ffmpeg, shots, raw);

  const painted = join(folder, 'painted');
  let hasPainted = false;
  const rows: Row[] = [];
  for (const quality of qualities) {
    const file = (tool: string) => join(folder, `${tool}-${quality}.mp4`);
    const contenders: Contender[] = [
      {
        tool: 'ours',
        run: () => renderOurs(browser, ffmpeg, { project, output: file('ours'), quality }),
        output: file('ours'),
        runs: [],
      },
    ];
    if (tools.withPeer) {
      const run = () => renderPeer(browser, ffmpeg, { project: peerProject, output: file('peer'), quality });
      contenders.push({ tool: 'peer', run, output: file('peer'), runs: [] });
    }
    const encoders = () => lastReport(contenders[0])?.workers.count ?? 1;
    const limit = { ffmpeg, raw, width, height, frames: compared, quality, folder, output: file('x264') };
    const runLimit = () => measureX264({ ...limit, encoders: encoders() });
    contenders.push({ tool: 'x264 alone', run: runLimit, output: file('x264'), runs: [] });

    await takeTurns(contenders, runs, `${one.name} ${quality}`, report);
    if (!hasPainted && lastReport(contenders[0])?.capture.path === 'paint') {
      report(`${one.name}: lossless frames by paint`);
      await renderOurs(browser, ffmpeg, { project: short, output: painted, format: 'png', capture: 'paint' });
      hasPainted = true;
    }
    for (const contender of contenders.filter((each) => each.runs.length > 0)) {
      report(`${one.name} ${quality}: comparing the frames of ${contender.tool}`);
      const likeness = await compareWithFrames(ffmpeg, contender.output, shots, compared);
      const own =
        contender.tool === 'ours' && hasPainted
          ? (await compareWithFrames(ffmpeg, contender.output, painted, compared)).psnr
          : null;
      const frames = await countFrames(ffmpeg, contender.output);
      const row = summarise(contender, frames, (await stat(contender.output)).size);
      const note = noteOn(contender, { frames, expected: frameCountOf(one.seconds), encoders: encoders() });
      rows.push({ ...row, name: one.name, quality, ...likeness, psnrOwn: own, note });
      await rm(contender.output);
    }
  }
  await rm(folder, { recursive: true, force: true });
  return rows;
}

/** Alternates (A B A B), so that changes of the machine's speed affect all tools. */
async function takeTurns(contenders: Contender[], runs: number, label: string, report: Tools['report']): Promise<void> {
  for (let run = 0; run < runs; run++) {
    for (const contender of contenders) {
      try {
        const measured = await contender.run();
        contender.runs.push(measured);
        report(`${label}: ${contender.tool} ${measured.seconds.toFixed(1)} s`);
      } catch (error) {
        report(`${label}: ${contender.tool} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}

function lastReport(contender: Contender | undefined): OursRun['report'] | undefined {
  const last = contender?.runs.at(-1);
  return last && 'report' in last ? last.report : undefined;
}

function summarise({ tool, runs }: Contender, frames: number, bytes: number) {
  const peaks = runs.flatMap(({ peakMiB }) => (peakMiB === null ? [] : [peakMiB]));
  const first = runs.flatMap((run) => ('report' in run ? [run.report.firstFrameMs] : []));
  return {
    tool,
    frames,
    seconds: median(runs.map(({ seconds }) => seconds)),
    peakMiB: peaks.length > 0 ? median(peaks) : null,
    kilobytes: bytes / 1000,
    firstFrameMs: first.length > 0 ? median(first) : null,
  };
}

function noteOn(contender: Contender, facts: { frames: number; expected: number; encoders: number }): string {
  const { frames, expected, encoders } = facts;
  const report = lastReport(contender);
  const count = report?.workers.count ?? encoders;
  if (contender.tool === 'x264 alone') {
    const at = `${count} ${count === 1 ? 'encoder' : 'encoders'}`;
    return frames < expected ? `${at}, first ${frames} frames only` : at;
  }
  const wrong = frames === expected ? [] : [`${frames} of ${expected} frames`];
  const why = report?.capture.path === 'screenshot' ? `: ${report.capture.reason}` : '';
  const path = report ? [`${report.capture.path}${why}, ${count} ${count === 1 ? 'page' : 'pages'}`] : [];
  return [...path, ...wrong].join(', ');
}

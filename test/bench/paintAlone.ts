// Captures a composition with paint and discards the frames: our renderer's speed if encoding took no time.
// A program of its own, because it is measured like the others: project, browser, ffmpeg, number of pages.
import { discardFrames } from '../../renderer-core/media/segment.ts';
import { capture } from '../../renderer-core/render/captureStage.ts';
import { launch } from '../../renderer-core/render/pipeline.ts';
import { prepare } from '../../renderer-core/render/prepare.ts';
import { probe } from '../../renderer-core/render/probe/probe.ts';
import { reportProgress } from '../../renderer-core/render/progress.ts';
import { surroundings } from '../support/renders/surroundings.ts';

/** What the program prints. Loading its sources, which are not bundled, is not part of the time. */
export type PaintTimes = { seconds: number; cpuSecondsBefore: number };

const [projectDir = '', browserPath = '', ffmpegPath = '', pages = '1'] = process.argv.slice(2);
const { user, system } = process.cpuUsage();
const started = performance.now();
await paintAlone();
const times: PaintTimes = { seconds: (performance.now() - started) / 1000, cpuSecondsBefore: (user + system) / 1e6 };
console.log(JSON.stringify(times));

async function paintAlone(): Promise<void> {
  const request = { projectDir, browserPath, ffmpegPath, gpu: 'auto', capture: 'paint' } as const;
  const progress = reportProgress(undefined, () => performance.now());
  const prepared = await prepare(request);
  await launch({ ...request, ...surroundings, root: prepared.root }, async (place) => {
    const probed = await probe(request, prepared, place);
    const choice = { count: Number(pages), reason: 'as requested' };
    const workers = { count: () => choice.count, choice: () => choice };
    const encoding = { ...probed.encoding, startSegment: () => discardFrames };
    await capture({ ...probed, encoding }, { capture: 'paint', workers }, progress);
    await probed.close();
  });
}

// Lists the sounds of a video: when each is heard, and how loud it is, alone and in the mix.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { measureLoudness } from '../media/loudness.ts';
import { mixAudio } from '../media/mixAudio.ts';
import { pieces, readSound } from '../media/soundFile.ts';
import { frameTime } from '../model/frameGrid.ts';
import type { PageResults } from '../page/runtime/page.ts';
import { type AudioMix, type MixTrack, sampleRate } from '../plan/audio.ts';
import { checkOptions } from '../plan/options.ts';
import { openFileOutput } from '../project/output/outputTarget.ts';
import { pathInside } from '../project/pathInside.ts';
import { emitWarnings, launch } from '../render/pipeline.ts';
import { openProject, prepareIn } from '../render/prepare.ts';
import { withPageErrors } from '../render/probe/openPage.ts';
import { probe } from '../render/probe/probe.ts';
import { reportProgress } from '../render/progress.ts';
import type { Surroundings } from '../render/session.ts';
import { drawImage } from '../render/snapshot/frameImages.ts';
import { makeSoundtrack, planSoundtrack, type SoundtrackJob } from '../render/soundtrack.ts';
import type { PreparedRender, ProbedRender, ProgressReporter, RenderPlace } from '../render/types.ts';
import type { CheckRequest } from './checkProject.ts';
import { columns, type SoundLane, soundsImage } from './soundsImage.ts';
import type { ListedSound, SoundsReport } from './soundsReport.ts';

export type SoundsRequest = Omit<CheckRequest, 'rules' | 'rows' | 'indices' | 'output' | 'onEvent'> & {
  /** In LUFS; see `RenderRequest`. */
  loudness?: number;
  /** PNG file for an image of the sounds. */
  output?: string;
  onEvent?: (event: { type: 'stage' | 'warning'; message: string }) => void;
};

/** Throws UserError as a render does, and `cancelled`. */
export async function listSounds(request: SoundsRequest, surroundings: Surroundings): Promise<SoundsReport> {
  const { output, onEvent, ...options } = request;
  const progress = reportProgress((event) => {
    if (event.type === 'stage' || event.type === 'warning') onEvent?.({ type: event.type, message: event.message });
  }, surroundings.now);
  const project = await openProject(options);
  const prepared = prepareIn(project, checkOptions({ ...options, output: 'sounds.mp4' }), options);
  emitWarnings(prepared, progress.emit);
  progress.emit({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  const launching = { gpu: 'auto', ...options, ...surroundings, root: project.root } as const;
  return launch(launching, async (place) => {
    const { plan, results } = await listen(prepared, place, progress.emit);
    const measured = await measure(results, { plan, ...jobOf(place) }, progress.emit, project.root);
    const duration = frameTime(plan.frames, plan.fps);
    const image = output === undefined ? undefined : await draw(measured.lanes, duration, output, place);
    return {
      composition: plan.composition,
      durationSeconds: duration,
      sounds: measured.sounds,
      mix: measured.mix,
      ...(image === undefined ? {} : { image }),
      elapsedMs: Math.round(progress.now() - progress.startedAt),
      warnings: progress.warnings,
    };
  });
}

const jobOf = ({ session, site }: RenderPlace): Omit<SoundtrackJob, 'plan'> => ({
  server: site.server,
  remote: site.remote,
  ffmpeg: session.ffmpeg,
  folder: session.workspace.folder,
  signal: session.signal,
});

/** Frames that one call to the page passes. */
const framesAtOnce = 300;

/** Passes all frames: scripts may change sounds and their volumes in each of them. */
async function listen(
  prepared: PreparedRender,
  place: RenderPlace,
  emit: ProgressReporter['emit'],
): Promise<Pick<ProbedRender, 'plan'> & { results: PageResults }> {
  const probed = await probe({ onEvent: emit }, prepared, place);
  try {
    const { plan, page: job, ready } = probed;
    const [page] = ready;
    if (!page) throw new Error('the probe has no page');
    emit({ type: 'stage', stage: 'capture', message: 'Listening to the video' });
    const pass = async (): Promise<void> => {
      for (let frame = 0; frame < plan.frames; frame += framesAtOnce) {
        place.session.signal.throwIfAborted();
        await page.call('show', Math.min(frame + framesAtOnce, plan.frames) - 1);
      }
    };
    await withPageErrors(pass(), () => job.check(page));
    return { plan, results: await page.call('results') };
  } finally {
    await probed.close();
  }
}

type Measured = { sounds: ListedSound[]; mix: SoundsReport['mix']; lanes: SoundLane[] };

async function measure(
  { sounds }: PageResults,
  job: SoundtrackJob,
  emit: ProgressReporter['emit'],
  root: string,
): Promise<Measured> {
  emit({ type: 'stage', stage: 'assemble', message: 'Mixing the sound' });
  const mix = await planSoundtrack(sounds, job);
  const { file, warnings } = await makeSoundtrack(sounds, job, () => undefined);
  for (const message of warnings) emit({ type: 'warning', message });
  const silence = { loudness: null, truePeak: null };
  if (!mix || file === null) return { sounds: [], mix: silence, lanes: [] };
  const whole = await measureLoudness(file, job.signal);
  const lane = async (title: string, facts: typeof whole, path: string): Promise<SoundLane> => ({
    title,
    note: levelText(facts),
    peaks: await peaksOf(path, mix.samples),
  });
  const lanes = [await lane('Mix', whole, file)];
  const listed: ListedSound[] = [];
  for (const [index, track] of [...mix.tracks].sort((a, b) => a.start - b.start || a.end - b.end).entries()) {
    const alone = await soundAlone(track, index, mix, job);
    if (alone === null) continue;
    const { name, start, end } = track;
    const facts = await measureLoudness(alone, job.signal, start);
    const path = pathInside(root, track.file) ?? track.file;
    listed.push({ name, file: path, start: start / sampleRate, end: end / sampleRate, ...facts });
    lanes.splice(-1, 0, await lane(name.includes(path) ? name : `${name} ${path}`, facts, alone));
  }
  return { sounds: listed, mix: whole, lanes };
}

/** The path of one sound as it is heard in the mix; null if it has no samples. */
async function soundAlone(
  track: MixTrack,
  index: number,
  { loudness: _, ...mix }: AudioMix,
  { ffmpeg, folder, signal }: SoundtrackJob,
): Promise<string | null> {
  const own = join(folder, `sound-${index}`);
  await mkdir(own);
  return (await mixAudio(ffmpeg, { ...mix, samples: track.end, tracks: [track] }, own, { signal })).file;
}

/** The loudest sample of each column of an image of `samples`. */
async function peaksOf(path: string, samples: number): Promise<number[]> {
  const peaks = new Array<number>(columns).fill(0);
  const file = await open(path);
  try {
    for (const { from, to } of pieces(0, samples)) {
      const sound = await readSound(file, from, to);
      for (const [at, value] of sound.entries()) {
        const column = Math.floor(((from + at / 2) * columns) / samples);
        peaks[column] = Math.max(peaks[column] ?? 0, Math.abs(value));
      }
    }
  } finally {
    await file.close();
  }
  return peaks;
}

/** `-14.2 LUFS, -1.0 dBTP`. */
export const levelText = ({ loudness, truePeak }: SoundsReport['mix']): string =>
  loudness === null || truePeak === null ? 'silent' : `${loudness.toFixed(1)} LUFS, ${truePeak.toFixed(1)} dBTP`;

async function draw(
  lanes: readonly SoundLane[],
  duration: number,
  output: string,
  { session, site, browsers }: RenderPlace,
): Promise<string> {
  const target = await openFileOutput(output, { signal: session.signal });
  const lease = await browsers.lease({ timezone: 'UTC', locale: 'en-US', graphics3d: false });
  try {
    await drawImage(lease.launched.browser, site.server, soundsImage(lanes, duration), 'png', target.temporary);
    await target.commit();
    return target.path;
  } finally {
    await lease.release();
    await target.discard();
  }
}

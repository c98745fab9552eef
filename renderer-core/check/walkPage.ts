// Shows frames of a composition in a page, and reports what is wrong with them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CapturePage } from '../capture/capturePage.ts';
import { viewportImage } from '../capture/screenshotSource.ts';
import { type FrameRate, frameTime } from '../model/frameGrid.ts';
import type { PageResults } from '../page/runtime/page.ts';
import type { PageFonts } from '../plan/fonts/pageFonts.ts';
import { completePlan } from '../plan/plan.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { leasePage } from '../render/probe/leasePage.ts';
import { openPage, withPageErrors } from '../render/probe/openPage.ts';
import type { PageJob, PreparedRender, ProgressReporter, RenderPlace } from '../render/types.ts';
import { leastContrast } from './contrast.ts';
import { courseProblems, type LookedFrame } from './courseProblems.ts';
import {
  type BestContrasts,
  contrastProblems,
  type Moment,
  noteContrasts,
  type Problem,
  problemsOf,
  settledTexts,
} from './findings.ts';
import type { CheckLimits } from './limits.ts';
import type { InspectApi } from './page/inspect.ts';
import { createSchedule } from './schedule.ts';
import type { SeenClip, SeenContrast, SeenText, Sight } from './sight.ts';

export type Walked = {
  plan: RenderPlan;
  problems: Problem[];
  /** The settled texts of each frame that was looked at. */
  texts: { frame: number; texts: SeenText[] }[];
  /** The images of the frames with problems, if they are kept. */
  pictures: Map<number, string>;
  results: PageResults;
  /** The sources of media elements by the names of their sounds. */
  sources: Record<string, string | null>;
  /** The pinned fonts; null with the fonts of the machine. */
  fonts: PageFonts | null;
};

export type WalkOptions = {
  limits: CheckLimits;
  /** Looks only at these frames, and only at what values change: a row. */
  only?: readonly number[] | undefined;
  /** Folder for images of the frames with problems. */
  pictureFolder?: string | undefined;
  onFrame?(frame: number, plan: RenderPlan): void;
  emit: ProgressReporter['emit'];
  signal: AbortSignal;
};

/** Opens a page of the composition and closes it. Throws UserError for errors of the project and the page. */
export async function walkPage(prepared: PreparedRender, place: RenderPlace, options: WalkOptions): Promise<Walked> {
  const lease = await leasePage(prepared, place, { emit: options.emit, marks: true });
  try {
    let job = lease.page;
    let opened = await openPage(job, 'check');
    if (opened.info.missing.graphics3d && !lease.needs.graphics3d) {
      await opened.page.close();
      job = await lease.exchange(opened.info.missing);
      opened = await openPage(job, 'check');
    }
    const { page, info } = opened;
    try {
      job.check(page);
      const plan = completePlan(prepared.draft, info.naturalDuration, undefined, info.endless);
      const walked = await withPageErrors(walk(page, job, plan, options), () => job.check(page));
      job.check(page);
      return { ...walked, fonts: lease.fonts };
    } finally {
      await page.close();
    }
  } finally {
    await lease.release();
  }
}

/** The calls of the script in the page. */
function inspector(page: CapturePage) {
  return <Name extends keyof InspectApi>(
    name: Name,
    ...args: Parameters<InspectApi[Name]>
  ): Promise<Awaited<ReturnType<InspectApi[Name]>>> =>
    page.guard(
      page.tab.page.evaluate(
        (key, values) =>
          (window as unknown as { __inspect: Record<string, (...all: unknown[]) => unknown> }).__inspect[key]?.(
            ...values,
          ),
        name,
        args,
      ),
    ) as never;
}

type Inspect = ReturnType<typeof inspector>;

async function walk(
  page: CapturePage,
  job: PageJob,
  plan: RenderPlan,
  { limits, only, pictureFolder, onFrame, signal }: WalkOptions,
): Promise<Omit<Walked, 'fonts'>> {
  const inspect = inspector(page);
  const schedule = createSchedule(plan, only);
  const problems: Problem[] = [];
  const texts: Walked['texts'] = [];
  const pictures = new Map<number, string>();
  const looks: LookedFrame[] = [];
  const clips: SeenClip[] = [];
  const best: BestContrasts = new Map();
  const shots = screenshots(page, job, plan);
  const show = (frame: number): Promise<void> => page.call('show', frame);
  const contrasts = createContrasts(inspect, shots, show);
  let last: { frame: number; sight: Sight } | null = null;
  const see = async (frame: number): Promise<Sight> => {
    await show(frame);
    return inspect('see');
  };
  if (!only) schedule.add(await inspect('changes', 0));
  for (let frame = schedule.next(); frame !== undefined; frame = schedule.next()) {
    signal.throwIfAborted();
    const before: Sight | null = frame === 0 ? null : last?.frame === frame - 1 ? last.sight : await see(frame - 1);
    const sight = await see(frame);
    // In a video of one frame nothing moves.
    const isOnly = plan.frames === 1;
    const moment: Moment = { frame, sight, before: isOnly ? sight : before, contrasts: [] };
    const settled = settledTexts(moment);
    moment.contrasts = await contrasts.of(settled, frame, plan.fps);
    if (!only) {
      schedule.add(await inspect('changes', frameTime(frame, plan.fps)));
      looks.push({ frame, look: await shots.look(inspect, looks.length === 0) });
      noteClips(clips, sight.clips);
    }
    noteContrasts(best, moment);
    const found = problemsOf(moment, limits);
    problems.push(...found);
    const isFaint = moment.contrasts.some(({ ratio }) => ratio < leastContrast(false));
    if ((found.length > 0 || isFaint) && pictureFolder !== undefined)
      pictures.set(frame, await shots.keep(join(pictureFolder, `${frame}.jpg`)));
    texts.push({ frame, texts: settled });
    last = { frame, sight };
    onFrame?.(frame, plan);
  }
  problems.push(...contrastProblems(best));
  if (!only) problems.push(...courseProblems(looks, clips, plan, limits));
  const results = await page.call('results');
  return { plan, problems, texts, pictures, results, sources: await inspect('sounds') };
}

/** Clips stay in their order. */
function noteClips(known: SeenClip[], seen: readonly SeenClip[]): void {
  for (const [index, clip] of seen.entries()) {
    const before = known[index];
    known[index] = {
      ...clip,
      isShown: clip.isShown || before?.isShown === true,
      isEmpty: clip.isEmpty && before?.isEmpty !== false,
    };
  }
}

const imagePath = '/__framework/checked.jpg';

/** Part of the URLs of images: browsers keep what they have loaded, and the pages of rows have the same origin. */
let images = 0;

/** Screenshots of the page as it is, which its script reads from the server of the project. */
function screenshots(page: CapturePage, { services, target }: PageJob, { width, height }: RenderPlan) {
  const take = async (): Promise<string> => {
    const body = await viewportImage(page, { width, height }, 'jpeg');
    services.server.setVirtual(imagePath, { body, type: 'image/jpeg' });
    return `${target.origin}${imagePath}?${++images}`;
  };
  return {
    take,
    async keep(file: string): Promise<string> {
      await writeFile(file, await viewportImage(page, { width, height }, 'jpeg'));
      return file;
    },
    look: async (inspect: Inspect, isFirst: boolean) => inspect('look', await take(), isFirst),
  };
}

/** A text that stands still is measured again after this time, because what is behind it may move. */
const measuredEvery = 2;

/**
 * Measures each text once while it stands still, and again when its place or color changes. `show` renders a frame, also again after
 * a change of its styles.
 */
function createContrasts(
  inspect: Inspect,
  { take }: ReturnType<typeof screenshots>,
  show: (frame: number) => Promise<void>,
) {
  const measured = new Map<string, number>();
  return {
    async of(texts: readonly SeenText[], frame: number, fps: FrameRate): Promise<SeenContrast[]> {
      const seconds = frameTime(frame, fps);
      const due = texts.filter((text) => {
        const key = JSON.stringify([text.key, text.text, text.lines, text.parts.map(({ color }) => color)]);
        const last = measured.get(key);
        if (last !== undefined && seconds - last < measuredEvery) return false;
        measured.set(key, seconds);
        return true;
      });
      if (due.length === 0) return [];
      await inspect('hideTexts');
      try {
        await show(frame);
        return await inspect(
          'contrasts',
          await take(),
          due.map(({ key }) => key),
        );
      } finally {
        await inspect('showTexts');
        await show(frame);
      }
    },
  };
}

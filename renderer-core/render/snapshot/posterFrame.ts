// Finds the number of the poster frame of a composition that is ready to be captured.
import { choosePosterTime } from '../../plan/posterTime.ts';
import { frameAtSeconds } from '../../plan/snapshotTimes.ts';
import { openReadyPage, withPageErrors } from '../readyPage.ts';
import type { ProbedRender } from '../types.ts';

/** Uses a page of its own, because pages only move forward. */
export async function posterFrame(probed: ProbedRender): Promise<number> {
  const { plan, graph, check } = probed;
  const posterTime = graph.files.get(graph.entry)?.posterTime?.value ?? null;
  let page: Awaited<ReturnType<typeof openReadyPage>>['page'] | undefined;
  const isBlank = async (seconds: number) => {
    const shown = page ?? (await openReadyPage(probed, 'plain')).page;
    page = shown;
    return withPageErrors(shown.call('isBlank', frameAtSeconds(seconds, plan)), () => check(shown));
  };
  try {
    return frameAtSeconds(await choosePosterTime({ posterTime, duration: plan.duration }, isBlank), plan);
  } finally {
    await page?.close();
  }
}

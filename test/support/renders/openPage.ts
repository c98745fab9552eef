// Pages of compositions that are ready for their first frame, for tests that look into them.
import type { Frame } from 'puppeteer-core';
import type { CapturePage } from '../../../renderer-core/capture/capturePage.ts';
import { prepare } from '../../../renderer-core/render/prepare.ts';
import { openPage } from '../../../renderer-core/render/probe/openPage.ts';
import { probe } from '../../../renderer-core/render/probe/probe.ts';
import type { ProbedRender, RenderPlace, RenderRequest } from '../../../renderer-core/render/types.ts';
import { project } from '../project.ts';
import { surroundings } from './surroundings.ts';
import { launchShared, useSharedBrowser } from './warmRender.ts';

export async function withProbed<T>(
  request: RenderRequest,
  place: RenderPlace,
  use: (probed: ProbedRender) => Promise<T>,
): Promise<T> {
  const probed = await probe(request, await prepare(request), place);
  try {
    return await use(probed);
  } finally {
    await probed.close();
  }
}

/** Opens another page of the composition. */
export const pageOf = async ({ page }: ProbedRender, kind: 'paint' | 'sample' | 'plain'): Promise<CapturePage> =>
  (await openPage(page, kind)).page;

useSharedBrowser();

/** Opens a composition at 10 frames per second. `frame`: the composition in the capture page. */
export function inReadyPage<T>(html: string, use: (frame: Frame, page: CapturePage) => Promise<T>): Promise<T> {
  const projectDir = project(html);
  const request: RenderRequest = { projectDir, format: 'png', fps: '10' };
  return launchShared({ ...surroundings, root: projectDir }, (place) =>
    withProbed(request, place, async (probed) => {
      const page = await pageOf(probed, 'plain');
      try {
        return await use(page.tab.page.frames()[1] as Frame, page);
      } finally {
        await page.close();
      }
    }),
  );
}

// One page of the corpus by each way of capture, and by the browser's own screenshots at the same instants.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { screenshot } from '../../renderer-core/capture/screenshotSource.ts';
import { openReadyPage } from '../../renderer-core/render/captureChunks.ts';
import { openOutput } from '../../renderer-core/render/output.ts';
import { openPages, type PagePlace, type Pages } from '../../renderer-core/render/pages.ts';
import { prepareRender } from '../../renderer-core/render/prepare.ts';
import { renderPages } from '../../renderer-core/render/renderPages.ts';
import type { RenderReport, RenderRequest } from '../../renderer-core/render/renderVideo.ts';
import type { Browsers, Session } from '../../renderer-core/render/session.ts';
import { writeFiles } from '../support/project.ts';
import type { FidelityPage } from './page.ts';

const fps = '10';
/** Frames that are compared: the first, one in the middle, the last. */
export const instants = [0, 2, 4];

export type Captured = {
  report: RenderReport;
  /** By instant: the page as the browser shows it, as `auto` took it, and as the screenshot path took it. */
  pictures: { shown: PNG; auto: PNG; screenshot: PNG }[];
};

/** What pages that are captured one after another share. */
export type Lane = { session: Session; browsers: Browsers };

export async function capturePage({ files }: FidelityPage, { session, browsers }: Lane): Promise<Captured> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fidelity-'));
  writeFiles(folder, files);
  const place = { session, browsers, site: await session.openSite(folder) };
  try {
    const auto = await renderFrames(folder, 'auto', place);
    const byScreenshot = await renderFrames(folder, 'screenshot', place);
    const shown = await showPage(folder, place);
    const at = (pictures: PNG[], index: number) => pictures[index] as PNG;
    return {
      report: auto.report,
      pictures: instants.map((_, index) => ({
        shown: at(shown, index),
        auto: at(auto.pictures, index),
        screenshot: at(byScreenshot.pictures, index),
      })),
    };
  } finally {
    await place.site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withPages<T>(request: RenderRequest, place: PagePlace, use: (pages: Pages) => Promise<T>): Promise<T> {
  const pages = await openPages(request, await prepareRender(request), place);
  try {
    return await use(pages);
  } finally {
    await pages.close();
  }
}

async function renderFrames(projectDir: string, capture: 'auto' | 'screenshot', place: PagePlace) {
  const folder = join(projectDir, capture);
  const request: RenderRequest = { projectDir, output: folder, format: 'png', fps, capture };
  const output = await openOutput(folder, true);
  const telling = { started: performance.now(), warnings: [], emit: () => undefined };
  const report = await withPages(request, place, (pages) => renderPages(request, pages, output, telling));
  const name = (frame: number) => `frame-${String(frame).padStart(6, '0')}.png`;
  return { report, pictures: instants.map((frame) => PNG.sync.read(readFileSync(join(folder, name(frame))))) };
}

/** The browser's screenshots, each of a page that was opened for it alone: nobody has looked at the frames before. */
async function showPage(projectDir: string, place: PagePlace): Promise<PNG[]> {
  const request: RenderRequest = { projectDir, format: 'png', fps, capture: 'screenshot' };
  return withPages(request, place, async (pages) => {
    const pictures: PNG[] = [];
    for (const frame of instants) {
      const { page } = await openReadyPage(pages, 'plain');
      // The first picture of a video is drawn in another way than those after it.
      if (frame > 0) await page.call('show', frame - 1);
      pictures.push(PNG.sync.read(await screenshot(page, frame, pages.plan, 'png')));
      await page.close();
    }
    return pictures;
  });
}

// Captures one page of the corpus by each capture path, and the browser's own screenshots of the same frames.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { screenshot } from '../../renderer-core/capture/screenshotSource.ts';
import { videoOptions } from '../../renderer-core/render/captureOptions.ts';
import { capture } from '../../renderer-core/render/captureStage.ts';
import { openOutput } from '../../renderer-core/render/output.ts';
import { finishVideo } from '../../renderer-core/render/pipeline.ts';
import { prepare } from '../../renderer-core/render/prepare.ts';
import { probe } from '../../renderer-core/render/probe.ts';
import { reportProgress } from '../../renderer-core/render/progress.ts';
import { openReadyPage } from '../../renderer-core/render/readyPage.ts';
import type { RenderReport } from '../../renderer-core/render/renderReport.ts';
import type { ProbedRender, RenderPlace, RenderRequest } from '../../renderer-core/render/types.ts';
import { writeFiles } from '../support/project.ts';
import type { FidelityPage } from './page.ts';

const fps = '10';
/** The compared frames: the first one, one in the middle, and the last one. */
export const instants = [0, 2, 4];

export type Captured = {
  report: RenderReport;
  /** For each instant: the page as the browser shows it, as `auto` captured it, and as the screenshot path captured it. */
  images: { shown: PNG; auto: PNG; screenshot: PNG }[];
};

/** A browser session that captures one page after another. */
export type Lane = Pick<RenderPlace, 'session' | 'browsers'>;

export async function capturePage({ files }: FidelityPage, { session, browsers }: Lane): Promise<Captured> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fidelity-'));
  writeFiles(folder, files);
  const place = { session, browsers, site: await session.openSite(folder) };
  try {
    const auto = await renderFrames(folder, 'auto', place);
    const byScreenshot = await renderFrames(folder, 'screenshot', place);
    const shown = await showPage(folder, place);
    const at = (images: PNG[], index: number) => images[index] as PNG;
    return {
      report: auto.report,
      images: instants.map((_, index) => ({
        shown: at(shown, index),
        auto: at(auto.images, index),
        screenshot: at(byScreenshot.images, index),
      })),
    };
  } finally {
    await place.site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

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

async function renderFrames(projectDir: string, path: 'auto' | 'screenshot', place: RenderPlace) {
  const folder = join(projectDir, path);
  const request: RenderRequest = { projectDir, output: folder, format: 'png', fps, capture: path };
  const output = await openOutput(folder, 'png');
  const progress = reportProgress(undefined, () => performance.now());
  const report = await withProbed(request, place, async (probed) => {
    const captured = await capture(probed, videoOptions(request, probed, output, progress.emit), progress);
    return finishVideo(captured, probed, output, progress);
  });
  const name = (frame: number) => `frame-${String(frame).padStart(6, '0')}.png`;
  return { report, images: instants.map((frame) => PNG.sync.read(readFileSync(join(folder, name(frame))))) };
}

/** The browser's screenshots. Each is taken of a new page, so that no earlier screenshot can influence it. */
async function showPage(projectDir: string, place: RenderPlace): Promise<PNG[]> {
  const request: RenderRequest = { projectDir, format: 'png', fps, capture: 'screenshot' };
  return withProbed(request, place, async (probed) => {
    const images: PNG[] = [];
    for (const frame of instants) {
      const { page } = await openReadyPage(probed, 'plain');
      // The first frame of a video is drawn differently from later ones.
      if (frame > 0) await page.call('show', frame - 1);
      images.push(PNG.sync.read(await screenshot(page, frame, probed.plan, 'png')));
      await page.close();
    }
    return images;
  });
}

// Captures one page of the corpus by the capture paths, and the browser's own screenshots of the same frames.
import { PNG } from 'pngjs';
import { screenshot } from '../../renderer-core/capture/screenshotSource.ts';
import { launch } from '../../renderer-core/render/pipeline.ts';
import type { CaptureDecision, RenderPlace, RenderRequest } from '../../renderer-core/render/types.ts';
import { project } from '../support/project.ts';
import { captureFrames, type Image } from '../support/renders/captureFrames.ts';
import { pageOf, withProbed } from '../support/renders/openPage.ts';
import { surroundings } from '../support/renders/surroundings.ts';
import { launchShared } from '../support/renders/warmRender.ts';
import type { FidelityPage } from './page.ts';

const fps = '10';
/** The compared frames: the first one, one in the middle, and the last one. */
export const instants = [0, 2, 4];

export type CapturePath = 'auto' | 'screenshot';

/** The images of the instants. */
export type Captured = {
  /** How `auto` captured the page. Undefined: it did not. */
  capture?: CaptureDecision;
  /** What the browser shows. */
  shown: Image[];
} & Partial<Record<CapturePath, Image[]>>;

/** Captures a page by the given paths. */
export async function capturePage({ files, ownBrowser }: FidelityPage, ...paths: CapturePath[]): Promise<Captured> {
  const projectDir = project(files);
  const launchStage = ownBrowser ? launch : launchShared;
  const captured: Partial<Captured> = {};
  for (const capture of paths) {
    const { images, captured: found } = await captureFrames({ projectDir, fps, capture }, launchStage);
    captured[capture] = instants.map((frame) => images[frame] as Image);
    if (capture === 'auto') captured.capture = found.capture;
  }
  const shown = await launchStage({ ...surroundings, root: projectDir }, (place) => showPage(projectDir, place));
  return { ...captured, shown };
}

/** The browser's screenshots. Each is taken of a new page, so that no earlier screenshot can influence it. */
async function showPage(projectDir: string, place: RenderPlace): Promise<Image[]> {
  const request: RenderRequest = { projectDir, format: 'png', fps, capture: 'screenshot' };
  return withProbed(request, place, async (probed) => {
    const images: Image[] = [];
    for (const frame of instants) {
      const page = await pageOf(probed, 'plain');
      // The first frame of a video is drawn differently from later ones.
      if (frame > 0) await page.call('show', frame - 1);
      images.push(PNG.sync.read(await screenshot(page, frame, probed.plan, 'png')));
      await page.close();
    }
    return images;
  });
}

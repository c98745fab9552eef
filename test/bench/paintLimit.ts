// Paint alone: our renderer without encoders.
import { join } from 'node:path';
import type { FoundBrowser } from '../../renderer-core/capture/findBrowser.ts';
import type { PaintTimes } from './paintAlone.ts';
import { type Measured, measure } from './processTree.ts';

export async function measurePaint(
  browser: FoundBrowser,
  ffmpeg: string,
  { project, pages }: { project: string; pages: number },
): Promise<Measured> {
  const program = join(import.meta.dirname, 'paintAlone.ts');
  const measured = await measure({
    command: process.execPath,
    args: ['--import', 'tsx', program, project, browser.path, ffmpeg, String(pages)],
    env: browser.env ?? {},
  });
  const { seconds, cpuSecondsBefore } = JSON.parse(measured.outputs[0] ?? '') as PaintTimes;
  const { cpuSeconds } = measured;
  return { ...measured, seconds, cpuSeconds: cpuSeconds === null ? null : cpuSeconds - cpuSecondsBefore };
}

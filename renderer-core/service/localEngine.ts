// Renders in this process, with a browser of its own.
import { parseFrameRate } from '../plan/frameRate.ts';
import { type RenderEvent, renderVideo } from '../render/renderVideo.ts';
import type { RenderEngine } from './renderEngine.ts';

export const renderHere: RenderEngine = async ({ request, signal, onPlan, onProgress }) => {
  const report = await renderVideo({
    ...request,
    signal,
    onEvent: (event) => tellProgress(event, onProgress),
    onPlan: ({ frames, fps }) => onPlan((frames * fps.den) / fps.num),
  });
  const { frames, bytes, width, height, warnings, durationSeconds: seconds } = report;
  const { num, den } = parseFrameRate(report.fps);
  return { seconds, frames, bytes, fps: num / den, width, height, warnings };
};

/** The end of a render, which has no frames to count, is this part of it. */
const captured = 0.95;

function tellProgress(event: RenderEvent, tell: (value: number) => void): void {
  if (event.type === 'frames') tell((captured * event.done) / event.total);
  else if (event.type === 'stage') tell(event.stage === 'assemble' ? captured : 0);
}

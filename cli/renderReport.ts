// What `framework render` prints for people when it is done, and what `--dry-run` prints instead.
import { formatFrameRate } from '../plan/frameRate.ts';
import type { RenderPlan } from '../plan/plan.ts';
import type { RenderReport } from '../render/renderVideo.ts';
import { bytesText, countText, rateText, secondsText } from './amounts.ts';
import type { Colors } from './colors.ts';

/** The path stands alone on the first line, for whoever takes it from there. */
export function reportText(report: RenderReport, colors: Colors): string {
  const { frames, width, height, fps, durationSeconds, bytes, elapsedMs, capture, workers } = report;
  const seconds = elapsedMs / 1000;
  const facts = [
    countText(frames, 'frame'),
    `${width}x${height} at ${fps} fps`,
    secondsText(durationSeconds),
    bytesText(bytes),
    `rendered in ${secondsText(seconds)} (${rateText(seconds > 0 ? frames / seconds : 0)} frames/s)`,
  ].join(', ');
  const how = `capture: ${capture.path} (${capture.reason}); workers: ${workers.count} (${workers.reason})`;
  return `${report.output}\n${facts}\n${colors.dim(how)}\n`;
}

/** `output` absolute. */
export function planText(plan: RenderPlan, output: string): string {
  const { composition, width, height, fps, frames, duration, format, codec, quality, hdr, chunks, variables } = plan;
  const names = Object.keys(variables);
  const rows = [
    ['composition', composition],
    ['output', output],
    ['picture', `${width}x${height} at ${formatFrameRate(fps)} fps`],
    ['length', `${secondsText(duration)}, ${countText(frames, 'frame')} in ${countText(chunks.length, 'chunk')}`],
    ['format', [format, codec, quality, hdr ? 'HDR' : null].filter((part) => part !== null).join(', ')],
    ['variables', names.length > 0 ? names.join(', ') : 'none given'],
  ];
  return `${rows.map(([name = '', value]) => `${name.padEnd(13)}${value}`).join('\n')}\n`;
}

// The text that `framework render` prints for people: the report, and the plan of `--dry-run`.
import { formatFrameRate } from '../../renderer-core/plan/frameRate.ts';
import type { RenderPlan } from '../../renderer-core/plan/renderPlan.ts';
import type { RenderReport } from '../../renderer-core/render/renderReport.ts';
import type { Colors } from './colors.ts';
import { bytesText, countText, rateText, secondsText } from './format.ts';

/** The first line contains only the path, so that scripts can read it. */
export function reportText(report: RenderReport, colors: Colors): string {
  const { fonts, frames, width, height, fps, durationSeconds, bytes, elapsedMs, capture, resumedFrames, workers } =
    report;
  const seconds = elapsedMs / 1000;
  const resumed = resumedFrames === undefined ? '' : ` (${resumedFrames} of them by the interrupted render)`;
  const facts = [
    `${countText(frames, 'frame')}${resumed}`,
    `${width}x${height} at ${fps} fps`,
    secondsText(durationSeconds),
    bytesText(bytes),
    `rendered in ${secondsText(seconds)} (${rateText(seconds > 0 ? frames / seconds : 0)} frames/s)`,
  ].join(', ');
  const card = capture.card === null ? '' : `; drawn with ${capture.card}: frames may differ on other machines`;
  const how = `capture: ${capture.path} (${capture.reason})${card}; workers: ${workers.count} (${workers.reason})`;
  return `${report.output}\n${facts}\n${colors.dim(how)}\n${colors.dim(fontsText(fonts))}\n`;
}

/** `fonts: Inter, Arial (as Arimo)` */
export function fontsText(fonts: RenderReport['fonts']): string {
  if (fonts === null) return 'fonts: those of this machine; text may differ on other machines';
  return `fonts: ${fontNames(fonts)}`;
}

/** `Inter, Arial (as Arimo)` */
export function fontNames(fonts: NonNullable<RenderReport['fonts']>): string {
  const names = fonts.map(({ family, substitute }) => (substitute === null ? family : `${family} (as ${substitute})`));
  return names.join(', ') || 'none';
}

/** `output` is an absolute path. */
export function planText(plan: RenderPlan, output: string): string {
  const {
    composition,
    width,
    height,
    fps,
    frames,
    duration,
    format,
    codec,
    quality,
    crf,
    bitrate,
    hdr,
    bitDepth,
    chunks,
    variables,
  } = plan;
  const from = plan.firstFrame ? `, from frame ${plan.firstFrame}` : '';
  const rate = crf === undefined ? (bitrate === undefined ? null : `${bitrate / 1000} kbit/s`) : `crf ${crf}`;
  const depth = hdr ? `HDR (${hdr.toUpperCase()})` : bitDepth === 10 ? '10 bits' : null;
  const names = Object.keys(variables);
  const rows = [
    ['composition', composition],
    ['output', output],
    ['video', `${width}x${height} at ${formatFrameRate(fps)} fps`],
    [
      'duration',
      `${secondsText(duration)}, ${countText(frames, 'frame')} in ${countText(chunks.length, 'chunk')}${from}`,
    ],
    ['format', [format, codec, quality, rate, depth].filter((part) => part !== null).join(', ')],
    ['variables', names.length > 0 ? names.join(', ') : 'defaults'],
  ];
  return `${rows.map(([name = '', value]) => `${name.padEnd(13)}${value}`).join('\n')}\n`;
}

// Text for a render on AWS: one line of progress, all its facts, and amounts in US dollars.
import type { RenderProgress } from '../../../serverless/renders/reports.ts';
import type { Colors } from '../../output/colors.ts';
import { bytesText, countText, secondsText, table } from '../../output/format.ts';
import { barText } from '../../output/liveLine.ts';
import { fontNames } from '../../output/renderReport.ts';

export const dollars = (usd: number): string => `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(3)}`;

export function progressLine({
  status,
  overallProgress,
  framesRendered,
  totalFrames,
  chunks,
  costs,
}: RenderProgress): string {
  const frames = totalFrames === null ? 'planning' : `${framesRendered}/${totalFrames} frames`;
  const done = chunks.total === null ? '' : `, ${chunks.done}/${chunks.total} chunks`;
  const part = `${String(Math.floor(overallProgress * 100)).padStart(3)} %`;
  return `${barText(overallProgress)} ${part}  ${status === 'RUNNING' ? '' : `${status} `}${frames}${done}, ${dollars(costs.usd)}`;
}

export function progressText(progress: RenderProgress, colors: Colors): string {
  const { renderId, status, capture, fonts, slowestChunk, workersInvoked, costs, outputFile } = progress;
  const { errors, warnings, startedAt, endedAt } = progress;
  const paint = status === 'SUCCEEDED' ? colors.green : status === 'RUNNING' ? colors.cyan : colors.red;
  const rows = [
    ['render', renderId],
    ['status', paint(status)],
    ['progress', progressLine(progress)],
    ...(capture ? [['capture', `${capture.path}: ${capture.reason}`]] : []),
    ...(fonts ? [['fonts', fontNames(fonts)]] : []),
    ['workers', `${workersInvoked} invocations, about ${dollars(costs.usd)} so far`],
    ...(slowestChunk
      ? [
          [
            'slowest',
            `chunk ${slowestChunk.index}: ${secondsText(slowestChunk.seconds)}, ${Math.round(slowestChunk.shareOfLimit * 100)} % of its limit`,
          ],
        ]
      : []),
    ...(outputFile ? [['output', `${outputFile.s3Uri} (${bytesText(outputFile.bytes)})`]] : []),
    ...(outputFile?.url === undefined ? [] : [['url', outputFile.url]]),
    ['started', startedAt],
    ...(endedAt === null ? [] : [['ended', endedAt]]),
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(10)}${value}`);
  for (const message of warnings) lines.push(`${colors.yellow('warning:')} ${message}`);
  for (const { state, error, cause, log } of errors) {
    lines.push(`${colors.red(`${state}: ${error}`)}`, `  ${cause}`);
    if (log) lines.push(colors.dim(`  log: ${log.group} ${log.stream} request ${log.requestId}`));
  }
  return `${lines.join('\n')}\n`;
}

/** A row for each stage, and what follows from them. */
export function timingsText(timings: RenderProgress['timings']): string {
  if (timings === null) return 'The times are known when the render is planned.\n';
  const { stages, framesPerSecond, coldWorkers } = timings;
  const seconds = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} s`;
  const rows = stages.map(({ step, stage, medianSeconds, longestSeconds }) => [
    step,
    stage,
    seconds(medianSeconds),
    step === 'chunks' ? seconds(longestSeconds) : '',
  ]);
  const speed = framesPerSecond === null ? '' : `${framesPerSecond.toFixed(1)} frames/s per worker, `;
  const lines = table([['step', 'stage', 'median', 'longest'], ...rows]).map((line) => line.trimEnd());
  return `\n${lines.join('\n')}\n${speed}${countText(coldWorkers, 'worker')} started for this render\n`;
}

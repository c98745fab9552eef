// Text output of hosted renders: a report, all facts of one render, a table of renders, and the plan of a dry run.
import type { RenderRecord } from '../../../cloud/client/apiTypes.ts';
import type { CloudPlan, CloudReport } from '../../../cloud/client/cloudRender.ts';
import type { Colors } from '../../output/colors.ts';
import { bytesText, countText, secondsText, table } from '../../output/format.ts';

/**
 * The first line contains only the path or, if the command did not wait, the render id. `later` is then the command that
 * downloads the video.
 */
export function cloudReportText(report: CloudReport, colors: Colors, later?: string): string {
  const { renderId, assetId, record, output, bytes } = report;
  const again = assetId === null ? '' : `to render this project again without uploading it: --asset-id ${assetId}\n`;
  if (output === null) return `${renderId}\n${colors.dim(`to download the video: ${later}\n${again}`)}`;
  const facts = [
    renderId,
    ...(record ? videoFacts(record) : []),
    ...(bytes === null ? [] : [bytesText(bytes)]),
    ...(record?.credits == null ? [] : [countText(record.credits, 'credit')]),
  ].join(', ');
  return `${output}\n${facts}\n${colors.dim(again)}`;
}

/** All known facts, one per line. */
export function recordText(record: RenderRecord): string {
  const percent = `${Math.floor((Number(record.progress) || 0) * 100)} %`;
  const failure = [record.failure_message, record.failure_code && `(${record.failure_code})`].filter(Boolean).join(' ');
  const rows: [string, string | null | undefined][] = [
    ['render_id', record.render_id],
    ['status', record.status === 'rendering' ? `rendering, ${percent}` : record.status],
    ['title', record.title],
    ['composition', record.composition],
    ['video', videoFacts(record).join(', ')],
    ['created', timeText(record.created_at)],
    ['completed', timeText(record.completed_at)],
    ['credits', record.credits == null ? null : String(record.credits)],
    ['callback_id', record.callback_id],
    ['failure', failure],
    ['video_url', record.video_url],
    ['thumbnail', record.thumbnail_url],
    ...(record.warnings ?? []).map((text): [string, string] => ['warning', text]),
  ];
  return rows.map(([name, value]) => (value ? `${name.padEnd(13)}${oneLine(value)}\n` : '')).join('');
}

/** One row per render, in columns. */
export function recordTable(records: readonly RenderRecord[]): string {
  const rows = records.map((record) => [
    record.render_id,
    record.status === 'rendering' ? `rendering ${Math.floor((Number(record.progress) || 0) * 100)} %` : record.status,
    timeText(record.created_at) ?? '',
    record.duration == null ? '' : secondsText(record.duration),
    [record.format, record.resolution, record.aspect_ratio].filter(Boolean).join(' '),
    record.title ?? '',
  ]);
  const all = [['RENDER', 'STATUS', 'CREATED', 'LENGTH', 'VIDEO', 'TITLE'], ...rows.map((row) => row.map(oneLine))];
  return `${table(all).join('\n')}\n`;
}

/** The files with their sizes, the archive, and the request that would be sent. */
export function cloudPlanText({ archive, order, warnings: _, ...plan }: CloudPlan): string {
  const files = archive?.files ?? [];
  const listed = files.map(({ path, size }) => `${bytesText(size).padStart(8)}  ${oneLine(path)}\n`).join('');
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const sums = archive
    ? `\n${countText(files.length, 'file')}, ${bytesText(total)}; archive ${bytesText(archive.bytes)}, sha256 ${archive.sha256}\n`
    : '';
  const key = `idempotency key ${plan.idempotencyKey}\n`;
  return `${listed}${sums}${key}\nPOST /v3/framework/renders\n${JSON.stringify(order, null, 2)}\n`;
}

function videoFacts({ duration, fps, format, resolution, aspect_ratio: ratio, quality }: RenderRecord): string[] {
  return [
    ...(duration == null ? [] : [secondsText(duration)]),
    ...(fps == null ? [] : [`${fps} fps`]),
    ...[format, resolution, ratio, quality].filter((fact): fact is string => typeof fact === 'string' && fact !== ''),
  ];
}

/** `2026-11-21 20:08:00 UTC`. */
function timeText(seconds: number | null | undefined): string | null {
  if (typeof seconds !== 'number' || !(Math.abs(seconds) < 8.64e12)) return null;
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace(/\..*$/, ' UTC');
}

/** Removes control characters, because the text comes from others and must not control the terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

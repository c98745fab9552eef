// Runs our renderer like its users: with the built command line.
import { join } from 'node:path';
import type { FoundBrowser } from '../../renderer-core/capture/findBrowser.ts';
import type { RenderReport } from '../../sdk/index.ts';
import { type Measured, measure, type Program } from './processTree.ts';

export type OursOptions = {
  project: string;
  output: string;
  format?: 'mp4' | 'png';
  quality?: string;
  capture?: 'paint' | 'screenshot';
  workers?: number;
  from?: string;
  to?: string;
};

export type OursRun = Measured & { report: RenderReport };

const cli = join(import.meta.dirname, '../../dist/cli.js');

export async function renderOurs(browser: FoundBrowser, ffmpeg: string, options: OursOptions): Promise<OursRun> {
  const measured = await measure({ ...program(browser, ffmpeg, options), env: browser.env });
  return { ...measured, report: reportIn(measured.outputs[0] ?? '') };
}

function program(browser: FoundBrowser, ffmpeg: string, options: OursOptions): Program {
  const { project, output, format, quality, capture, workers, from, to } = options;
  const args = [cli, 'render', project, '--output', output, '--browser', browser.path, '--ffmpeg', ffmpeg];
  if (format) args.push('--format', format);
  if (quality) args.push('--quality', quality);
  if (capture) args.push('--capture', capture);
  if (workers) args.push('--workers', String(workers));
  if (from) args.push('--from', from);
  if (to) args.push('--to', to);
  return { command: process.execPath, args: [...args, '--json', '--progress', 'none'] };
}

function reportIn(output: string): RenderReport {
  const parsed: unknown = JSON.parse(output);
  const report = isRecord(parsed) && isRecord(parsed.report) ? parsed.report : parsed;
  if (!isRecord(report) || !isRecord(report.capture)) throw new Error(`Not a render report: ${output}`);
  return report as unknown as RenderReport;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

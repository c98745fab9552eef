// Runs our renderer like its users: the built command line, or the built package if that does not exist yet.
import { existsSync } from 'node:fs';
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

const dist = join(import.meta.dirname, '../../dist');

export async function renderOurs(browser: FoundBrowser, ffmpeg: string, options: OursOptions): Promise<OursRun> {
  const cli = join(dist, 'cli.js');
  const program = existsSync(cli) ? withCli(cli, browser, ffmpeg, options) : withPackage(browser, ffmpeg, options);
  const measured = await measure({ ...program, env: browser.env });
  return { ...measured, report: reportIn(measured.outputs[0] ?? '') };
}

function withCli(cli: string, browser: FoundBrowser, ffmpeg: string, options: OursOptions): Program {
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

function withPackage(browser: FoundBrowser, ffmpeg: string, { project, ...options }: OursOptions): Program {
  const request = { ...options, projectDir: project, browserPath: browser.path, ffmpegPath: ffmpeg };
  const script = `import { renderVideo } from ${JSON.stringify(join(dist, 'index.js'))};
    console.log(JSON.stringify(await renderVideo(${JSON.stringify(request)})));`;
  return { command: process.execPath, args: ['--input-type=module', '--eval', script] };
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

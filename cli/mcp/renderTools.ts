// The tools `render` and `render_batch`: render videos with progress, until the client cancels.

import { join, resolve } from 'node:path';
import { given } from '../../renderer-core/model/variables/given.ts';
import { formatTable } from '../../renderer-core/plan/formats.ts';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import { resolveProject } from '../../renderer-core/project/findProject.ts';
import type { BatchEvent, BatchReport, BatchResult } from '../../renderer-core/render/batch/batchReport.ts';
import type { BatchRequest } from '../../renderer-core/render/batch/batchTypes.ts';
import { planBatch, renderBatch } from '../../renderer-core/render/batch/renderBatch.ts';
import { renderWithHost } from '../../renderer-core/render/host/hostClient.ts';
import type { RenderEvent } from '../../renderer-core/render/renderReport.ts';
import { warningLines } from '../output/batchProgress.ts';
import { folderOf } from './snapshotTool.ts';
import { type Call, result, sizeOf, tool } from './tool.ts';
import { batchDefinition, type RenderFields, renderDefinition } from './toolDefinitions.ts';
import { renderText } from './toolText.ts';

const requestOf = (input: RenderFields) =>
  given({
    composition: input.composition,
    variables: input.variables,
    strictVariables: input.strict,
    fps: input.fps,
    ...sizeOf(input),
    format: input.format,
    quality: input.quality,
    captions: input.captions,
  });

/** In the project folder, independent of the working directory. */
async function defaultOutput(
  dir: string,
  { composition: named, format }: RenderFields,
  suffix: string,
): Promise<string> {
  const { root, composition: path } = await resolveProject(dir, named);
  const name = path.replace(/^.*\//, '').replace(/\.html?$/i, '');
  return join(root, 'renders', `${name}${suffix}${formatTable[format ?? 'mp4'].extension}`);
}

export const renderTool = tool(renderDefinition, async (input, { folders, programs, surroundings }, call) => {
  const dir = await folders.inside(input.project ?? '.');
  const asked = input.output ?? (await defaultOutput(dir, input, ''));
  const output = await folders.inside(asked, folderOf(dir));
  const request = {
    ...programs,
    ...requestOf(input),
    projectDir: dir,
    output,
    signal: call.signal,
    onEvent: (event: RenderEvent) => reportFrames(event, call),
  };
  const report = await renderWithHost(request, { ...surroundings, owner: process.pid });
  return result(renderText(report), report);
});

function reportFrames(event: RenderEvent, { progress }: Call): void {
  if (event.type === 'stage') progress(0, undefined, event.message);
  if (event.type !== 'frames') return;
  const left = event.remainingSeconds === null ? '' : `, ${Math.ceil(event.remainingSeconds)} s left`;
  progress(event.done, event.total, `${event.done} of ${event.total} frames${left}`);
}

export const batchTool = tool(batchDefinition, async (input, { folders, programs, surroundings }, call) => {
  const dir = await folders.inside(input.project ?? '.');
  const from = folderOf(dir);
  const output = input.output ?? (await defaultOutput(dir, input, '-{index}'));
  // A placeholder is replaced by a part of a file name, which cannot change the folder.
  await folders.inside(output.replaceAll(/\{[^{}]*\}/g, 'x'), from);
  const rows = typeof input.rows === 'string' ? await folders.inside(input.rows, from) : input.rows;
  const request: BatchRequest = {
    ...programs,
    ...requestOf(input),
    ...given({ concurrency: input.concurrency, resume: input.resume }),
    projectDir: dir,
    rows,
    output: resolve(from, output),
    signal: call.signal,
    onEvent: (event) => reportRows(event, call),
  };
  // The output of a row may be a link to a file in another folder.
  for (const row of (await planBatch(request, surroundings)).rows) await folders.inside(row.output);
  const batch = renderBatch(request, surroundings);
  const results: BatchResult[] = [];
  let next = await batch.next();
  for (; !next.done; next = await batch.next()) results.push(next.value);
  return batchResult(next.value, results);
});

function reportRows(event: BatchEvent, { progress }: Call): void {
  if (event.type === 'stage') progress(0, undefined, event.message);
  if (event.type !== 'rows') return;
  const done = event.completed + event.failed;
  progress(done, event.total, `${done} of ${event.total} rows${event.failed > 0 ? `, ${event.failed} failed` : ''}`);
}

function batchResult(report: BatchReport, results: readonly BatchResult[]) {
  const lines = results.map((row) =>
    row.status === 'completed'
      ? `row ${rowNumber(row.index)}: ${row.output}`
      : `row ${rowNumber(row.index)} failed: ${row.error.message}`,
  );
  const warned = warningLines(report.warnings).map((line) => `Warning: ${line}`);
  const defaults =
    report.usedDefaults > 0 ? `; ${report.usedDefaults} used defaults because of values that do not fit` : '';
  const sum = `${report.completed} of ${report.total} rows completed, ${report.failed} failed${defaults}; manifest: ${report.manifest}`;
  const { content, structuredContent } = result([...warned, ...lines, sum].join('\n'), { ...report, rows: results });
  return {
    content,
    ...(structuredContent ? { structuredContent } : {}),
    ...(report.failed > 0 ? { isError: true } : {}),
  };
}

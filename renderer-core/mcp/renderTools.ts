// The tools `render` and `render_batch`: videos, with progress while they are made, and an end when the client cancels.
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { formats, qualities } from '../plan/formats.ts';
import { resolveProject } from '../project/paths.ts';
import { type BatchEvent, type BatchReport, type BatchResult, renderBatch } from '../render/renderBatch.ts';
import { type RenderEvent, type RenderReport, renderVideo } from '../render/renderVideo.ts';
import { composition, fps, given, project, resolution, strict, variables } from './inputs.ts';
import { folderOf } from './snapshotTool.ts';
import { answer, type Call, tool } from './tool.ts';

const shared = {
  project,
  composition,
  variables,
  strict,
  fps,
  resolution,
  format: z
    .enum(formats)
    .optional()
    .describe('Default: by the extension of the output, else mp4. png: a folder of frames.'),
  quality: z.enum(qualities).optional().describe('Default: standard. draft is faster.'),
};

type Shared = z.infer<z.ZodObject<typeof shared>>;

const requestOf = (input: Shared) =>
  given({
    composition: input.composition,
    variables: input.variables,
    strictVariables: input.strict,
    fps: input.fps,
    resolution: input.resolution,
    format: input.format,
    quality: input.quality,
  });

/** Beside the composition, wherever this process was started. */
async function defaultOutput(dir: string, { composition: named, format }: Shared, suffix: string): Promise<string> {
  const { root, composition: path } = await resolveProject(dir, named);
  const name = path.replace(/^.*\//, '').replace(/\.html?$/i, '');
  return join(root, 'renders', `${name}${suffix}${format === 'png' ? '' : `.${format ?? 'mp4'}`}`);
}

export const renderTool = tool({
  name: 'render',
  title: 'Render a video',
  description:
    'Renders a composition to a video file. Tells progress and can be cancelled; on failure or cancellation nothing is written. Look at a snapshot first: a render takes seconds to minutes. Answers with path, frames, size and seconds.',
  input: {
    ...shared,
    output: z
      .string()
      .optional()
      .describe('File to write, relative to the project folder. Default: renders/<composition>.mp4 there.'),
  },
  writes: true,
  async run(input, { folders, programs }, call) {
    const dir = await folders.inside(input.project ?? '.');
    const asked = input.output ?? (await defaultOutput(dir, input, ''));
    const output = await folders.inside(asked, folderOf(dir));
    const report = await renderVideo({
      ...programs,
      ...requestOf(input),
      projectDir: dir,
      output,
      signal: call.signal,
      onEvent: (event) => tellFrames(event, call),
    });
    return answer(renderText(report), report);
  },
});

function tellFrames(event: RenderEvent, { progress }: Call): void {
  if (event.type === 'stage') progress(0, undefined, event.message);
  if (event.type !== 'frames') return;
  const left = event.remainingSeconds === null ? '' : `, ${Math.ceil(event.remainingSeconds)} s left`;
  progress(event.done, event.total, `${event.done} of ${event.total} frames${left}`);
}

function renderText({
  output,
  frames,
  durationSeconds,
  width,
  height,
  fps: rate,
  bytes,
  elapsedMs,
  warnings,
}: RenderReport) {
  const facts = `${frames} frames, ${durationSeconds} s, ${width}x${height} at ${rate} fps, ${bytes} bytes`;
  const lines = [`${output}: ${facts}; rendered in ${(elapsedMs / 1000).toFixed(1)} s.`];
  return [...lines, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n');
}

export const batchTool = tool({
  name: 'render_batch',
  title: 'Render a video for each row',
  description:
    'Renders one video for each row of values. All rows are checked before the first one renders; a row that fails does not stop the others. Tells progress and can be cancelled; with resume it goes on where it was left.',
  input: {
    ...shared,
    rows: z
      .union([z.array(z.record(z.string(), z.unknown())).min(1), z.string()])
      .describe(
        'Rows of values by variable id, or the path of a JSON, JSONL or CSV file with them, relative to the project folder.',
      ),
    output: z
      .string()
      .optional()
      .describe(
        'Files to write, with {key} for a value of the row and {index}, relative to the project folder. Default: renders/<composition>-{index}.mp4.',
      ),
    concurrency: z.number().int().min(1).max(8).optional().describe('Rows that render at once. Default: 1.'),
    resume: z.boolean().optional().describe('Leave out rows that are completed already. Default: false.'),
  },
  writes: true,
  async run(input, { folders, programs }, call) {
    const dir = await folders.inside(input.project ?? '.');
    const from = folderOf(dir);
    const output = input.output ?? (await defaultOutput(dir, input, '-{index}'));
    // A placeholder stands for a part of one name: it cannot lead anywhere else.
    await folders.inside(output.replaceAll(/\{[^{}]*\}/g, 'x'), from);
    const rows = typeof input.rows === 'string' ? await folders.inside(input.rows, from) : input.rows;
    const batch = renderBatch({
      ...programs,
      ...requestOf(input),
      ...given({ concurrency: input.concurrency, resume: input.resume }),
      projectDir: dir,
      rows,
      output: resolve(from, output),
      signal: call.signal,
      onEvent: (event) => tellRows(event, call),
    });
    const results: BatchResult[] = [];
    let next = await batch.next();
    for (; !next.done; next = await batch.next()) results.push(next.value);
    return batchAnswer(next.value, results);
  },
});

function tellRows(event: BatchEvent, { progress }: Call): void {
  if (event.type === 'stage') progress(0, undefined, event.message);
  if (event.type !== 'rows') return;
  const done = event.completed + event.failed;
  progress(done, event.total, `${done} of ${event.total} rows${event.failed > 0 ? `, ${event.failed} failed` : ''}`);
}

function batchAnswer(report: BatchReport, results: readonly BatchResult[]) {
  const lines = results.map((row) =>
    row.status === 'completed' ? `row ${row.index}: ${row.output}` : `row ${row.index} failed: ${row.error.message}`,
  );
  const sum = `${report.completed} of ${report.total} rows completed, ${report.failed} failed; statuses: ${report.manifest}`;
  const { content, structuredContent } = answer([...lines, sum].join('\n'), { ...report, rows: results });
  return {
    content,
    ...(structuredContent ? { structuredContent } : {}),
    ...(report.failed > 0 ? { isError: true } : {}),
  };
}

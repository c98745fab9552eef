// The tool `snapshot`: returns frames as one image for the model.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { SnapshotPicture, SnapshotReport } from '../../renderer-core/render/snapshot/snapshotReport.ts';
import { result, sizeOf, tool } from './tool.ts';
import { defaultSnapshotSide, snapshotDefinition } from './toolDefinitions.ts';
import { snapshotText } from './toolText.ts';

export const snapshotTool = tool(snapshotDefinition, async (input, { folders, snapshots }, { signal, progress }) => {
  const dir = await folders.inside(input.project ?? '.');
  const temporary = await mkdtemp(join(tmpdir(), 'framework-shot-'));
  try {
    const kept = input.output === undefined ? undefined : await folders.inside(input.output, folderOf(dir));
    const at = (input.at ?? []).map(String);
    const report = await snapshots.take({
      projectDir: dir,
      at,
      sheet: at.length > 1,
      maxSide: input.maxSide ?? defaultSnapshotSide,
      output: kept ?? join(temporary, 'frames.jpg'),
      signal,
      onEvent: (event) => event.type === 'stage' && progress(0, undefined, event.message),
      ...given({
        composition: input.composition,
        variables: input.variables,
        strictVariables: input.strict,
        fps: input.fps,
        ...sizeOf(input),
      }),
    });
    return await imageResult(report, kept !== undefined);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
});

/** The folder that relative outputs start from: the project folder, also if `dir` is a file in it. */
export const folderOf = (dir: string): string => (/\.html?$/i.test(dir) ? dirname(dir) : dir);

const mimeTypes: Readonly<Record<string, string>> = { '.png': 'image/png', '.webp': 'image/webp' };

async function imageResult(report: SnapshotReport, isKept: boolean) {
  const [picture] = report.pictures;
  if (!picture) throw new UserError('render_failed', 'The snapshot has no image.');
  const data = (await readFile(picture.output)).toString('base64');
  const mimeType = mimeTypes[extname(picture.output).toLowerCase()] ?? 'image/jpeg';
  const text = [snapshotText(report), ...(isKept ? [`Written to ${picture.output}.`] : [])].join('\n');
  const { content, ...rest } = result(text, dataOf(report, picture, isKept));
  return { ...rest, content: [{ type: 'image' as const, data, mimeType }, ...content] };
}

function dataOf(report: SnapshotReport, { frames, output, width, height, bytes }: SnapshotPicture, isKept: boolean) {
  const { pictures: _, ...rest } = report;
  return { ...rest, picture: { frames, width, height, bytes, output: isKept ? output : null } };
}

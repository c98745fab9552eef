// The tool `snapshot`: frames as pictures that the model can look at.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../errors.ts';
import type { SnapshotPicture, SnapshotReport } from '../render/snapshot.ts';
import { composition, fps, given, project, resolution, strict, variables } from './inputs.ts';
import { answer, tool } from './tool.ts';

/** Larger pictures are made smaller by models anyway. */
const usualSide = 1280;
const mostSide = 2000;
const mostFrames = 16;

export const snapshotTool = tool({
  name: 'snapshot',
  title: 'Look at frames',
  description:
    'Shows frames of a composition exactly as a render would have them, as one picture. Use it to look at what you have made: several times at once come as one sheet with their times below. Takes about a second. What the page throws, or a missing file, is an error with its file and line.',
  input: {
    project,
    composition,
    at: z
      .array(z.union([z.string(), z.number()]))
      .max(mostFrames)
      .optional()
      .describe('Times: seconds (2.5), frames ("12f") or parts of the whole ("50%"). Default: ["50%"].'),
    variables,
    strict,
    fps,
    resolution,
    maxSide: z
      .number()
      .int()
      .min(64)
      .max(mostSide)
      .optional()
      .describe(`Longest side of the picture in pixels. Default: ${usualSide}.`),
    output: z
      .string()
      .optional()
      .describe(
        'Also write the picture there (.png, .jpg or .webp), relative to the project folder. Default: nowhere.',
      ),
  },
  writes: true,
  async run(input, { folders, snapshots }, { signal, progress }) {
    const dir = await folders.inside(input.project ?? '.');
    const temporary = await mkdtemp(join(tmpdir(), 'framework-shot-'));
    try {
      const kept = input.output === undefined ? undefined : await folders.inside(input.output, folderOf(dir));
      const at = (input.at ?? []).map(String);
      const report = await snapshots.take({
        projectDir: dir,
        at,
        sheet: at.length > 1,
        maxSide: input.maxSide ?? usualSide,
        output: kept ?? join(temporary, 'frames.jpg'),
        signal,
        onEvent: (event) => event.type === 'stage' && progress(0, undefined, event.message),
        ...given({
          composition: input.composition,
          variables: input.variables,
          strictVariables: input.strict,
          fps: input.fps,
          resolution: input.resolution,
        }),
      });
      return await pictureOf(report, kept !== undefined);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  },
});

/** A relative output begins in the project folder, also where a file of it was named. */
export const folderOf = (dir: string): string => (/\.html?$/i.test(dir) ? dirname(dir) : dir);

const mimeTypes: Readonly<Record<string, string>> = { '.png': 'image/png', '.webp': 'image/webp' };

async function pictureOf(report: SnapshotReport, isKept: boolean) {
  const [picture] = report.pictures;
  if (!picture) throw new UserError('render_failed', 'No picture came of it.');
  const data = (await readFile(picture.output)).toString('base64');
  const mimeType = mimeTypes[extname(picture.output).toLowerCase()] ?? 'image/jpeg';
  const { content, ...rest } = answer(textOf(report, picture, isKept), dataOf(report, picture, isKept));
  return { ...rest, content: [{ type: 'image' as const, data, mimeType }, ...content] };
}

function textOf(report: SnapshotReport, { frames, output, width, height }: SnapshotPicture, isKept: boolean): string {
  const shown = frames.map(({ frame, seconds }) => `${seconds.toFixed(2)} s (frame ${frame})`).join(', ');
  return [
    `${shown} of ${report.durationSeconds} s, ${report.frames} frames at ${report.fps} fps; ${width}x${height} pixels.`,
    ...(isKept ? [`Written to ${output}.`] : []),
    ...report.warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n');
}

function dataOf(report: SnapshotReport, { frames, output, width, height, bytes }: SnapshotPicture, isKept: boolean) {
  const { pictures: _, ...rest } = report;
  return { ...rest, picture: { frames, width, height, bytes, output: isKept ? output : null } };
}

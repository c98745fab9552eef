// The `framework chunks` commands: one video, rendered by any programs that start other programs.
import type { CommandSpec, OptionSpec } from '../../command.ts';
import { importOptional } from '../../importOptional.ts';
import { choice, flag, valueOption, wholeNumber } from '../../options/optionSpecs.ts';
import { reportOptions, valueOptions } from '../../options/sharedOptions.ts';
import { sizeOptions } from '../../options/sizeOptions.ts';

const job = { name: 'job', summary: 'The job: a folder, or s3://<bucket>/<name>', complete: 'folder' } as const;
const [progress, json] = reportOptions as [OptionSpec, OptionSpec];
const run = () => importOptional(() => import('./chunks.ts'));

/** `programs`: the options for browser, ffmpeg and network. */
export const chunksCommands = (programs: readonly OptionSpec[], network: OptionSpec): readonly CommandSpec[] => [
  {
    name: 'chunks plan',
    summary: 'Upload a project and plan the chunks of its video, for any machines',
    positionals: [{ name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' }],
    options: [
      valueOption('to', 'The job: a folder, or s3://<bucket>/<name>', 'job', 'folder'),
      wholeNumber('chunks', 'Number of chunks (default: one for every 240 frames, as in a local render)', 1),
      ...valueOptions,
      ...sizeOptions(),
      valueOption('fps', 'Frames per second: 30, 29.97 or 30000/1001', 'rate'),
      choice('format', 'mp4, webm, mov or gif', 'name', ['mp4', 'webm', 'mov', 'gif']),
      valueOption('codec', 'Video codec', 'name'),
      choice('quality', 'draft, standard or high (default: standard)', 'name', ['draft', 'standard', 'high']),
      network,
      progress,
      json,
      ...programs,
    ],
    examples: [
      'framework chunks plan my-video --to /mnt/shared/job --chunks 24',
      'framework chunks plan my-video --to s3://renders/job',
    ],
    run: async (input, io) => (await run()).runChunksPlan(input, io),
  },
  {
    name: 'chunks render',
    summary: 'Render one chunk of a job; again or twice at once is harmless',
    positionals: [job],
    options: [
      { name: 'index', summary: 'Index of the chunk; the first one is 0', value: { label: 'n', wholeNumberFrom: 0 } },
      json,
      ...programs,
    ],
    examples: [
      'framework chunks render /mnt/shared/job --index 3',
      'seq 0 23 | xargs -P 4 -n 1 framework chunks render /mnt/shared/job --index',
    ],
    run: async (input, io) => (await run()).runChunksRender(input, io),
  },
  {
    name: 'chunks join',
    summary: 'Join the chunks of a job to its video',
    positionals: [job],
    options: [
      valueOption('output', 'Video file (default: the name of the composition)', 'path', 'file', 'o'),
      flag('wait', 'Wait until all chunks are rendered; give up after an hour without progress'),
      json,
    ],
    examples: ['framework chunks join /mnt/shared/job -o video.mp4', 'framework chunks join s3://renders/job --wait'],
    run: async (input, io) => (await run()).runChunksJoin(input, io),
  },
  {
    name: 'chunks status',
    summary: 'Show which chunks of a job are rendered',
    positionals: [job],
    options: [flag('watch', 'Show it again until all chunks are rendered, or an hour passes without progress'), json],
    examples: ['framework chunks status /mnt/shared/job', 'framework chunks status s3://renders/job --watch'],
    run: async (input, io) => (await run()).runChunksStatus(input, io),
  },
];

// How many chunks a serverless render has. `--dry-run` counts them without an AWS account.
import { composition } from '../../support/project.ts';
import { accept } from '../acceptance.ts';

/** A sentence, the frames of the composition, and for each command its options, the chunks and the frames of a chunk. */
const rows: [sentence: string, total: number, ...counted: [options: string, chunks: number, each: number][]][] = [
  [
    'With no option, the chunk count is min(maxParallelChunks, ceil(total / 240))',
    1000,
    ['', 5, 200],
    ['--max-parallel-chunks 3', 3, 334],
    ['--fps 24', 4, 200],
  ],
  ['The chunk count is at least 1', 1, ['', 1, 1], ['--target-chunk-frames 1000 --max-parallel-chunks 1', 1, 1]],
  [
    'With --chunk-size s, the chunk count is min(maxParallelChunks, ceil(total / s))',
    1000,
    ['--chunk-size 99', 11, 91],
    ['--chunk-size 100 --max-parallel-chunks 4', 4, 250],
  ],
  [
    'With --target-chunk-frames t, the chunk count is clamp(ceil(total / t), 1, maxParallelChunks)',
    1000,
    ['--target-chunk-frames 300', 4, 250],
    ['--target-chunk-frames 5000', 1, 1000],
    ['--target-chunk-frames 10 --max-parallel-chunks 40', 40, 25],
  ],
  [
    '--target-chunk-frames is ignored when --chunk-size is set',
    1000,
    ['--target-chunk-frames 500 --chunk-size 100', 10, 100],
  ],
  [
    'When more chunks would be needed than maxParallelChunks, the count stays at the cap',
    90_000,
    ['', 16, 5625],
    ['--chunk-size 1 --max-parallel-chunks 100', 100, 900],
  ],
  ['No chunk is empty', 10, ['--target-chunk-frames 1 --max-parallel-chunks 100', 10, 1]],
  ['The default chunk size is 240 frames', 241, ['', 2, 121], ['--chunk-size 241', 1, 241]],
  ['The default of max parallel chunks is 16 per render', 4000, ['', 16, 250], ['--max-parallel-chunks 17', 17, 236]],
];

accept([
  ...rows.map(([sentence, total, ...counted]) => ({
    sentence,
    files: { 'index.html': composition('<p>Hello</p>', { duration: total / 30 }) },
    steps: counted.map(([options, chunks, framesPerChunk]) => ({
      run: `serverless render --dry-run --json ${options}`,
      json: { chunks, framesPerChunk },
    })),
  })),
  {
    sentence: 'A chunk count is a whole number of at least 1; other values are usage errors',
    files: { 'index.html': composition('') },
    steps: [
      { run: 'serverless render --dry-run --chunk-size 0', exit: 2, prints: ['--chunk-size'] },
      {
        run: 'serverless render --dry-run --chunks auto --chunk-size 9',
        exit: 2,
        prints: ['--chunks auto and --chunk-size cannot be combined'],
      },
      { run: 'serverless render --dry-run --target-chunk-frames 1.5', exit: 2, prints: ['--target-chunk-frames'] },
      { run: 'serverless render --dry-run --max-parallel-chunks 0', exit: 2, prints: ['--max-parallel-chunks'] },
    ],
  },
]);

// How many chunks a serverless render has. `--dry-run` counts them without an AWS account.
import { composition } from '../support/project.ts';
import { accept, type Command } from './acceptance.ts';

/** A composition with this number of frames at 30 frames per second. */
const frames = (count: number): { 'index.html': string } => ({
  'index.html': composition('<p>Hello</p>', { duration: count / 30 }),
});

const counts = (options: string, chunks: number, framesPerChunk: number): Command => ({
  run: `serverless render --dry-run --json ${options}`,
  json: { chunks, framesPerChunk },
});

accept([
  {
    sentence: 'With no option, the chunk count is min(maxParallelChunks, ceil(total / 240))',
    files: frames(1000),
    steps: [counts('', 5, 200), counts('--max-parallel-chunks 3', 3, 334), counts('--fps 24', 4, 200)],
  },
  {
    sentence: 'The chunk count is at least 1',
    files: frames(1),
    steps: [
      counts('', 1, 1),
      counts('--chunk-size 1000', 1, 1),
      counts('--target-chunk-frames 1000 --max-parallel-chunks 1', 1, 1),
    ],
  },
  {
    sentence: 'With --chunk-size s, the chunk count is min(maxParallelChunks, ceil(total / s))',
    files: frames(1000),
    steps: [
      counts('--chunk-size 100', 10, 100),
      counts('--chunk-size 99', 11, 91),
      counts('--chunk-size 100 --max-parallel-chunks 4', 4, 250),
    ],
  },
  {
    sentence: 'With --target-chunk-frames t, the chunk count is clamp(ceil(total / t), 1, maxParallelChunks)',
    files: frames(1000),
    steps: [
      counts('--target-chunk-frames 300', 4, 250),
      counts('--target-chunk-frames 5000', 1, 1000),
      counts('--target-chunk-frames 10', 16, 63),
      counts('--target-chunk-frames 10 --max-parallel-chunks 40', 40, 25),
    ],
  },
  {
    sentence: '--target-chunk-frames is ignored when --chunk-size is set',
    files: frames(1000),
    steps: [counts('--target-chunk-frames 500 --chunk-size 100', 10, 100)],
  },
  {
    sentence: 'When more chunks would be needed than maxParallelChunks, the count stays at the cap',
    files: frames(90_000),
    steps: [counts('', 16, 5625), counts('--chunk-size 1 --max-parallel-chunks 100', 100, 900)],
  },
  {
    sentence: 'No chunk is empty',
    files: frames(10),
    steps: [counts('--chunk-size 1', 10, 1), counts('--target-chunk-frames 1 --max-parallel-chunks 100', 10, 1)],
  },
  {
    sentence: 'The default chunk size is 240 frames',
    files: frames(241),
    steps: [counts('', 2, 121), counts('--chunk-size 241', 1, 241)],
  },
  {
    sentence: 'The default of max parallel chunks is 16 per render',
    files: frames(4000),
    steps: [counts('', 16, 250), counts('--max-parallel-chunks 17', 17, 236)],
  },
  {
    sentence: 'A chunk count is a whole number of at least 1; other values are usage errors',
    files: frames(10),
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

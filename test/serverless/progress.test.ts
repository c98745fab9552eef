// What `progress` tells of an execution and of what its workers wrote: the slowest chunk, a warning, errors with their log.
import type { SFNClient } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { colorsFor } from '../../renderer-core/cli/colors.ts';
import { progressText } from '../../renderer-core/cli/serverlessProgress.ts';
import type { Bucket } from '../../renderer-core/serverless/bucket.ts';
import type { ChunkProgress } from '../../renderer-core/serverless/chunkProgress.ts';
import { keys } from '../../renderer-core/serverless/keys.ts';
import { readProgress } from '../../renderer-core/serverless/progress.ts';

const now = Date.UTC(2026, 0, 1, 12);
const arn = 'arn:aws:states:us-east-1:000000000000:execution:RenderStateMachine-1:r-1';

const chunk = (index: number, more: Partial<ChunkProgress>): ChunkProgress => ({
  index,
  frames: 100,
  framesDone: 0,
  startedAt: now - 60_000,
  updatedAt: now,
  endedAt: null,
  attempts: 1,
  billedMs: 60_000,
  memoryMb: 2048,
  log: { group: '/aws/lambda/render', stream: `stream-${index}`, requestId: `request-${index}` },
  error: null,
  ...more,
});

/** An execution that AWS tells of, and the objects that its workers have written. */
async function told(status: string, chunks: ChunkProgress[]): Promise<Awaited<ReturnType<typeof readProgress>>> {
  const input = JSON.stringify({ renderId: 'r-1', bucket: 'b', outputKey: 'a.mp4' });
  const objects = new Map<string, unknown>([
    [keys.plan('r-1'), { plan: { frames: 300, chunks: [0, 1, 2] }, warnings: [] }],
    ...chunks.map((one) => [keys.progress('r-1', one.index), one] as const),
  ]);
  const answers: Record<string, unknown> = {
    DescribeExecutionCommand: {
      executionArn: arn,
      status,
      input,
      startDate: new Date(now - 90_000),
      cause: 'it broke',
    },
    GetExecutionHistoryCommand: { events: [] },
  };
  const client = { send: async (command: object) => answers[command.constructor.name] } as unknown as SFNClient;
  const bucket = {
    list: async (prefix: string) => [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    getJson: async (key: string) => objects.get(key),
  } as unknown as Bucket;
  return readProgress(client, arn, () => bucket, now);
}

test('frames, chunks, workers and dollars so far', async () => {
  const progress = await told('RUNNING', [
    chunk(0, { framesDone: 100, endedAt: now - 30_000 }),
    chunk(1, { framesDone: 50, attempts: 2 }),
  ]);
  expect(progress).toMatchObject({
    status: 'RUNNING',
    framesRendered: 150,
    totalFrames: 300,
    chunks: { done: 1, total: 3 },
    workersInvoked: 4,
    slowestChunk: { index: 1, seconds: 60 },
    warnings: [],
    errors: [],
    outputFile: null,
  });
  expect(progress.overallProgress).toBeCloseTo(0.02 + 0.95 / 2, 6);
  // 120 s of chunks and 10 of planning, at two gigabytes.
  expect(progress.costs.usd).toBeCloseTo(130 * (2 * 0.0000166667 + 9.5 * 0.0000000309) + 0.0002, 3);
});

test.each([
  [719, []],
  [
    720,
    [
      'Chunk 1 takes 720 s, 80 % of the 900 s that a worker has. Make chunks smaller with --chunk-size or --target-chunk-frames.',
    ],
  ],
])('a chunk that has run for %d s', async (seconds, warnings) => {
  const progress = await told('RUNNING', [chunk(0, {}), chunk(1, { startedAt: now - seconds * 1000 })]);
  expect(progress.warnings).toEqual(warnings);
  expect(progressText(progress, colorsFor({ write: () => true }, {}))).toContain(`slowest   chunk 1: `);
});

test('an error, with the log line to look at', async () => {
  const failed = chunk(2, { error: { code: 'script_error', message: 'index.html:3: no such font' } });
  const text = progressText(await told('FAILED', [failed]), colorsFor({ write: () => true }, {}));
  expect(text).toContain('RenderChunk 2: script_error\n  index.html:3: no such font\n');
  expect(text).toContain('  log: /aws/lambda/render stream-2 request request-2\n');
});

// Progress of a render from its execution and its workers: the slowest chunk, a warning, errors with their log.
import type { SFNClient } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { progressText } from '../../../cli/commands/serverless/serverlessText.ts';
import { colorsFor } from '../../../cli/output/colors.ts';
import type { Bucket } from '../../../serverless/bucket.ts';
import { keys } from '../../../serverless/keys.ts';
import { readProgress } from '../../../serverless/renders/progress.ts';
import type { StoredReport } from '../../../serverless/renders/storedRender.ts';
import type { ChunkProgress } from '../../../serverless/steps/chunkProgress.ts';

const now = Date.UTC(2026, 0, 1, 12);
const arn = 'arn:aws:states:us-east-1:000000000000:execution:RenderStateMachine-1:r-1';

const chunk = (index: number, more: Partial<ChunkProgress>): ChunkProgress => ({
  index,
  frames: 100,
  framesDone: 0,
  startedAt: now - 60_000,
  firstFrameAt: null,
  updatedAt: now,
  endedAt: null,
  attempts: 1,
  billedMs: 60_000,
  memoryMb: 2048,
  log: { group: '/aws/lambda/render', stream: `stream-${index}`, requestId: `request-${index}` },
  error: null,
  times: null,
  ...more,
});

const capture = { path: 'paint', reason: '3 sample frames agree' };

/** AWS's own error of a render of many chunks, of which one has failed. */
const mapError = {
  error: 'States.ExceedToleratedFailureThreshold',
  cause: 'The specified tolerated failure threshold was exceeded',
};

type Told = {
  report?: StoredReport;
  planned?: string[];
  cause?: string;
  redriveDate?: Date;
  chunk?: object;
};

/**
 * An execution in AWS, and the objects that its workers have written. `planned`: the warnings of its plan. `chunk`: the execution of
 * the failed one of many chunks.
 */
async function told(
  status: string,
  chunks: ChunkProgress[],
  { report, planned = [], cause = 'it broke', redriveDate, chunk }: Told = {},
): Promise<Awaited<ReturnType<typeof readProgress>>> {
  const input = JSON.stringify({ renderId: 'r-1', bucket: 'b', outputKey: 'a.mp4' });
  const objects = new Map<string, unknown>([
    [keys.plan('r-1'), { plan: { frames: 300, chunks: [0, 1, 2] }, capture, warnings: planned }],
    [keys.report('r-1'), report],
    ...chunks.map((one) => [keys.progress('r-1', one.index), one] as const),
  ]);
  const render = { executionArn: arn, status, input, startDate: new Date(now - 90_000), cause, redriveDate };
  const answers: Record<string, unknown> = {
    DescribeExecutionCommand: chunk ? { ...render, ...mapError } : render,
    GetExecutionHistoryCommand: { events: [] },
    ListMapRunsCommand: { mapRuns: [{ mapRunArn: 'run' }] },
    ListExecutionsCommand: { executions: [{ executionArn: 'chunk' }] },
  };
  const send = async (command: { constructor: { name: string }; input: { executionArn?: string } }) =>
    command.input.executionArn === 'chunk' ? chunk : answers[command.constructor.name];
  const client = { send } as unknown as SFNClient;
  const bucket = {
    list: async (prefix: string) => [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    getJson: async (key: string) => objects.get(key),
  } as unknown as Bucket;
  return readProgress(client, arn, () => bucket, now);
}

test('reports frames, chunks, workers and cost so far', async () => {
  const progress = await told('RUNNING', [
    chunk(0, { framesDone: 100, endedAt: now - 30_000 }),
    chunk(1, { framesDone: 50, attempts: 2 }),
  ]);
  expect(progress).toMatchObject({
    status: 'RUNNING',
    framesRendered: 150,
    totalFrames: 300,
    chunks: { done: 1, total: 3 },
    capture,
    fonts: null,
    workersInvoked: 4,
    slowestChunk: { index: 1, seconds: 60 },
    warnings: [],
    errors: [],
    outputFile: null,
  });
  expect(progress.overallProgress).toBeCloseTo(0.02 + 0.95 / 2, 6);
  // 120 s of chunks and 10 s of planning, with 2 GB.
  expect(progress.costs.usd).toBeCloseTo(130 * (2 * 0.0000166667 + 9.5 * 0.0000000309) + 0.0002, 3);
});

const smaller = 'Use smaller chunks with --chunk-size or --target-chunk-frames.';
const passing =
  'Most of it is for passing the frames before the chunk, which smaller chunks do not change. Deploy workers with more memory, which have more processor time (--memory), or divide the video.';

test.each([
  [719, 30, []],
  [720, 360, [`Chunk 1 takes 720 s, 80 % of the limit of 900 s. ${smaller}`]],
  [720, 361, [`Chunk 1 takes 720 s, 80 % of the limit of 900 s. ${passing}`]],
  [720, null, [`Chunk 1 takes 720 s, 80 % of the limit of 900 s. ${passing}`]],
])('warns if a chunk has run for at least 80 %% of the time limit: %d s, first frame after %s s', async (seconds, first, warnings) => {
  const startedAt = now - seconds * 1000;
  const firstFrameAt = first === null ? null : startedAt + first * 1000;
  const progress = await told('RUNNING', [chunk(0, {}), chunk(1, { startedAt, firstFrameAt })]);
  expect(progress.warnings).toEqual(warnings);
  expect(progressText(progress, colorsFor({ write: () => true }, {}))).toContain(`slowest   chunk 1: `);
});

test('shows the capture path and its reason', async () => {
  const text = progressText(await told('RUNNING', []), colorsFor({ write: () => true }, {}));
  expect(text).toContain('capture   paint: 3 sample frames agree\n');
});

test('reports the fonts of the video, and each warning of its steps once', async () => {
  const report: StoredReport = {
    fonts: [
      { family: 'Arial', weights: ['400', '700'], source: 'pinned', substitute: 'Arimo' },
      { family: 'Brand', weights: ['400'], source: 'project', substitute: null },
    ],
    warnings: ['in a sample frame', 'in another frame'],
  };
  const progress = await told('SUCCEEDED', [], { report, planned: ['in the page', 'in a sample frame'] });
  expect(progress.fonts).toEqual(report.fonts);
  expect(progress.warnings).toEqual(['in the page', 'in a sample frame', 'in another frame']);
  const text = progressText(progress, colorsFor({ write: () => true }, {}));
  expect(text).toContain('fonts     Arial (as Arimo), Brand\n');
  expect(text).toContain('warning: in another frame\n');
});

test('reports an error with its log stream and request id', async () => {
  const failed = chunk(2, { error: { code: 'script_error', message: 'index.html:3: no such font' } });
  const text = progressText(await told('FAILED', [failed]), colorsFor({ write: () => true }, {}));
  expect(text).toContain('RenderChunk 2: script_error\n  index.html:3: no such font\n');
  expect(text).toContain('  log: /aws/lambda/render stream-2 request request-2\n');
});

test.each([
  [
    'Error: Runtime exited with error: signal: killed',
    'The worker of chunk 1 was killed, probably because its 2048 MB of memory were not enough. Deploy workers with more memory: framework serverless deploy --memory 4096',
  ],
  ['Task timed out after 900.00 seconds', `The worker of chunk 1 reached the limit of 900 s. ${smaller}`, 9],
  ['Task timed out after 900.00 seconds', `The worker of chunk 1 reached the limit of 900 s. ${passing}`, 800],
])('names the chunk and the log of a worker that was killed, and a remedy: %s', async (what, remedy, first = 0) => {
  const cause = JSON.stringify({ errorType: 'Runtime.ExitError', errorMessage: `RequestId: request-1 ${what}` });
  const firstFrameAt = now - 60_000 + first * 1000;
  const { errors } = await told('FAILED', [chunk(0, {}), chunk(1, { firstFrameAt })], { cause });
  expect(errors).toEqual([
    {
      state: 'RenderChunk 1',
      error: 'FAILED',
      cause: `RequestId: request-1 ${what}. ${remedy}`,
      log: { group: '/aws/lambda/render', stream: 'stream-1', requestId: 'request-1' },
    },
  ]);
});

test('names the chunk, the log and a remedy if one of many chunks was killed', async () => {
  const cause = JSON.stringify({
    errorMessage: 'RequestId: request-1 Error: Runtime exited with error: signal: killed',
  });
  const failed = { status: 'FAILED', error: 'Runtime.ExitError', cause, input: '{"index":1}' };
  const { errors } = await told('FAILED', [chunk(0, {}), chunk(1, {})], { chunk: failed });
  expect(errors).toEqual([
    {
      state: 'RenderChunk 1',
      error: 'Runtime.ExitError',
      cause: expect.stringContaining('signal: killed. The worker of chunk 1 was killed'),
      log: { group: '/aws/lambda/render', stream: 'stream-1', requestId: 'request-1' },
    },
  ]);
});

test('names one of many chunks that no worker has begun', async () => {
  const failed = {
    status: 'FAILED',
    error: 'Lambda.ResourceNotFoundException',
    cause: 'no function',
    input: '{"index":9}',
  };
  const { errors } = await told('FAILED', [chunk(0, {})], { chunk: failed });
  expect(errors).toEqual([{ state: 'RenderChunk 9', error: 'Lambda.ResourceNotFoundException', cause: 'no function' }]);
});

test('reports the error that one of many chunks has written', async () => {
  const written = chunk(1, { error: { code: 'script_error', message: 'index.html:3: no such font' } });
  const failed = {
    status: 'FAILED',
    error: 'Framework.Refused',
    cause: 'index.html:3: no such font.',
    input: '{"index":1}',
  };
  const { errors } = await told('FAILED', [chunk(0, {}), written], { chunk: failed });
  expect(errors).toMatchObject([{ state: 'RenderChunk 1', error: 'script_error', log: { stream: 'stream-1' } }]);
});

test('reports no errors from before a render was resumed', async () => {
  const failed = chunk(2, { updatedAt: now - 10_000, error: { code: 'page_crashed', message: 'The page crashed' } });
  expect((await told('RUNNING', [failed])).errors).toHaveLength(1);
  expect((await told('RUNNING', [failed], { redriveDate: new Date(now - 5000) })).errors).toEqual([]);
});

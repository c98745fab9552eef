// npm run bench:throttling: how the deployed retry policy gets loads through too few workers, by the model in throttlingModel.ts.
import { parseArgs } from 'node:util';
import {
  isDistributed,
  machineSeconds,
  maxChunksAtOnce,
  maxInlineChunks,
  throttledRetry,
} from '../../../serverless/deploy/stateMachine.ts';
import { estimateRender } from '../../../serverless/renders/estimate.ts';
import { figure, table } from '../table.ts';
import { type Load, type Outcome, type RetryPolicy, simulate } from './throttlingModel.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, json: { type: 'boolean', default: false } },
});

/** What the docs assume about a video of 30 fps: see serverless/renders/estimate.ts. */
function times(frames: number, chunks: number): Pick<Load, 'chunks' | 'seconds'> {
  const { assumed, framesPerChunk } = estimateRender(frames, { maxParallelChunks: chunks }, 4096);
  const { planSeconds: plan, assembleSeconds: assemble, coldStartSeconds, framesPerSecond } = assumed;
  return { chunks, seconds: { plan, assemble, chunk: coldStartSeconds + framesPerChunk / framesPerSecond } };
}

/** `quota`: workers of the account; fewer are free if others use them. */
type Case = { name: string; quota: number; load: Omit<Load, 'policy' | 'limitSeconds' | 'seed' | 'mapConcurrency'> };

const thirtySeconds = times(900, 4);
const cases: Case[] = [
  {
    name: '1,000 renders of 30 s, 32 workers, 8 at the same time',
    quota: 32,
    load: { renders: 1000, ...thirtySeconds, workers: 32, maxRunning: 8 },
  },
  {
    name: '1,000 renders of 30 s, 32 workers, 50 at the same time',
    quota: 32,
    load: { renders: 1000, ...thirtySeconds, workers: 32, maxRunning: 50 },
  },
  {
    name: '1,000 renders of 30 s, 32 workers, all at the same time',
    quota: 32,
    load: { renders: 1000, ...thirtySeconds, workers: 32, maxRunning: 1000 },
  },
  {
    name: 'a video of an hour, 10 workers',
    quota: 10,
    load: { renders: 1, ...times(108_000, 400), workers: 10, maxRunning: 1 },
  },
  {
    name: 'a video of an hour, 2 of 10 workers free',
    quota: 10,
    load: { renders: 1, ...times(108_000, 400), workers: 2, maxRunning: 1 },
  },
];

type Row = Case & { policy: string; outcome: Outcome };

/** That of the versions before. */
const earlier: RetryPolicy = { IntervalSeconds: 2, BackoffRate: 2, MaxDelaySeconds: 60, MaxAttempts: 20 };
const rows = cases.flatMap((one): Row[] => {
  const shared = { ...one.load, limitSeconds: machineSeconds, seed: Number(values.seed) };
  const most = isDistributed(one.load.chunks) ? maxChunksAtOnce : maxInlineChunks;
  const mapConcurrency = Math.min(most, one.quota);
  return [
    { ...one, policy: 'deployed', outcome: simulate({ ...shared, policy: throttledRetry, mapConcurrency }) },
    { ...one, policy: 'earlier', outcome: simulate({ ...shared, policy: earlier, mapConcurrency: maxInlineChunks }) },
  ];
});

if (values.json) console.log(JSON.stringify(rows, undefined, 2));
else
  console.log(
    table<Row>(
      [
        { title: 'Load', text: ({ name }) => name },
        { title: 'Policy', text: (row) => row.policy },
        { title: 'Succeeded', numeric: true, text: ({ outcome }) => String(outcome.succeeded) },
        { title: 'Failed', numeric: true, text: ({ outcome }) => String(outcome.failed) },
        { title: 'Timed out', numeric: true, text: ({ outcome }) => String(outcome.timedOut) },
        { title: 'Hours', numeric: true, text: ({ outcome }) => figure(outcome.hours, 2) },
        { title: 'Busy workers', numeric: true, text: ({ outcome }) => `${Math.round(100 * outcome.utilization)} %` },
        { title: 'Events, most', numeric: true, text: ({ outcome }) => String(outcome.events) },
      ],
      rows,
    ),
  );

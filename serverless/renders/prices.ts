// Computes the cost of a render in US dollars, with the public prices of us-east-1 and without the free tier. Prices of
// other regions differ by some percent.
import { isDistributed } from '../deploy/stateMachine.ts';

export const prices = {
  /** AWS Lambda, x86: GB-second and request. */
  lambdaGbSecond: 0.0000166667,
  lambdaRequest: 0.2 / 1e6,
  /** Temporary storage beyond 512 MB: GB-second. */
  lambdaStorageGbSecond: 0.0000000309,
  /** Step Functions, standard: a state transition. */
  transition: 0.025 / 1000,
  /** S3: a PUT or LIST, and a GET. */
  s3Write: 0.005 / 1000,
  s3Read: 0.0004 / 1000,
} as const;

/** Billed temporary storage in GB: 10,240 MB in the template, minus 512 MB that are free. */
const paidStorageGb = (10_240 - 512) / 1024;

export type RenderWork = {
  /** Total run time of all workers in milliseconds. */
  billedMs: number;
  memoryMb: number;
  invocations: number;
  chunks: number;
  transitions: number;
};

export type RenderCost = { usd: number; lambda: number; stepFunctions: number; s3: number };

/**
 * S3 requests per chunk: reading the plan, reading and writing the segment with its metadata, and writing the progress.
 */
const chunkWrites = 5;
const chunkReads = 6;

/** Total cost in dollars, and its parts. */
export function computeRenderCost({ billedMs, memoryMb, invocations, chunks, transitions }: RenderWork): RenderCost {
  const seconds = billedMs / 1000;
  const lambda =
    seconds * (memoryMb / 1024) * prices.lambdaGbSecond +
    seconds * paidStorageGb * prices.lambdaStorageGbSecond +
    invocations * prices.lambdaRequest;
  const stepFunctions = transitions * prices.transition;
  const s3 = (chunks * chunkWrites + 4) * prices.s3Write + (chunks * chunkReads + 10) * prices.s3Read;
  return { usd: lambda + stepFunctions + s3, lambda, stepFunctions, s3 };
}

/**
 * State transitions of a render: Start, Plan, CountChunks, Map, end of the Map, Assemble, and one per chunk. In a distributed Map, each
 * chunk is an execution of its own, which has two.
 */
export const transitionsOf = (chunks: number): number => 6 + chunks * (isDistributed(chunks) ? 2 : 1);

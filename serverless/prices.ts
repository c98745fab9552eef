// What AWS asks for a render. Public prices of us-east-1, in US dollars, without the free tier; other regions differ by some percent.

export const prices = {
  /** AWS Lambda, x86: a gigabyte for a second, and an invocation. */
  lambdaGbSecond: 0.0000166667,
  lambdaRequest: 0.2 / 1e6,
  /** Temporary storage beyond 512 MB: a gigabyte for a second. */
  lambdaStorageGbSecond: 0.0000000309,
  /** Step Functions, standard: a state transition. */
  transition: 0.025 / 1000,
  /** S3: a PUT or LIST, and a GET. */
  s3Write: 0.005 / 1000,
  s3Read: 0.0004 / 1000,
} as const;

/** Gigabytes of temporary storage that are paid for: the template's 10,240 MB less the 512 that are free. */
const paidStorageGb = (10_240 - 512) / 1024;

export type RenderWork = {
  /** Milliseconds that workers ran, all together. */
  billedMs: number;
  memoryMb: number;
  invocations: number;
  chunks: number;
  transitions: number;
};

export type RenderCost = { usd: number; lambda: number; stepFunctions: number; s3: number };

/** Requests of S3 for a chunk: plan, size, segment and facts read and written, progress now and then. */
const chunkWrites = 5;
const chunkReads = 6;

/** Dollars, and where they go. */
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

/** Start, Plan, the Map and its end, one for each chunk, Assemble, Done. */
export const transitionsOf = (chunks: number): number => 5 + chunks;

// Starts one render for each line of a JSONL file. All lines are checked before the first render starts.
import { createHash } from 'node:crypto';
import type { SFNClient } from '@aws-sdk/client-sfn';
import pLimit from 'p-limit';
import { UserError } from '../../renderer-core/errors.ts';
import type { Callback } from '../../webhooks/callback.ts';
import type { ChunkSettings, ServerlessConfig } from './execution.ts';
import { callbackOf, callbackProblem, checkInputSize, type OrderedRender, outputKeyProblem } from './renderRequest.ts';
import type { EntryResult } from './reports.ts';
import { listRunning, watchRunning } from './runningRenders.ts';
import { type RenderTarget, startExecution } from './start.ts';

/** `line` is the line number, starting at 1. */
export type BatchEntry = {
  line: number;
  outputKey: string;
  variables: Record<string, unknown>;
  /** The render id, and the name of the execution. By default, a new id. */
  executionName?: string;
  /** The webhook at the end of the render. */
  callback?: Partial<Callback>;
};

/** Renders of a batch that run at the same time. */
export const defaultMaxConcurrent = 50;

export type EntryProblem = { line: number; message: string; severity: 'error' | 'warning' };

export type EntryCheck = { entries: BatchEntry[]; problems: EntryProblem[] };

/** Reads and checks all lines. Skips blank lines. `issuesOf` checks the variables of one. Never throws. */
export function readEntries(
  text: string,
  issuesOf: (variables: Record<string, unknown>) => readonly string[],
  options: { strict: boolean; config: ServerlessConfig; chunks: ChunkSettings },
): EntryCheck {
  const entries: BatchEntry[] = [];
  const problems: EntryProblem[] = [];
  const lines = new Map<string, number>();
  const named = new Map<string, number>();
  for (const [index, row] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (row.trim() === '') continue;
    const line = index + 1;
    const add = (message: string, severity: EntryProblem['severity'] = 'error') =>
      problems.push({ line, message, severity });
    const entry = readEntry(row, line, options.config, add);
    if (!entry) continue;
    const before = lines.get(entry.outputKey);
    if (before === undefined) lines.set(entry.outputKey, line);
    else add(`outputKey "${entry.outputKey}" is already used in line ${before}`);
    const { executionName = '' } = entry;
    const same = executionName === '' ? undefined : named.get(executionName);
    if (same !== undefined) add(`executionName "${executionName}" is already used in line ${same}`);
    named.set(executionName, same ?? line);
    for (const message of issuesOf(entry.variables)) add(message, options.strict ? 'error' : 'warning');
    const size = sizeProblem(orderOf(entry, options));
    if (size !== undefined) add(size);
    entries.push(entry);
  }
  if (entries.length === 0 && problems.length === 0)
    problems.push({ line: 1, message: 'the file is empty', severity: 'error' });
  return { entries, problems };
}

function readEntry(
  row: string,
  line: number,
  config: ServerlessConfig,
  add: (message: string) => void,
): BatchEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch (error) {
    add(`the line must be JSON: ${(error as Error).message}`);
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    add('the line must be a JSON object with outputKey and variables');
    return undefined;
  }
  const {
    outputKey,
    variables = {},
    executionName,
    callback_url,
    callback_id,
    ...rest
  } = value as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) add(`the key "${unknown}" is unknown; use ${entryKeys}`);
  if (typeof outputKey !== 'string') {
    add(outputKey === undefined ? 'outputKey is missing' : 'outputKey must be a string');
    return undefined;
  }
  const problem = outputKeyProblem(outputKey, config);
  if (problem !== undefined) add(`outputKey "${outputKey.slice(0, 80)}" ${problem}`);
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
    add('variables must be a JSON object');
    return undefined;
  }
  const callback = callbackOf(callback_url as string | undefined, callback_id as string | undefined);
  const wrong = callbackProblem(callback, { url: 'callback_url', id: 'callback_id' });
  if (wrong !== undefined) add(wrong.message);
  const entry: BatchEntry = {
    ...{ line, outputKey, variables: variables as Record<string, unknown> },
    ...(callback === undefined ? {} : { callback }),
  };
  if (executionName === undefined) return entry;
  if (typeof executionName !== 'string' || !executionNamePattern.test(executionName)) {
    add('executionName must have 1 to 80 letters, digits, hyphens and underscores');
    return entry;
  }
  return { ...entry, executionName };
}

const entryKeys = 'outputKey, variables, executionName, callback_url and callback_id';

/** The characters that Step Functions allows, without those that mean something in keys and patterns. */
const executionNamePattern = /^[A-Za-z0-9_-]{1,80}$/;

const orderOf = (
  { outputKey, variables, executionName, callback }: BatchEntry,
  { config, chunks }: Pick<OrderedRender, 'config' | 'chunks'>,
): OrderedRender => ({ config: { ...config, variables }, chunks, outputKey, executionName, callback });

function sizeProblem(order: OrderedRender): string | undefined {
  try {
    checkInputSize(order);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export type StartBatchOptions = {
  client: SFNClient;
  entries: readonly BatchEntry[];
  config: ServerlessConfig;
  chunks: ChunkSettings;
  stack: RenderTarget;
  /** Renders that run at the same time. The next one is started when one of them has ended. */
  maxConcurrent: number;
  /** Called for each line when its start has succeeded or failed. `done` is the number of results so far. */
  onResult(result: EntryResult, done: number): void;
  signal?: AbortSignal;
  now(): number;
  /** Time between two polls of the running renders. Default 2 s. */
  pollMs?: number;
};

/**
 * Returns when the last line was started, with the results in the order of the lines. One failed start does not affect other lines. An
 * abort prevents further starts. Throws UserError of AWS, before anything is started, if the running renders cannot be listed.
 */
export async function startBatch(options: StartBatchOptions): Promise<EntryResult[]> {
  const { client, entries, stack, maxConcurrent, onResult, signal, now, pollMs = 2_000 } = options;
  const { stateMachineArn } = stack;
  if (entries.length > maxConcurrent) await listRunning(client, stateMachineArn);
  const running = watchRunning({ client, stateMachineArn, pollMs, now });
  const limit = pLimit(maxConcurrent);
  signal?.addEventListener('abort', running.stop, { once: true });
  let done = 0;
  const results = entries.map(
    (entry) =>
      new Promise<EntryResult>((resolve) => {
        void limit(async () => {
          const result = await startLine(entry, options);
          onResult(result, ++done);
          resolve(result);
          if (result.executionArn !== undefined && done < entries.length) await running.ended(result.executionArn);
        });
      }),
  );
  try {
    return await Promise.all(results);
  } finally {
    signal?.removeEventListener('abort', running.stop);
    running.stop();
  }
}

async function startLine(
  entry: BatchEntry,
  { client, config, chunks, stack, signal }: StartBatchOptions,
): Promise<EntryResult> {
  const { line, outputKey } = entry;
  try {
    if (signal?.aborted) throw new UserError('cancelled', 'The batch was cancelled before this line was started.');
    const { renderId, executionArn } = await startExecution(client, orderOf(entry, { config, chunks }), stack);
    const inputSha256 = inputHash(entry, { config, chunks, siteId: stack.siteId });
    return { line, outputKey, status: 'started', renderId, executionArn, inputSha256 };
  } catch (error) {
    const { code = 'aws_failed', message } = error as Error & { code?: string };
    return { line, outputKey, status: 'failed-to-start', error: { code, message } };
  }
}

type SharedInput = { config: ServerlessConfig; chunks: ChunkSettings; siteId: string };

/** Identifies everything that determines the video of a line. */
export function inputHash({ outputKey, variables }: BatchEntry, { config, chunks, siteId }: SharedInput): string {
  const input = JSON.stringify([siteId, { ...config, variables }, chunks, outputKey]);
  return createHash('sha256').update(input).digest('hex');
}

/** The rows of an earlier run whose line was started with the same input. They are not started again. */
export function startedBefore(
  rows: readonly EntryResult[],
  entries: readonly BatchEntry[],
  shared: SharedInput,
): EntryResult[] {
  const byKey = new Map(rows.map((row) => [row.outputKey, row]));
  return entries.flatMap((entry) => {
    const row = byKey.get(entry.outputKey);
    const isStarted = row?.status === 'started' || row?.status === 'succeeded';
    const isSame = isStarted && row.inputSha256 === inputHash(entry, shared);
    return isSame ? [{ ...row, line: entry.line }] : [];
  });
}

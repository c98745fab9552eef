// Waits for the renders of a batch, and downloads their videos while others still run.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SFNClient } from '@aws-sdk/client-sfn';
import pLimit from 'p-limit';
import { UserError } from '../../renderer-core/errors.ts';
import { openFileOutput } from '../../renderer-core/project/output/outputTarget.ts';
import { pathInside } from '../../renderer-core/project/pathInside.ts';
import { withAws } from '../awsErrors.ts';
import type { Bucket } from '../bucket.ts';
import { readProgress } from './progress.ts';
import { describeRender } from './renders.ts';
import type { EntryResult } from './reports.ts';
import { watchRunning } from './runningRenders.ts';

const maxConcurrentDownloads = 4;

export type BatchVideosOptions = {
  client: SFNClient;
  stateMachineArn: string;
  bucket: Bucket;
  /** Videos are downloaded to this folder, by their output keys. */
  folder: string | undefined;
  /** Called for each line whose render has ended, after the download. */
  onResult(result: EntryResult): void;
  signal: AbortSignal;
  /** Unix milliseconds. */
  now(): number;
  /** Time between two polls of the running renders. Default 2 s. */
  pollMs?: number;
};

/** The file of a video. Throws UserError `usage` for a key that leads out of the folder. */
export function videoPath(folder: string, outputKey: string): string {
  const root = resolve(folder);
  const path = resolve(root, outputKey);
  if (pathInside(root, path)) return path;
  throw new UserError('usage', `The output key ${outputKey} is not a path in ${folder}`, { hint: 'Use another key.' });
}

export type BatchVideos = {
  /** A line that was started. */
  add(row: EntryResult): void;
  /** Resolves with all lines. After an abort, lines of running renders are unchanged. */
  end(): Promise<EntryResult[]>;
  stop(): void;
};

export function collectVideos(options: BatchVideosOptions): BatchVideos {
  const { client, stateMachineArn, signal, onResult, now, pollMs = 2_000 } = options;
  const running = watchRunning({ client, stateMachineArn, pollMs, now });
  signal.addEventListener('abort', running.stop, { once: true });
  const limit = pLimit(maxConcurrentDownloads);
  const rows: Promise<EntryResult>[] = [];
  const finish = async (row: EntryResult): Promise<EntryResult> => {
    if (row.status === 'started') await running.ended(row.executionArn ?? '');
    const finished = signal.aborted ? row : await limit(() => finishedLine(row, options));
    if (finished !== row) onResult(finished);
    return finished;
  };
  return {
    add: (row) => void rows.push(finish(row)),
    end: () => Promise.all(rows),
    stop() {
      signal.removeEventListener('abort', running.stop);
      running.stop();
    },
  };
}

/** An error of one line does not affect the others. Returns the same line if its render has not ended. */
async function finishedLine(row: EntryResult, options: BatchVideosOptions): Promise<EntryResult> {
  const { client, bucket } = options;
  if (row.executionArn === undefined) return row;
  try {
    const { status } = await describeRender(client, row.executionArn);
    if (status === 'RUNNING') return row;
    if (status === 'SUCCEEDED') return { ...row, status: 'succeeded', ...(await downloaded(row, options)) };
    const { errors } = await readProgress(client, row.executionArn, () => bucket, options.now());
    const [first] = errors;
    return {
      ...row,
      status: 'failed',
      error: { code: first?.error ?? String(status), message: first?.cause ?? `The render ended as ${status}` },
    };
  } catch (error) {
    if (options.signal.aborted) return row;
    const { code = 'aws_failed', message } = error as Error & { code?: string };
    return { ...row, error: { code, message } };
  }
}

/** A video that an earlier run has downloaded is not downloaded again. */
async function downloaded(
  { outputKey, status }: EntryResult,
  { bucket, folder, signal }: BatchVideosOptions,
): Promise<Pick<EntryResult, 'output'>> {
  if (folder === undefined) return {};
  const path = videoPath(folder, outputKey);
  if (status === 'succeeded' && (await exists(path))) return { output: path };
  const target = await openFileOutput(path, { signal });
  try {
    await withAws(`Downloading ${outputKey}`, () => bucket.download(outputKey, target.temporary));
    await target.commit();
    return { output: target.path };
  } finally {
    await target.discard();
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

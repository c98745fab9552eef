// Which of the started renders still run. One request lists those of the whole stack, however many a batch has started.

import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeExecutionCommand, ListExecutionsCommand, type SFNClient } from '@aws-sdk/client-sfn';
import { withAws } from '../awsErrors.ts';

/** The list may not contain an execution yet that was started just now. */
const listDelayMs = 15_000;

export type RunningRenders = {
  /** Resolves when the execution, which was started just now, has ended, or when watching stops. Never rejects. */
  ended(executionArn: string): Promise<void>;
  stop(): void;
};

type Options = { client: SFNClient; stateMachineArn: string; pollMs: number; now(): number };

/** Polls while there is something to wait for. A failed poll is repeated: AWS may be unreachable for a moment. */
export function watchRunning(options: Options): RunningRenders {
  const waiting = new Map<string, { startedAt: number; end(): void }>();
  const stopped = new AbortController();
  let isPolling = false;
  const poll = async (): Promise<void> => {
    isPolling = true;
    while (waiting.size > 0 && !stopped.signal.aborted) {
      // Rejects only when the signal aborts.
      await sleep(options.pollMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) await endFinished(options, waiting).catch(() => undefined);
    }
    isPolling = false;
  };
  return {
    ended(executionArn) {
      if (stopped.signal.aborted) return Promise.resolve();
      const end = new Promise<void>((resolve) => {
        waiting.set(executionArn, { startedAt: options.now(), end: resolve });
      });
      if (!isPolling) void poll();
      return end;
    },
    stop() {
      stopped.abort();
      for (const { end } of waiting.values()) end();
      waiting.clear();
    },
  };
}

async function endFinished(
  { client, stateMachineArn, now }: Options,
  waiting: Map<string, { startedAt: number; end(): void }>,
): Promise<void> {
  const running = await listRunning(client, stateMachineArn);
  for (const [executionArn, { startedAt, end }] of waiting) {
    if (running.has(executionArn)) continue;
    if (now() - startedAt < listDelayMs && (await isRunning(client, executionArn))) continue;
    waiting.delete(executionArn);
    end();
  }
}

/** The ARNs of all running executions. Throws UserError of AWS. */
export async function listRunning(client: SFNClient, stateMachineArn: string): Promise<Set<string>> {
  const found = new Set<string>();
  let nextToken: string | undefined;
  do {
    const page = await withAws('Listing the running renders', () =>
      client.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', maxResults: 1000, nextToken })),
    );
    for (const { executionArn } of page.executions ?? []) if (executionArn !== undefined) found.add(executionArn);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found;
}

async function isRunning(client: SFNClient, executionArn: string): Promise<boolean> {
  const { status } = await client.send(new DescribeExecutionCommand({ executionArn }));
  return status === 'RUNNING';
}

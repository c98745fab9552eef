// The message of the webhook at the end of a render.
import type { SFNClient } from '@aws-sdk/client-sfn';
import { type SignedWebhook, signedWebhook, type WebhookBody } from '../../webhooks/signedWebhook.ts';
import type { Bucket } from '../bucket.ts';
import { refusedError } from '../deploy/stateMachine.ts';
import type { AssembleResult, ExecutionInput } from '../renders/execution.ts';
import { readProgress } from '../renders/progress.ts';
import { describeRender } from '../renders/renders.ts';
import type { RenderProgress } from '../renders/reports.ts';

/** `id` is that of the event, and the same for all attempts. `status`: how the render has ended. */
export type WebhookTask = { id: string; executionArn: string; status: string };

export type WebhookPlace = {
  client: SFNClient;
  open(bucket: string): Bucket;
  secret(): Promise<string>;
  now(): number;
};

/** Undefined if there is nothing to send: no callback, or a render that was resumed meanwhile. */
export async function webhookOf(
  { id, executionArn, status }: WebhookTask,
  { client, open, secret, now }: WebhookPlace,
): Promise<(SignedWebhook & { url: string }) | undefined> {
  const execution = await describeRender(client, executionArn);
  const { callback } = JSON.parse(execution.input ?? '{}') as ExecutionInput;
  if (callback === undefined || execution.status !== status) return undefined;
  const progress = await readProgress(client, executionArn, open, now(), { withUrl: true });
  const { durationSeconds = null } = JSON.parse(execution.output ?? '{}') as Partial<AssembleResult>;
  const body = webhookBody(progress, { callbackId: callback.id ?? null, durationSeconds });
  return { url: callback.url, ...signedWebhook(body, { id, secret: await secret(), now: now() }) };
}

/** The fields of the hosted service. There is no thumbnail. */
export function webhookBody(
  {
    renderId,
    status,
    endedAt,
    outputFile,
    errors,
  }: Pick<RenderProgress, 'renderId' | 'status' | 'endedAt' | 'outputFile' | 'errors'>,
  { callbackId, durationSeconds }: { callbackId: string | null; durationSeconds: number | null },
): WebhookBody {
  const isCompleted = status === 'SUCCEEDED';
  return {
    type: isCompleted ? 'render.completed' : 'render.failed',
    timestamp: endedAt ?? '',
    data: {
      render_id: renderId,
      status: isCompleted ? 'completed' : 'failed',
      callback_id: callbackId,
      video_url: outputFile?.url ?? null,
      thumbnail_url: null,
      duration: durationSeconds,
      failure_code: isCompleted ? null : failureCode(status, errors),
      failure_message: isCompleted ? null : (errors[0]?.cause ?? status),
    },
  };
}

/** A code of the hosted service, or `render_cancelled`, which that service does not have. */
function failureCode(status: RenderProgress['status'], errors: RenderProgress['errors']): string {
  if (status === 'TIMED_OUT') return 'render_timeout';
  if (status === 'ABORTED') return 'render_cancelled';
  return errors.some(({ error }) => error === refusedError) ? 'framework_project_invalid' : 'internal_error';
}

// Checks the messages of a worker process: a page that has taken over its browser may also control the worker.
import { z } from 'zod';
import { engineSchema } from '../../../renderer-core/reports/engine.ts';
import { type ApiErrorCode, apiErrorStatus } from '../api/apiErrors.ts';
import { type FromWorker, textLimits } from './workerMessages.ts';

/** PostgreSQL cannot store NUL. */
const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes('\0'), 'contains NUL');

/** Videos are charged by their length: no frame is shorter, and no account can pay for the longest. */
const seconds = z.number().min(0.001).max(1e12);
const count = z.int().min(0);
const { browser, ffmpeg } = engineSchema.shape;
const version = text(100);
const resolution = z.enum(['1080p', '4k']);
const failureCodes = [...(Object.keys(apiErrorStatus) as ApiErrorCode[]), 'page_crashed'] as const;

const fromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('planned'), seconds, frames: count, resolution }),
  z.object({ type: z.literal('progress'), value: z.number().min(0).max(1), frames: count.nullable() }),
  z.object({
    type: z.literal('done'),
    result: z.object({
      video: text(100),
      thumbnail: text(100).nullable(),
      seconds,
      bytes: count,
      fps: z.number().positive().max(1000),
      aspectRatio: z.string().regex(/^\d{1,9}:\d{1,9}$/),
      resolution,
      engine: z.object({ browser: browser.extend({ version }), ffmpeg: ffmpeg.extend({ version }) }),
      warnings: z.array(text(textLimits.warning)).max(textLimits.warnings),
    }),
  }),
  z.object({
    type: z.literal('failed'),
    failure: z.object({ code: z.enum(failureCodes), message: text(textLimits.message) }),
    detail: z.string().max(textLimits.detail),
  }),
]) satisfies z.ZodType<FromWorker>;

export type WorkerCheck = {
  /** Throws an Error for a message that a worker must not send, or not at this time. */
  check(value: unknown): FromWorker;
  /** The price of the plan is held: the worker may finish. */
  acceptPlan(): void;
};

/** For the messages of one worker, in their order. */
export function workerCheck(): WorkerCheck {
  let plan: 'missing' | 'reported' | 'accepted' = 'missing';
  return {
    check(value) {
      const { success, data: message, error } = fromWorker.safeParse(value);
      if (!success) throw new Error(`invalid message: ${z.prettifyError(error).slice(0, 1000)}`);
      // A second plan would replace the price of the first.
      if (message.type === 'planned' && plan !== 'missing') throw new Error('invalid message: a second plan');
      if (message.type === 'done' && plan !== 'accepted') throw new Error('invalid message: done without a plan');
      if (message.type === 'planned') plan = 'reported';
      return message;
    },
    acceptPlan() {
      plan = 'accepted';
    },
  };
}

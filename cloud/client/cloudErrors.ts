// Errors of hosted renders: what happened, what became of the render, and what to do next.
import { UserError } from '../../renderer-core/errors.ts';
import type { RenderRecord } from './apiTypes.ts';
import type { CloudStage } from './cloudEvents.ts';
import { fetchCommand, type LocalRender, localCommand } from './shellCommands.ts';

/** `local` renders the same on this machine; undefined when the project is not on this machine. */
export function renderFailed(record: RenderRecord, local: LocalRender | undefined): UserError {
  const { render_id: renderId, failure_code: code, failure_message: message } = record;
  const hint = local
    ? `To reproduce it on this machine, run: ${localCommand(local)}`
    : `For details, run: framework cloud get ${renderId}`;
  return new UserError(
    'render_failed',
    `The render ${renderId} failed: ${message ?? 'the service gave no reason'} (${code ?? 'unknown'})`,
    {
      hint,
      details: { render_id: renderId, failure_code: code, failure_message: message },
    },
  );
}

/** Adds the render id and the command that fetches the video: the render still exists. */
export function addRenderDetails(error: unknown, renderId: string, output: string | undefined): unknown {
  if (!(error instanceof UserError)) return error;
  const command = fetchCommand(renderId, output);
  const { code, message, hint, problems } = error;
  return new UserError(code, message, {
    hint: `${hint === undefined ? '' : `${hint} `}To fetch the render ${renderId}, run: ${command}`,
    details: { render_id: renderId, command },
    ...(problems ? { problems } : {}),
    cause: error,
  });
}

export function cancelledBeforeRender(stage: CloudStage, cause: unknown, idempotencyKey?: string): UserError {
  // The request may have arrived although its response did not.
  const isUncertain = stage === 'submit' && idempotencyKey !== undefined;
  const message = isUncertain
    ? `Cancelled while the render was being submitted; the service may have accepted it. To find out, run the same command with\n  --idempotency-key ${idempotencyKey}`
    : 'Cancelled; no render was submitted.';
  return new UserError('cancelled', message, {
    ...(isUncertain ? { details: { idempotency_key: idempotencyKey } } : {}),
    cause,
  });
}

/** Replaces the API's hint where this command knows a better next step. */
export function addNextStep(error: unknown, stage: CloudStage, idempotencyKey: string): unknown {
  if (!(error instanceof UserError)) return error;
  const { code, message, place, problems } = error;
  const hints: Partial<Record<UserError['code'], string>> = {
    idempotency_conflict: `The key ${idempotencyKey} was used for a different project or different options in the last 24 hours. Use another --idempotency-key.`,
    framework_project_invalid:
      'Correct the values or the project. Without --strict-variables, invalid values are only warnings.',
  };
  const isUncertain = stage === 'submit' && (code === 'service_unreachable' || code === 'internal_error');
  const hint = isUncertain
    ? `The service may have accepted the render. Run the same command with --idempotency-key ${idempotencyKey}: it returns the same render instead of creating a second one.`
    : (hints[code] ?? error.hint);
  return new UserError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(place ? { place } : {}),
    ...(problems ? { problems } : {}),
    ...(isUncertain ? { details: { idempotency_key: idempotencyKey } } : {}),
    cause: error,
  });
}

/** Cancelling the command does not cancel the render. */
export function cancelledWhileWaiting(renderId: string, output: string | undefined, cause: unknown): UserError {
  const command = fetchCommand(renderId, output);
  return new UserError(
    'cancelled',
    `Stopped waiting. The service continues the render ${renderId}; to fetch it later, run:\n  ${command}`,
    {
      details: { render_id: renderId, command },
      cause,
    },
  );
}

export function waitExceeded(
  renderId: string,
  maxWaitMs: number,
  output: string | undefined,
  lastError: UserError | undefined,
): UserError {
  const command = fetchCommand(renderId, output);
  const reason = lastError ? ` (the last status request failed: ${lastError.message})` : '';
  const message = `The render ${renderId} did not finish within ${minutesText(maxWaitMs)}${reason}; the service continues it`;
  return new UserError('wait_exceeded', message, {
    hint: `To fetch it later, run: ${command}`,
    details: { render_id: renderId, command },
    ...(lastError ? { cause: lastError } : {}),
  });
}

function minutesText(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  return `${Math.round(ms / 6_000) / 10} minutes`;
}

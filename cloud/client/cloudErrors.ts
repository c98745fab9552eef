// How a hosted render ends without its video: what happened, where the render is now, and what to do next.
import { UserError } from '../errors.ts';
import type { RenderRecord } from './apiTypes.ts';
import type { CloudStage } from './events.ts';
import { fetchCommand, type LocalRender, localCommand } from './typedCommands.ts';

/** `local` is what renders the same on this machine, where its project is here. */
export function renderFailed(record: RenderRecord, local: LocalRender | undefined): UserError {
  const { render_id: renderId, failure_code: code, failure_message: message } = record;
  const hint = local
    ? `The same on this machine: ${localCommand(local)}`
    : `All about it: framework cloud get ${renderId}`;
  return new UserError(
    'render_failed',
    `The render ${renderId} failed: ${message ?? 'no reason was given'} (${code ?? 'unknown'})`,
    {
      hint,
      details: { render_id: renderId, failure_code: code, failure_message: message },
    },
  );
}

/** The render is there, and may be fetched although this failed. */
export function withRender(error: unknown, renderId: string, output: string | undefined): unknown {
  if (!(error instanceof UserError)) return error;
  const command = fetchCommand(renderId, output);
  const { code, message, hint, problems } = error;
  return new UserError(code, message, {
    hint: `${hint === undefined ? '' : `${hint} `}The render is ${renderId}; fetch it with: ${command}`,
    details: { render_id: renderId, command },
    ...(problems ? { problems } : {}),
    cause: error,
  });
}

/** Before there is a render. */
export function stopped(stage: CloudStage, cause: unknown, idempotencyKey?: string): UserError {
  // The order may have arrived although its answer did not.
  const isOpen = stage === 'submit' && idempotencyKey !== undefined;
  const message = isOpen
    ? `Cancelled while the render was being submitted; it may have been accepted. To find out, run the same command with\n  --idempotency-key ${idempotencyKey}`
    : 'Cancelled; no render was submitted.';
  return new UserError('cancelled', message, {
    ...(isOpen ? { details: { idempotency_key: idempotencyKey } } : {}),
    cause,
  });
}

/** What to do next, where the API's own words cannot know it. */
export function explain(error: unknown, stage: CloudStage, idempotencyKey: string): unknown {
  if (!(error instanceof UserError)) return error;
  const { code, message, place, problems } = error;
  const hints: Partial<Record<UserError['code'], string>> = {
    idempotency_conflict: `The key ${idempotencyKey} was used for another project or other options within the last 24 hours. Use another --idempotency-key.`,
    framework_project_invalid:
      'Correct the values or the project; without --strict-variables, values that do not fit are warnings.',
  };
  const isOpen = stage === 'submit' && (code === 'service_unreachable' || code === 'internal_error');
  const hint = isOpen
    ? `The render may have been accepted. Run the same command with --idempotency-key ${idempotencyKey}: that asks for the same render, not for a second one.`
    : (hints[code] ?? error.hint);
  return new UserError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(place ? { place } : {}),
    ...(problems ? { problems } : {}),
    ...(isOpen ? { details: { idempotency_key: idempotencyKey } } : {}),
    cause: error,
  });
}

/** It goes on there: ending the command takes nothing back. */
export function cancelled(renderId: string, output: string | undefined, cause: unknown): UserError {
  const command = fetchCommand(renderId, output);
  return new UserError(
    'cancelled',
    `Stopped. The render ${renderId} stays with the service; fetch it later with:\n  ${command}`,
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
  trouble: UserError | undefined,
): UserError {
  const command = fetchCommand(renderId, output);
  const why = trouble ? ` (the service could not be asked: ${trouble.message})` : '';
  const message = `The render ${renderId} has not ended within ${minutesText(maxWaitMs)}${why}; it goes on`;
  return new UserError('wait_exceeded', message, {
    hint: `Fetch it later with: ${command}`,
    details: { render_id: renderId, command },
    ...(trouble ? { cause: trouble } : {}),
  });
}

function minutesText(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  return `${Math.round(ms / 6_000) / 10} minutes`;
}

// UserError: the only error type that users see, and the table of its codes.
import type { ErrorJson, ErrorProblem, SourceLocation } from './reports/errorJson.ts';

/** Every error code with the exit status of the command: 1 for a failure, 2 for wrong usage, 130 when cancelled. */
export const errorCodes = {
  usage: 2,
  cancelled: 130,
  project_not_found: 1,
  composition_not_found: 1,
  composition_invalid: 1,
  config_invalid: 2,
  variables_invalid: 1,
  variables_file_unreadable: 1,
  batch_invalid: 1,
  batch_file_unreadable: 1,
  asset_missing: 1,
  media_unreadable: 1,
  asset_invalid: 1,
  project_changed: 1,
  script_error: 1,
  no_duration: 1,
  timing_invalid: 1,
  browser_not_found: 1,
  browser_failed: 1,
  page_crashed: 1,
  ffmpeg_not_found: 1,
  ffmpeg_failed: 1,
  output_unwritable: 1,
  output_closed: 1,
  disk_full: 1,
  port_taken: 1,
  // Backups of the hosted service.
  backup_invalid: 1,
  backup_failed: 1,
  // AWS.
  aws_credentials_missing: 1,
  aws_refused: 1,
  aws_failed: 1,
  stack_not_found: 1,
  stack_incompatible: 1,
  deploy_failed: 1,
  site_not_found: 1,
  site_in_use: 1,
  execution_not_found: 1,
  render_ended: 1,
  render_not_resumable: 1,
  // Chunks on any machines.
  job_not_found: 1,
  job_incomplete: 1,
  // Hosted API: codes of the client first, then the codes that the API returns.
  signed_out: 1,
  credentials_invalid: 1,
  sign_in_failed: 1,
  service_unreachable: 1,
  service_answer_invalid: 1,
  render_failed: 1,
  wait_exceeded: 1,
  download_failed: 1,
  authentication_failed: 1,
  permission_denied: 1,
  invalid_parameter: 1,
  framework_project_invalid: 1,
  framework_project_too_large: 1,
  framework_render_not_found: 1,
  idempotency_conflict: 1,
  insufficient_credits: 1,
  rate_limit_exceeded: 1,
  quota_exceeded: 1,
  request_timeout: 1,
  insufficient_storage: 1,
  internal_error: 1,
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Machine-readable details by name, such as the id of a render that is still running. */
export type ErrorDetails = NonNullable<ErrorJson['details']>;

export type UserErrorOptions = {
  hint?: string;
  place?: SourceLocation;
  problems?: ErrorProblem[];
  details?: ErrorDetails;
  cause?: unknown;
};

/** An error for the user: `message` states what is wrong, `hint` what to do, `place` where. */
export class UserError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly place: SourceLocation | undefined;
  /** All problems, if the message only summarizes them. */
  readonly problems: ErrorProblem[] | undefined;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options: UserErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UserError';
    this.code = code;
    this.hint = options.hint;
    this.place = options.place;
    this.problems = options.problems;
    this.details = options.details;
  }

  get exitStatus(): number {
    return errorCodes[this.code];
  }
}

export function errorToJson(error: UserError): ErrorJson & { code: ErrorCode } {
  return {
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.place === undefined ? {} : { place: error.place }),
    ...(error.problems === undefined ? {} : { problems: error.problems }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** More errors than this do not help; `framework lint` lists all of them. */
const maxListed = 20;

/** One error for all of them: the first one, whose message lists the others. */
export function combineErrors(first: UserError, others: readonly UserError[]): UserError {
  if (others.length === 0) return first;
  const lines = others.slice(0, maxListed - 1).map(lineOf);
  const omitted = others.length - lines.length;
  if (omitted > 0) lines.push(`${omitted} more; framework lint lists all of them.`);
  return new UserError(first.code, [first.message, ...lines].join('\n'), {
    ...errorToJson(first),
    problems: [first, ...others].map(({ message, place }) => ({ message, ...(place ? { place } : {}) })),
  });
}

function lineOf({ message, place }: UserError): string {
  if (!place) return message;
  return `${[place.file, place.line, place.column].filter((part) => part !== undefined).join(':')}: ${message}`;
}

// Errors of the hosted API: its own message, with a hint for each code.
import { type ErrorCode, UserError } from '../../renderer-core/errors.ts';
import { printable } from './apiUrl.ts';
import { isObject } from './auth/credentials.ts';
import type { HttpResponse } from './httpExchange.ts';
import { markRetryable, retryAfterMs } from './retry.ts';

export const apiErrorTable = {
  invalid_parameter: {
    status: 400,
    hint: 'Correct the value; framework cloud render --help lists the allowed values.',
  },
  authentication_failed: { status: 401, hint: 'Sign in again: framework auth login.' },
  insufficient_credits: {
    status: 402,
    hint: 'framework auth status shows the remaining credits. Buy credits or wait for the reset; 1080p costs less than 4k.',
  },
  permission_denied: {
    status: 403,
    hint: 'Use an account with more permissions; framework auth status shows the current one.',
  },
  framework_render_not_found: {
    status: 404,
    hint: 'framework cloud list shows the renders of this account, without deleted ones.',
  },
  idempotency_conflict: {
    status: 409,
    hint: 'The idempotency key was used for a different request in the last 24 hours. Use a new key, or repeat the same request.',
  },
  framework_project_too_large: {
    status: 413,
    hint: 'Exclude files that the video does not need in .frameworkignore; --dry-run lists the files that are uploaded.',
  },
  framework_project_invalid: { status: 422, hint: 'Check the project and its variables with framework lint.' },
  rate_limit_exceeded: { status: 429, hint: 'Try again later, with fewer concurrent requests.' },
  quota_exceeded: {
    status: 429,
    hint: 'framework cloud list shows the renders of this account, and framework cloud delete deletes one with its video. Queued and running renders end by themselves.',
  },
  request_timeout: {
    status: 408,
    hint: 'Use a faster connection, or exclude files that the video does not need in .frameworkignore; --dry-run lists the files that are uploaded.',
  },
  internal_error: {
    status: 500,
    hint: 'This is an error of the service. Try again later. If it persists, contact the operator.',
  },
  insufficient_storage: {
    status: 507,
    hint: 'Nothing was stored. Try again later. If it persists, contact the operator of the service.',
  },
} as const satisfies Partial<Record<ErrorCode, { status: number; hint: string }>>;

export type ApiErrorCode = keyof typeof apiErrorTable;

/**
 * The error for a response with status 300 or above. 429 and 5xx are marked as retryable, except those that last until
 * something is deleted: they are only retried if the service says when.
 */
export function responseError(response: HttpResponse, url: URL, now: number): UserError {
  const { status, headers } = response;
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const error = status < 400 ? redirected(response, url) : refused(response, url, waitMs);
  const isTemporary = (status === 429 || status >= 500) && (waitMs !== undefined || !lasting.has(error.code));
  return isTemporary ? markRetryable(error, waitMs) : error;
}

const lasting: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['quota_exceeded', 'insufficient_storage']);

/** The response does not come from the hosted API; `content` describes it. */
export function invalidResponse(url: URL, content: string): UserError {
  return new UserError('service_answer_invalid', `${url.origin} does not respond like the service: ${content}.`, {
    hint: 'Check that SERVICE_API_URL is the address of the service, and that no proxy intercepts the request.',
  });
}

function redirected({ status, headers }: HttpResponse, url: URL): UserError {
  const location = headers.location === undefined ? '' : ` to ${printable(headers.location)}`;
  return new UserError(
    'service_answer_invalid',
    `${url.origin} redirects${location} (HTTP ${status}), and redirects are not followed.`,
    {
      hint: 'Set SERVICE_API_URL to the final address of the service.',
    },
  );
}

function refused({ status, text }: HttpResponse, url: URL, waitMs: number | undefined): UserError {
  const body = readErrorBody(text);
  const code = body === undefined ? proxyCodes[status] : codeOf(body.code, status, url);
  if (code === undefined) return invalidResponse(url, `HTTP ${status}`);
  const given = body?.message ?? `the service responded with HTTP ${status}`;
  const unknown = body !== undefined && body.code !== code ? ` (${body.code})` : '';
  const parameter = body?.param === undefined || given.includes(body.param) ? '' : `${body.param}: `;
  return new UserError(code, `${parameter}${given}${unknown}`, {
    hint: hintFor(code, waitMs, body?.docUrl),
    ...(waitMs === undefined ? {} : { details: { retry_after_seconds: Math.ceil(waitMs / 1000) } }),
  });
}

/** Codes for statuses of proxies, whose bodies are not those of the API. */
const proxyCodes: Record<number, ApiErrorCode> = {
  401: 'authentication_failed',
  413: 'framework_project_too_large',
  429: 'rate_limit_exceeded',
};

type ErrorBody = { code: string; message: string; param: string | undefined; docUrl: string | undefined };

function readErrorBody(text: string): ErrorBody | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const error = isObject(value) ? value.error : undefined;
  if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string') return undefined;
  const docUrl = typeof error.doc_url === 'string' && /^https?:\/\//.test(error.doc_url) ? error.doc_url : undefined;
  return {
    code: printable(error.code),
    message: printable(error.message),
    param: typeof error.param === 'string' ? printable(error.param) : undefined,
    docUrl: docUrl && printable(docUrl),
  };
}

/** An unknown code, of a later version of the API, is mapped by its status. */
function codeOf(code: string, status: number, url: URL): ApiErrorCode | undefined {
  if (Object.hasOwn(apiErrorTable, code)) return code as ApiErrorCode;
  if (status === 404 && !/\/renders\/[^/]+$/.test(url.pathname)) return undefined;
  const known = Object.entries(apiErrorTable).find(([, row]) => row.status === status)?.[0];
  if (known !== undefined) return known as ApiErrorCode;
  return status >= 500 ? 'internal_error' : 'invalid_parameter';
}

function hintFor(code: ApiErrorCode, waitMs: number | undefined, docUrl: string | undefined): string {
  const wait = waitMs === undefined ? '' : ` Wait ${Math.ceil(waitMs / 1000)} s before the next request.`;
  return `${apiErrorTable[code].hint}${wait}${docUrl === undefined ? '' : ` See ${docUrl}`}`;
}

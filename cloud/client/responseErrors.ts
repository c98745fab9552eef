// What the hosted API refuses, put into words: its own message, and for every code the next step to take.
import { type ErrorCode, UserError } from '../errors.ts';
import { printable } from './apiUrl.ts';
import { isObject } from './credentials.ts';
import type { HttpAnswer } from './httpExchange.ts';
import { mayPass, retryAfterMs } from './retry.ts';

/** The codes of the API, each with its status and what to do about it. */
export const apiErrorTable = {
  invalid_parameter: { status: 400, hint: 'Correct that value; framework cloud render --help lists what is allowed.' },
  authentication_failed: { status: 401, hint: 'Sign in again: framework auth login.' },
  insufficient_credits: {
    status: 402,
    hint: 'framework auth status shows what is left. Buy credits or wait for the reset; 1080p costs less than 4k.',
  },
  permission_denied: {
    status: 403,
    hint: 'framework auth status shows who you are signed in as; this needs another account, or more rights.',
  },
  framework_render_not_found: {
    status: 404,
    hint: 'framework cloud list shows the renders of this account; deleted ones are gone.',
  },
  idempotency_conflict: {
    status: 409,
    hint: 'That idempotency key was used for another request in the last 24 hours: take a new one, or repeat the same request.',
  },
  framework_project_too_large: {
    status: 413,
    hint: 'Leave out what the video does not need with a .frameworkignore file; --dry-run lists what is sent.',
  },
  framework_project_invalid: { status: 422, hint: 'Check the project and its variables with framework lint.' },
  rate_limit_exceeded: { status: 429, hint: 'Try again later, with fewer requests at once.' },
  internal_error: {
    status: 500,
    hint: 'That is a fault of the service. Try again later; tell its operator when it stays.',
  },
} as const satisfies Partial<Record<ErrorCode, { status: number; hint: string }>>;

export type ApiErrorCode = keyof typeof apiErrorTable;

/** What an answer with a status from 300 up means. Those that may pass (429, 5xx) are marked so. */
export function answerError(answer: HttpAnswer, url: URL, now: number): UserError {
  const { status, headers } = answer;
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const error = status < 400 ? redirected(answer, url) : refused(answer, url, waitMs);
  return status === 429 || status >= 500 ? mayPass(error, waitMs) : error;
}

/** The answer is no JSON, or not what was asked for. */
export function answerInvalid(url: URL, what: string): UserError {
  return new UserError('service_answer_invalid', `${url.origin} does not answer as the service does: ${what}.`, {
    hint: 'Check that SERVICE_API_URL names the service, and that nothing stands between it and you.',
  });
}

function redirected({ status, headers }: HttpAnswer, url: URL): UserError {
  const location = headers.location === undefined ? '' : ` to ${printable(headers.location)}`;
  return new UserError(
    'service_answer_invalid',
    `${url.origin} redirects${location} (HTTP ${status}), which is not followed.`,
    {
      hint: 'Set SERVICE_API_URL to the address at which the service itself answers.',
    },
  );
}

function refused({ status, text }: HttpAnswer, url: URL, waitMs: number | undefined): UserError {
  const body = errorIn(text);
  const code = body === undefined ? codesOfAnybody[status] : codeOf(body.code, status, url);
  if (code === undefined) return answerInvalid(url, `HTTP ${status}`);
  const given = body?.message ?? `the service answers with HTTP ${status}`;
  const unknown = body !== undefined && body.code !== code ? ` (${body.code})` : '';
  const parameter = body?.param === undefined || given.includes(body.param) ? '' : `${body.param}: `;
  return new UserError(code, `${parameter}${given}${unknown}`, {
    hint: hintFor(code, waitMs, body?.docUrl),
    ...(waitMs === undefined ? {} : { details: { retry_after_seconds: Math.ceil(waitMs / 1000) } }),
  });
}

/** What proxies answer in their own form, and what it means all the same. */
const codesOfAnybody: Record<number, ApiErrorCode> = {
  401: 'authentication_failed',
  413: 'framework_project_too_large',
  429: 'rate_limit_exceeded',
};

type ErrorBody = { code: string; message: string; param: string | undefined; docUrl: string | undefined };

function errorIn(text: string): ErrorBody | undefined {
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

/** A code of a later version of the API counts by its status. */
function codeOf(code: string, status: number, url: URL): ApiErrorCode | undefined {
  if (Object.hasOwn(apiErrorTable, code)) return code as ApiErrorCode;
  if (status === 404 && !/\/renders\/[^/]+$/.test(url.pathname)) return undefined;
  const known = Object.entries(apiErrorTable).find(([, row]) => row.status === status)?.[0];
  if (known !== undefined) return known as ApiErrorCode;
  return status >= 500 ? 'internal_error' : 'invalid_parameter';
}

function hintFor(code: ApiErrorCode, waitMs: number | undefined, docUrl: string | undefined): string {
  const wait = waitMs === undefined ? '' : ` The service asks to wait ${Math.ceil(waitMs / 1000)} s.`;
  return `${apiErrorTable[code].hint}${wait}${docUrl === undefined ? '' : ` See ${docUrl}`}`;
}

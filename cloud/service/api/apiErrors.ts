// The errors of the API: their codes, HTTP statuses and JSON body.

export const apiErrorStatus = {
  authentication_failed: 401,
  permission_denied: 403,
  invalid_parameter: 400,
  framework_project_invalid: 422,
  framework_project_too_large: 413,
  framework_render_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  request_too_large: 413,
  idempotency_conflict: 409,
  asset_in_use: 409,
  request_timeout: 408,
  insufficient_credits: 402,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
  insufficient_storage: 507,
} as const;

export type ApiErrorCode = keyof typeof apiErrorStatus;

/** An error that is sent to the client. `param` is the field of the request that is wrong. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly param: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Additional response headers. */
  readonly headers: Record<string, string>;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { param?: string; retryAfter?: number; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = options.param;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }

  get status(): (typeof apiErrorStatus)[ApiErrorCode] {
    return apiErrorStatus[this.code];
  }
}

export type ApiErrorBody = { error: { code: ApiErrorCode; message: string; param?: string } };

export function apiErrorBody({ code, message, param }: ApiError): ApiErrorBody {
  return { error: { code, message, ...(param === undefined ? {} : { param }) } };
}

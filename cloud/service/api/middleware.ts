// Middleware for all responses: request ID, security headers, logs, metrics, and errors in one format.
import { randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { ServiceContext, ServiceLog } from '../context.ts';
import { notFound, sendError, tooManyRequests } from '../pages/pageRequests.ts';
import { transportSecurity } from '../pages/pageSecurity.ts';
import { isUnavailable } from '../storage/unavailable.ts';
import { ApiError, apiErrorBody } from './apiErrors.ts';
import { clientAddress } from './clientAddress.ts';
import { isCutOff } from './cutOff.ts';
import { createRateLimiter } from './rateLimit.ts';
import { isLocalRequest, type ServiceEnv } from './requestEnv.ts';
import * as routes from './routes.ts';

const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Sets the security headers that a handler has not set itself. */
export function requestMiddleware({ settings, log, metrics, now }: ServiceContext): MiddlewareHandler<ServiceEnv> {
  const headers = Object.entries({ ...securityHeaders, ...transportSecurity(settings.publicUrl) });
  return async (c, next) => {
    const started = now();
    const requestId = `req_${randomBytes(9).toString('base64url')}`;
    c.set('requestId', requestId);
    await next();
    c.header('x-request-id', requestId);
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.header(name, value);
    const { method } = c.req;
    const { status } = c.res;
    const seconds = Math.max(0, now() - started) / 1000;
    const route = routeOf(c);
    metrics.observe({ method, route, status, seconds });
    // Query and body are left out: they may contain signatures, codes and tokens.
    const sender = { address: clientAddress(c, settings), account: c.get('accountId') };
    log('info', 'request', { requestId, method, route, status, ms: Math.round(seconds * 1000), ...sender });
  };
}

/**
 * Limits all requests by address, except those of the API that have an account, which are limited by it, and checks and
 * readings of metrics from this machine.
 */
export function limitByAddress(context: ServiceContext): MiddlewareHandler<ServiceEnv> {
  const { settings } = context;
  const limiter = createRateLimiter(context, { name: 'pages', perMinute: settings.requestsPerMinute });
  return async (c, next) => {
    if (isLimitedByAccount(c.req) || (isCheck(c.req.path) && isLocalRequest(c))) return next();
    try {
      await limiter.take(clientAddress(c, settings));
    } catch (error) {
      if (!(error instanceof ApiError) || !acceptsPages(c)) throw error;
      c.header('retry-after', String(error.retryAfter));
      return sendError(c, 429, tooManyRequests);
    }
    return next();
  };
}

const isCheck = (path: string): boolean => /^\/(?:healthz|readyz|metrics)$/.test(path);

/** What `authenticate` limits. */
const limitedByAccount = Object.values(routes).map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: patternOf(path.replaceAll(/\{\w+\}/g, ':id')),
}));

function isLimitedByAccount({ method, path }: { method: string; path: string }): boolean {
  const handled = method === 'HEAD' ? 'GET' : method;
  return limitedByAccount.some((route) => route.method === handled && route.pattern.test(path));
}

/** Returns the path pattern of the route, or `none` if only this middleware matched. */
function routeOf(c: Context<ServiceEnv>): string {
  const path = routePath(c, -1);
  return path === '/*' || path === '*' ? 'none' : path;
}

export function errorHandler(log: ServiceLog): (error: Error, c: Context<ServiceEnv>) => Promise<Response> {
  return async (error, c) => {
    const apiError = isCutOff(error, c.env?.incoming) ? cutOff : ((await jsonError(error, c)) ?? toApiError(error));
    if (apiError.code === 'internal_error' || apiError.code === 'service_unavailable') {
      const { method } = c.req;
      log('error', 'request failed', {
        requestId: c.get('requestId'),
        method,
        route: routeOf(c),
        error: error.stack ?? String(error),
      });
    }
    return errorResponse(apiError);
  };
}

/** The library's own message about JSON does not say where the mistake is. It has kept the text. */
async function jsonError(error: Error, c: Context<ServiceEnv>): Promise<ApiError | undefined> {
  if (!(error instanceof HTTPException) || !error.message.startsWith('Malformed JSON')) return undefined;
  try {
    JSON.parse(await c.req.text());
  } catch (mistake) {
    return new ApiError('invalid_parameter', `The body cannot be parsed: ${(mistake as Error).message}.`);
  }
  return undefined;
}

export function errorResponse(error: ApiError): Response {
  const { status, retryAfter, headers } = error;
  return Response.json(apiErrorBody(error), {
    status,
    headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) },
  });
}

/** No client reads it. */
const cutOff = new ApiError('invalid_parameter', 'The request was cut off.');

/** When a client should try again while the database is not reachable. */
const unavailableSeconds = 5;

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error))
    return new ApiError('service_unavailable', 'The database is not reachable at the moment. Try again.', {
      retryAfter: unavailableSeconds,
      cause: error,
    });
  const status = error instanceof HTTPException ? error.status : 500;
  if (status === 415) return new ApiError('unsupported_media_type', 'Send the body as application/json.');
  if (status === 413) return new ApiError('request_too_large', 'The request is too large.');
  if (status < 500) return new ApiError('invalid_parameter', error.message);
  return new ApiError(
    'internal_error',
    'An internal error occurred. Try again; if it happens again, send the X-Request-Id to the operator.',
    {
      cause: error,
    },
  );
}

/**
 * Handles unknown paths. 405 if another method exists, 204 for OPTIONS, otherwise 404: as a page for browsers, else as
 * JSON.
 */
export function notFoundHandler(
  routes: readonly { method: string; path: string }[],
): (c: Context<ServiceEnv>) => Response {
  const patterns = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (c) => {
    const { method, path } = c.req;
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
    const allow = [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))].sort().join(', ');
    if (allow === '' && isPageRequest(c)) return sendError(c, 404, notFound);
    if (allow === '') return errorResponse(new ApiError('not_found', 'This path does not exist.'));
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
    const message = `This path supports ${allow}, not ${method.slice(0, 20)}.`;
    return errorResponse(new ApiError('method_not_allowed', message, { headers: { allow } }));
  };
}

/** A page request of a browser, outside the API. */
function isPageRequest(c: Context<ServiceEnv>): boolean {
  const { method, path } = c.req;
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v\d+(?:\/|$)/.test(path) && acceptsPages(c);
}

const acceptsPages = (c: Context<ServiceEnv>): boolean => /\btext\/html\b/i.test(c.req.header('accept') ?? '');

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .replaceAll(/[.+?^$()|[\]\\]/g, '\\$&')
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  );
}

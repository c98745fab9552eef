// What every answer has in common: the number of the request, the headers of security, and the one form of an error.
import { randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { ApiError, apiErrorBody } from './apiErrors.ts';
import type { ServiceLog } from './context.ts';
import type { Metrics } from './metrics.ts';
import { notFound, sendError } from './pageRequests.ts';
import type { ServiceEnv } from './requestEnv.ts';

const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Goes around everything. A part that sets one of these headers itself knows better. */
export function everyAnswer(log: ServiceLog, metrics: Metrics): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = `req_${randomBytes(9).toString('base64url')}`;
    c.set('requestId', requestId);
    await next();
    c.header('x-request-id', requestId);
    for (const [name, value] of Object.entries(securityHeaders)) if (!c.res.headers.has(name)) c.header(name, value);
    const { method } = c.req;
    const { status } = c.res;
    const seconds = (performance.now() - started) / 1000;
    const route = routeOf(c);
    metrics.observe({ method, route, status, seconds });
    // Neither query nor body: signatures, codes and tokens travel in them.
    log('info', 'request', { requestId, method, route, status, ms: Math.round(seconds * 1000) });
  };
}

/** The pattern of the path; what only went around everything answered nothing. */
function routeOf(c: Context<ServiceEnv>): string {
  const path = routePath(c, -1);
  return path === '/*' || path === '*' ? 'none' : path;
}

export function errorAnswer(log: ServiceLog): (error: Error, c: Context<ServiceEnv>) => Response {
  return (error, c) => {
    const apiError = toApiError(error);
    if (apiError.code === 'internal_error') {
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

export function errorResponse(error: ApiError): Response {
  const { status, retryAfter, headers } = error;
  return Response.json(apiErrorBody(error), {
    status,
    headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) },
  });
}

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof HTTPException ? error.status : 500;
  if (status === 415) return new ApiError('unsupported_media_type', 'Send the body as application/json.');
  if (status === 413) return new ApiError('request_too_large', 'The request is too large.');
  if (status < 500) return new ApiError('invalid_parameter', error.message);
  return new ApiError(
    'internal_error',
    'Something went wrong here. Try again; the number of the request helps to find it.',
    {
      cause: error,
    },
  );
}

/** For paths without an answer: 405 where another method has one, and 204 for OPTIONS, else 404; for browsers as a page. */
export function notFoundAnswer(
  routes: readonly { method: string; path: string }[],
): (c: Context<ServiceEnv>) => Response {
  return (c) => {
    const { method, path } = c.req;
    const methods = routes
      .filter((route) => route.method !== 'ALL' && patternOf(route.path).test(path))
      .map((route) => route.method);
    const allow = [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))].sort().join(', ');
    if (allow === '' && isForPerson(c)) return sendError(c, 404, notFound);
    if (allow === '') return errorResponse(new ApiError('not_found', 'There is nothing at this path.'));
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
    const message = `This path takes ${allow}, not ${method.slice(0, 20)}.`;
    return errorResponse(new ApiError('method_not_allowed', message, { headers: { allow } }));
  };
}

/** A browser that shows what it is answered, outside the API. */
function isForPerson(c: Context<ServiceEnv>): boolean {
  const { method, path } = c.req;
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v\d+(?:\/|$)/.test(path) && /\btext\/html\b/i.test(c.req.header('accept') ?? '');
}

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .replaceAll(/[.+?^$()|[\]\\]/g, '\\$&')
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  );
}

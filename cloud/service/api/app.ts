// The hosted service as one Hono application: API, sign-in, web pages, health checks and metrics.
import { timingSafeEqual } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import { sql } from 'kysely';
import type { ServiceContext, ServicePart } from '../context.ts';
import { mountAccountPages } from '../pages/accountPages.ts';
import { mountKeyPages } from '../pages/keyPages.ts';
import { mountMailPages } from '../pages/mailPages.ts';
import { mountOperatorPage } from '../pages/operatorPage.ts';
import { pageStyle, stylePath } from '../pages/pageAssets.ts';
import { mountRenderPages } from '../pages/renderPages.ts';
import { mountSignInPages } from '../pages/signInPages.ts';
import { mountWebhookPages } from '../pages/webhookPages.ts';
import { secretHash } from '../storage/ids.ts';
import { ApiError } from './apiErrors.ts';
import { type ApiParts, mountApi } from './handlers.ts';
import { errorHandler, errorResponse, limitByAddress, notFoundHandler, requestMiddleware } from './middleware.ts';
import { openApiDocument } from './openApi.ts';
import { isLocalRequest, isToLocalHost, type ServiceApp, type ServiceEnv } from './requestEnv.ts';
import { validationHook } from './validation.ts';

export function createApp(parts: ApiParts): ServiceApp {
  const { context, oauth, queue } = parts;
  const { settings, metrics } = context;
  const app: ServiceApp = new OpenAPIHono<ServiceEnv>({ defaultHook: validationHook });
  app.use('*', requestMiddleware(context));
  app.use('*', limitByAddress(context));
  app.onError(errorHandler(context.log));
  mountApi(app, parts);
  const document = openApiDocument(app, settings.publicUrl);
  app.get('/v3/openapi.json', (c) => c.json(document));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (await isReachable(context)) return c.json({ status: 'ok' });
    return errorResponse(new ApiError('service_unavailable', 'The database is not reachable.', { retryAfter: 5 }));
  });
  app.get('/metrics', async (c) => {
    checkMetricsReader(c, settings.metricsToken);
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType });
  });
  // These parts do not use the variables of the API's requests.
  oauth.mount(app as unknown as Hono);
  mountPages(app as unknown as Hono, context, queue);
  app.notFound(notFoundHandler(app.routes));
  return app;
}

/** Mounts all pages but the consent pages, which `oauth` mounts. */
function mountPages(app: Hono, context: ServiceContext, queue: ServicePart): void {
  app.get(stylePath, (c) => {
    c.header('Content-Type', 'text/css; charset=utf-8');
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    c.header('X-Content-Type-Options', 'nosniff');
    return c.body(pageStyle);
  });
  mountSignInPages(app, context);
  if (context.mailer) mountMailPages(app, context, context.mailer);
  mountRenderPages(app, context, queue);
  mountKeyPages(app, context);
  mountWebhookPages(app, context);
  mountAccountPages(app, context);
  mountOperatorPage(app, context);
}

async function isReachable({ database, log }: ServiceContext): Promise<boolean> {
  try {
    await sql`select 1`.execute(database);
    return true;
  } catch (error) {
    log('error', 'database unreachable', { error: String(error) });
    return false;
  }
}

/** Throws ApiError `permission_denied`. Without a configured token, metrics can only be read on this machine. */
function checkMetricsReader(c: Context<ServiceEnv>, token: string | undefined): void {
  const given = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const isValid =
    token !== undefined &&
    given !== undefined &&
    timingSafeEqual(Buffer.from(secretHash(given)), Buffer.from(secretHash(token)));
  // A page of another site can make a browser on this machine send requests, but only under the site's own name.
  if (isValid || (token === undefined && isLocalRequest(c) && isToLocalHost(c))) return;
  const message =
    token === undefined
      ? 'Metrics can only be read on the machine of the service, at localhost or 127.0.0.1.'
      : 'Send the metrics token as Authorization: Bearer.';
  throw new ApiError('permission_denied', message);
}

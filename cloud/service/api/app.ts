// The hosted API as one Hono application: endpoints, sign-in, pages, health and metrics.
import { timingSafeEqual } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import { sql } from 'kysely';
import { errorAnswer, errorResponse, everyAnswer, notFoundAnswer } from './answers.ts';
import { mountApi } from './api.ts';
import { ApiError } from './apiErrors.ts';
import type { ArchiveCheck } from './assets.ts';
import type { ServiceContext, ServicePart } from './context.ts';
import { secretHash } from './ids.ts';
import { createMetrics } from './metrics.ts';
import type { OauthServer } from './oauth.ts';
import { openApiDocument } from './openApi.ts';
import { mountPages } from './pages.ts';
import { isLocalRequest, type ServiceEnv } from './requestEnv.ts';
import { refuseInvalid } from './validation.ts';

export type ServiceApp = OpenAPIHono<ServiceEnv>;

export type AppParts = {
  context: ServiceContext;
  queue: ServicePart;
  oauth: OauthServer;
  checkArchive?: ArchiveCheck;
};

export function createApp(parts: AppParts): ServiceApp {
  const { context, oauth, queue } = parts;
  const { settings, database, log } = context;
  const app: ServiceApp = new OpenAPIHono<ServiceEnv>({ defaultHook: refuseInvalid });
  const metrics = createMetrics(database);
  app.use('*', everyAnswer(log, metrics));
  app.onError(errorAnswer(log));
  mountApi(app, parts);
  const document = openApiDocument(app, settings.publicUrl);
  app.get('/v3/openapi.json', (c) => c.json(document));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (await isReachable(context)) return c.json({ status: 'ok' });
    return errorResponse(new ApiError('service_unavailable', 'The database does not answer.', { retryAfter: 5 }));
  });
  app.get('/metrics', async (c) => {
    checkMetricsReader(c, settings.metricsToken);
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType });
  });
  // Parts that know nothing of what is kept with a request.
  oauth.mount(app as unknown as Hono);
  mountPages(app as unknown as Hono, context, queue);
  app.notFound(notFoundAnswer(app.routes));
  return app;
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

/** Throws ApiError `permission_denied`: without a token, only this machine may read them. */
function checkMetricsReader(c: Context<ServiceEnv>, token: string | undefined): void {
  const given = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const isKnown =
    token !== undefined &&
    given !== undefined &&
    timingSafeEqual(Buffer.from(secretHash(given)), Buffer.from(secretHash(token)));
  if (isKnown || (token === undefined && isLocalRequest(c))) return;
  const message = token === undefined ? 'Metrics are read on this machine.' : 'Send the metrics token as Bearer.';
  throw new ApiError('permission_denied', message);
}

// Handlers of the /v3 endpoints.
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { authenticate } from '../auth/authenticate.ts';
import type { OauthServer } from '../auth/oauthServer.ts';
import type { ServiceContext, ServicePart } from '../context.ts';
import { archiveError } from '../storage/archiveEntries.ts';
import { toCredits } from '../storage/ledger.ts';
import type { ProjectCheck, ProjectVariables } from '../storage/projectCheck.ts';
import { ApiError } from './apiErrors.ts';
import { limits } from './apiSchemas.ts';
import { createAsset, deleteAsset } from './assets.ts';
import { limitBody } from './limitBody.ts';
import { useOf } from './quotas.ts';
import { createRateLimiter, type RateLimiter } from './rateLimit.ts';
import { deleteRender, getRender, listRenders, submitRender } from './renderRequests.ts';
import type { ServiceApp, ServiceEnv } from './requestEnv.ts';
import * as routes from './routes.ts';

export type ApiParts = {
  context: ServiceContext;
  queue: ServicePart;
  oauth: OauthServer;
  checkProject?: (archive: string) => Promise<ProjectCheck>;
};

export function mountApi(app: ServiceApp, { context, queue, oauth, checkProject }: ApiParts): void {
  const limiter = createRateLimiter(context, { name: 'api', perMinute: context.settings.requestsPerMinute });
  const middleware = authenticate({ context, oauth, limiter });
  const limited = limitBody({ maxSize: limits.bodyBytes, onError: rejectBody });

  app.openapi({ ...routes.createAssetRoute, middleware }, async (c) => {
    const accountId = c.get('accountId');
    const { result, replayed } = await createAsset(
      context,
      {
        accountId,
        key: c.req.valid('header')['Idempotency-Key'],
        headers: { contentType: c.req.header('content-type'), contentLength: c.req.header('content-length') },
        body: bodyOf(c),
      },
      checkProject && (async (file) => accepted(await checkProject(file), limiter, accountId)),
    );
    if (replayed) c.header('idempotent-replayed', 'true');
    return c.json({ data: result }, 200);
  });

  app.openapi({ ...routes.deleteAssetRoute, middleware }, async (c) => {
    const { id } = c.req.valid('param');
    await deleteAsset(context, c.get('accountId'), id);
    return c.json({ data: { asset_id: id, deleted: true as const } }, 200);
  });

  app.openapi({ ...routes.createRenderRoute, middleware: [middleware, limited] as const }, async (c) => {
    const { result, replayed } = await submitRender(context, {
      accountId: c.get('accountId'),
      order: c.req.valid('json'),
      key: c.req.valid('header')['Idempotency-Key'],
    });
    if (replayed) c.header('idempotent-replayed', 'true');
    else queue.wake();
    return c.json({ data: result }, 200);
  });

  app.openapi({ ...routes.listRendersRoute, middleware }, async (c) =>
    c.json(await listRenders(context, c.get('accountId'), c.req.valid('query')), 200),
  );

  app.openapi({ ...routes.getRenderRoute, middleware }, async (c) =>
    c.json({ data: await getRender(context, c.get('accountId'), c.req.valid('param').id) }, 200),
  );

  app.openapi({ ...routes.deleteRenderRoute, middleware }, async (c) => {
    const { id } = c.req.valid('param');
    await deleteRender(context, c.get('accountId'), id);
    queue.wake();
    return c.json({ data: { render_id: id, deleted: true as const } }, 200);
  });

  app.openapi({ ...routes.getUserRoute, middleware }, async (c) => {
    const { database } = context;
    const account = await database
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', c.get('accountId'))
      .executeTakeFirstOrThrow();
    const billing = {
      plan: account.plan,
      credits_remaining: toCredits(account.balance),
      resets_at: null,
    };
    const { id, email, name } = account;
    const quotas = await useOf(context, account);
    return c.json({ data: { user_id: id, email, name, billing, quotas } }, 200);
  });
}

/** The rate limit counts an upload once for each of these entries of its archive, because each entry is work. */
const entriesPerRequest = 1_000;

/** Returns the variables of the project. Throws ApiError `framework_project_invalid`. */
async function accepted(
  { entries, refusal, variables }: ProjectCheck,
  limiter: RateLimiter,
  accountId: string,
): Promise<ProjectVariables | undefined> {
  await limiter.charge(accountId, Math.floor(entries / entriesPerRequest));
  if (refusal !== undefined) throw archiveError(refusal);
  return variables;
}

/**
 * Uses the connection's own stream if there is one: an upload can be rejected midway while the response is still sent.
 */
function bodyOf(c: Context<ServiceEnv>): Readable {
  const incoming = c.env?.incoming;
  if (incoming) return incoming;
  const { body } = c.req.raw;
  return body ? Readable.fromWeb(body as never) : Readable.from([]);
}

function rejectBody(): never {
  throw new ApiError('request_too_large', `The body must not be larger than ${limits.bodyBytes} bytes.`);
}

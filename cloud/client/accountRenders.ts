// The renders of an account: one, a page of them, all of them, and taking one away.
import { UserError } from '../errors.ts';
import type { ApiClient } from './apiClient.ts';
import type { Page, RenderOrder, RenderRecord, RenderStatus, Single } from './apiTypes.ts';

type Signal = { signal?: AbortSignal | undefined };

/** Contract: a page has 1 to 100 renders. */
const mostListed = 100;

/** Newest first. `token` is the `next_token` of the page before. Throws UserError, `usage` for another limit than 1 to 100. */
export async function listCloudRenders(
  client: ApiClient,
  { limit, token, signal }: Signal & { limit?: number | undefined; token?: string | undefined } = {},
): Promise<Page<RenderRecord>> {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= mostListed)) {
    throw new UserError('usage', `--limit cannot be ${limit}`, {
      hint: `It takes a whole number from 1 to ${mostListed}; --all lists all renders.`,
    });
  }
  const page = await client.send<Page<RenderRecord>>({
    method: 'GET',
    path: '/v3/framework/renders',
    query: { limit, token },
    ...withSignal(signal),
  });
  if (!Array.isArray(page?.data)) throw invalidAnswer('no list of renders');
  return page;
}

/** Every render from `token` on, page by page. */
export async function* allCloudRenders(
  client: ApiClient,
  { limit = mostListed, token, signal }: Signal & { limit?: number | undefined; token?: string | undefined } = {},
): AsyncGenerator<RenderRecord> {
  const seen = new Set<string>();
  for (let next = token; ; ) {
    const page = await listCloudRenders(client, { limit, token: next, signal });
    yield* page.data;
    if (!page.has_more || !page.next_token) return;
    // A service that goes round in circles must not be asked for ever.
    if (seen.has(page.next_token)) throw invalidAnswer('the same page of renders twice');
    seen.add(page.next_token);
    next = page.next_token;
  }
}

/** With a fresh `video_url`. Throws UserError `framework_render_not_found`. */
export async function getCloudRender(
  client: ApiClient,
  renderId: string,
  { signal }: Signal = {},
): Promise<RenderRecord> {
  const { data } = await named(
    client.send<Single<RenderRecord>>({ method: 'GET', path: pathOf(renderId), ...withSignal(signal) }),
    renderId,
  );
  if (typeof data?.status !== 'string') throw invalidAnswer(`no status of the render ${renderId}`);
  return data;
}

/** Takes it out of the account: from then on it is not found. Throws UserError `framework_render_not_found`. */
export async function deleteCloudRender(client: ApiClient, renderId: string, { signal }: Signal = {}): Promise<void> {
  await named(client.send<unknown>({ method: 'DELETE', path: pathOf(renderId), ...withSignal(signal) }), renderId);
}

/** Asks for a render; the service begins it when it can. */
export async function submitRender(
  client: ApiClient,
  order: RenderOrder,
  { idempotencyKey, signal }: Signal & { idempotencyKey: string },
): Promise<{ renderId: string; status: RenderStatus }> {
  const { data } = await client.send<Single<Pick<RenderRecord, 'render_id' | 'status'>>>({
    method: 'POST',
    path: '/v3/framework/renders',
    json: order,
    idempotencyKey,
    ...withSignal(signal),
  });
  if (typeof data?.render_id !== 'string' || data.render_id === '') throw invalidAnswer('no render_id for the order');
  return { renderId: data.render_id, status: data.status ?? 'queued' };
}

const pathOf = (renderId: string): string => `/v3/framework/renders/${encodeURIComponent(renderId)}`;
const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

async function named<T>(answer: Promise<T>, renderId: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'framework_render_not_found') throw error;
    throw new UserError(error.code, `There is no render ${renderId}`, {
      hint: 'framework cloud list shows the renders of this account; deleted ones and those of others are not found.',
      cause: error,
    });
  }
}

function invalidAnswer(what: string): UserError {
  return new UserError('service_answer_invalid', `The service answered with ${what}`, {
    hint: 'Check SERVICE_API_URL; if it is right, tell whoever runs the service.',
  });
}

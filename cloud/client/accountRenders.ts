// The renders of an account: list, get, submit and delete.
import { UserError } from '../../renderer-core/errors.ts';
import type { ApiClient } from './apiClient.ts';
import type { Page, RenderOrder, RenderRecord, RenderStatus, Single } from './apiTypes.ts';

type Signal = { signal?: AbortSignal | undefined };

const maxPageSize = 100;

/**
 * One page, newest first. `token` is the `next_token` of the previous page. Throws UserError, with `usage` if `limit` is
 * not a whole number from 1 to 100.
 */
export async function listCloudRenders(
  client: ApiClient,
  { limit, token, signal }: Signal & { limit?: number | undefined; token?: string | undefined } = {},
): Promise<Page<RenderRecord>> {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= maxPageSize)) {
    throw new UserError('usage', `--limit must be a whole number from 1 to ${maxPageSize} (got ${limit})`, {
      hint: 'Use --all to list all renders.',
    });
  }
  const page = await client.send<Page<RenderRecord>>({
    method: 'GET',
    path: '/v3/framework/renders',
    query: { limit, token },
    ...withSignal(signal),
  });
  if (!Array.isArray(page?.data)) throw invalidResponse('no list of renders');
  return page;
}

/** All renders from `token` on. Requests the pages one after the other. */
export async function* allCloudRenders(
  client: ApiClient,
  { limit = maxPageSize, token, signal }: Signal & { limit?: number | undefined; token?: string | undefined } = {},
): AsyncGenerator<RenderRecord> {
  const seen = new Set<string>();
  for (let next = token; ; ) {
    const page = await listCloudRenders(client, { limit, token: next, signal });
    yield* page.data;
    if (!page.has_more || !page.next_token) return;
    // Prevents an endless loop.
    if (seen.has(page.next_token)) throw invalidResponse('the same page of renders twice');
    seen.add(page.next_token);
    next = page.next_token;
  }
}

/** The `video_url` is newly signed. Throws UserError `framework_render_not_found`. */
export async function getCloudRender(
  client: ApiClient,
  renderId: string,
  { signal }: Signal = {},
): Promise<RenderRecord> {
  const { data } = await withRenderId(
    client.send<Single<RenderRecord>>({ method: 'GET', path: pathOf(renderId), ...withSignal(signal) }),
    renderId,
  );
  if (typeof data?.status !== 'string') throw invalidResponse(`no status of the render ${renderId}`);
  return data;
}

/** Throws UserError `framework_render_not_found`. */
export async function deleteCloudRender(client: ApiClient, renderId: string, { signal }: Signal = {}): Promise<void> {
  await withRenderId(
    client.send<unknown>({ method: 'DELETE', path: pathOf(renderId), ...withSignal(signal) }),
    renderId,
  );
}

/** Adds a render to the queue of the service. */
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
  if (typeof data?.render_id !== 'string' || data.render_id === '') throw invalidResponse('no render_id');
  return { renderId: data.render_id, status: data.status ?? 'queued' };
}

const pathOf = (renderId: string): string => `/v3/framework/renders/${encodeURIComponent(renderId)}`;
const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

/** Names the render in the error when it does not exist. */
async function withRenderId<T>(response: Promise<T>, renderId: string): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'framework_render_not_found') throw error;
    throw new UserError(error.code, `The render ${renderId} does not exist in this account`, {
      hint: 'framework cloud list shows the renders of this account. The render may have been deleted.',
      cause: error,
    });
  }
}

function invalidResponse(content: string): UserError {
  return new UserError('service_answer_invalid', `The service returned ${content}`, {
    hint: 'Check SERVICE_API_URL. If it is correct, contact the operator of the service.',
  });
}

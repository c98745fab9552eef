// The endpoints of /v3 with their requests and responses. They validate requests, and the OpenAPI document is generated
// from them.
import { createRoute, type z } from '@hono/zod-openapi';
import { type ApiErrorCode, apiErrorStatus } from './apiErrors.ts';
import {
  apiError,
  asset,
  assetIdParam,
  deletedAsset,
  deletedRender,
  idempotencyHeader,
  limits,
  noQuery,
  page,
  pageQuery,
  renderIdParam,
  renderOrder,
  renderRecord,
  renderTicket,
  single,
  user,
} from './apiSchemas.ts';

const security = [{ apiKey: [] }, { oauth: [] }];
const requestId = {
  'X-Request-Id': {
    description: 'Identifies the request; include it in reports to the operator.',
    schema: { type: 'string' as const },
  },
};
const replayed = {
  'Idempotent-Replayed': {
    description: '`true`: nothing was done; this is the earlier response for the same key.',
    schema: { type: 'string' as const },
  },
};

/** Errors of every endpoint. */
const common: readonly ApiErrorCode[] = [
  'invalid_parameter',
  'authentication_failed',
  'permission_denied',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];

type ErrorResponse = { description: string; content: { 'application/json': { schema: typeof apiError } } };

/** One response per status. Several codes may share it. */
function errors(...codes: ApiErrorCode[]): Record<number, ErrorResponse> {
  const responses: Record<number, ErrorResponse> = {};
  for (const code of [...common, ...codes]) {
    const status = apiErrorStatus[code];
    const description = responses[status] ? `${responses[status].description}, ${code}` : code;
    const example = { error: { code, message: 'What is wrong and what to do.' } };
    responses[status] = {
      description,
      content: { 'application/json': { schema: apiError, example } },
      ...(status === 429
        ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const } } } }
        : {}),
    } as ErrorResponse;
  }
  return responses;
}

function response<T extends z.ZodType>(schema: T, description: string, headers: object = {}) {
  return { description, headers: { ...requestId, ...headers }, content: { 'application/json': { schema } } };
}

export const createAssetRoute = createRoute({
  method: 'post',
  path: '/v3/assets',
  operationId: 'createAsset',
  summary: 'Upload a project as a zip archive',
  tags: ['assets'],
  security,
  request: {
    query: noQuery,
    headers: idempotencyHeader,
    body: {
      required: true,
      description: `One part, \`file\`: a zip archive of at most ${limits.archiveBytes / 1024 / 1024} MB.`,
      content: {
        // The schema is not validated, because that would read the whole file into memory.
        'multipart/form-data': {
          schema: {
            type: 'object' as const,
            required: ['file'],
            properties: { file: { type: 'string' as const, contentMediaType: 'application/zip' } },
          } as object,
          encoding: { file: { contentType: 'application/zip' } },
        },
      },
    },
  },
  responses: {
    200: response(single(asset), 'The uploaded asset, to be used in renders.', replayed),
    ...errors(
      'framework_project_invalid',
      'framework_project_too_large',
      'unsupported_media_type',
      'idempotency_conflict',
      'request_timeout',
      'quota_exceeded',
      'insufficient_storage',
    ),
  },
});

export const deleteAssetRoute = createRoute({
  method: 'delete',
  path: '/v3/assets/{id}',
  operationId: 'deleteAsset',
  summary: 'Delete an uploaded project that no queued or running render needs',
  tags: ['assets'],
  security,
  request: { params: assetIdParam, query: noQuery },
  responses: {
    200: response(single(deletedAsset), 'The asset was deleted.'),
    ...errors('not_found', 'asset_in_use'),
  },
});

export const createRenderRoute = createRoute({
  method: 'post',
  path: '/v3/framework/renders',
  operationId: 'createRender',
  summary: 'Submit a render',
  tags: ['renders'],
  security,
  request: {
    query: noQuery,
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: renderOrder } } },
  },
  responses: {
    200: response(single(renderTicket), 'The queued render.', replayed),
    ...errors(
      'framework_project_invalid',
      'insufficient_credits',
      'request_too_large',
      'unsupported_media_type',
      'idempotency_conflict',
      'quota_exceeded',
      'insufficient_storage',
    ),
  },
});

export const listRendersRoute = createRoute({
  method: 'get',
  path: '/v3/framework/renders',
  operationId: 'listRenders',
  summary: 'List renders, newest first',
  tags: ['renders'],
  security,
  request: { query: pageQuery },
  responses: { 200: response(page(renderRecord), 'A page of renders.'), ...errors() },
});

export const getRenderRoute = createRoute({
  method: 'get',
  path: '/v3/framework/renders/{id}',
  operationId: 'getRender',
  summary: 'Get a render, with fresh signed URLs',
  tags: ['renders'],
  security,
  request: { params: renderIdParam, query: noQuery },
  responses: { 200: response(single(renderRecord), 'The render.'), ...errors('framework_render_not_found') },
});

export const deleteRenderRoute = createRoute({
  method: 'delete',
  path: '/v3/framework/renders/{id}',
  operationId: 'deleteRender',
  summary: 'Delete a render; a queued or running one is cancelled',
  tags: ['renders'],
  security,
  request: { params: renderIdParam, query: noQuery },
  responses: {
    200: response(single(deletedRender), 'The render was deleted.'),
    ...errors('framework_render_not_found'),
  },
});

export const getUserRoute = createRoute({
  method: 'get',
  path: '/v3/users/me',
  operationId: 'getUser',
  summary: 'Get the account, its remaining credits, and what it uses of its quotas',
  tags: ['account'],
  security,
  request: { query: noQuery },
  responses: { 200: response(single(user), 'The account that the credential belongs to.'), ...errors() },
});

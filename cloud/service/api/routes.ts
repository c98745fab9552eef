// The endpoints of /v3 as data: what each takes and answers. Requests are validated by it, and the document is made from it.
import { createRoute, type z } from '@hono/zod-openapi';
import { type ApiErrorCode, apiErrorStatus } from './apiErrors.ts';
import {
  apiError,
  asset,
  deletedRender,
  idempotencyHeader,
  idParam,
  limits,
  noQuery,
  page,
  pageQuery,
  renderOrder,
  renderRecord,
  renderTicket,
  single,
  user,
} from './schemas.ts';

const security = [{ apiKey: [] }, { oauth: [] }];
const requestId = {
  'X-Request-Id': { description: 'To be told to the operator.', schema: { type: 'string' as const } },
};
const replayed = {
  'Idempotent-Replayed': {
    description: '`true`: nothing was done, this is the answer that the key got before.',
    schema: { type: 'string' as const },
  },
};

/** Of every endpoint. */
const common: readonly ApiErrorCode[] = [
  'invalid_parameter',
  'authentication_failed',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];

type ErrorAnswer = { description: string; content: { 'application/json': { schema: typeof apiError } } };

/** One answer a status: codes may share one. */
function errors(...codes: ApiErrorCode[]): Record<number, ErrorAnswer> {
  const answers: Record<number, ErrorAnswer> = {};
  for (const code of [...common, ...codes]) {
    const status = apiErrorStatus[code];
    const description = answers[status] ? `${answers[status].description}, ${code}` : code;
    const example = { error: { code, message: 'What is wrong, and what to do.' } };
    answers[status] = {
      description,
      content: { 'application/json': { schema: apiError, example } },
      ...(status === 429
        ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const } } } }
        : {}),
    } as ErrorAnswer;
  }
  return answers;
}

function answer<T extends z.ZodType>(schema: T, description: string, headers: object = {}) {
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
        // No schema of ours: it would read the whole file into memory.
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
    200: answer(single(asset), 'The asset, to be named in renders.', replayed),
    ...errors(
      'framework_project_invalid',
      'framework_project_too_large',
      'unsupported_media_type',
      'idempotency_conflict',
    ),
  },
});

export const createRenderRoute = createRoute({
  method: 'post',
  path: '/v3/framework/renders',
  operationId: 'createRender',
  summary: 'Order a render',
  tags: ['renders'],
  security,
  request: {
    query: noQuery,
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: renderOrder } } },
  },
  responses: {
    200: answer(single(renderTicket), 'The render waits for its turn.', replayed),
    ...errors('insufficient_credits', 'request_too_large', 'unsupported_media_type', 'idempotency_conflict'),
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
  responses: { 200: answer(page(renderRecord), 'One page.'), ...errors() },
});

export const getRenderRoute = createRoute({
  method: 'get',
  path: '/v3/framework/renders/{id}',
  operationId: 'getRender',
  summary: 'Get a render, with fresh signed URLs',
  tags: ['renders'],
  security,
  request: { params: idParam, query: noQuery },
  responses: { 200: answer(single(renderRecord), 'The render.'), ...errors('framework_render_not_found') },
});

export const deleteRenderRoute = createRoute({
  method: 'delete',
  path: '/v3/framework/renders/{id}',
  operationId: 'deleteRender',
  summary: 'Delete a render; one that waits or runs is stopped',
  tags: ['renders'],
  security,
  request: { params: idParam, query: noQuery },
  responses: { 200: answer(single(deletedRender), 'It is gone.'), ...errors('framework_render_not_found') },
});

export const getUserRoute = createRoute({
  method: 'get',
  path: '/v3/users/me',
  operationId: 'getUser',
  summary: 'Who I am, and what credits are left',
  tags: ['account'],
  security,
  request: { query: noQuery },
  responses: { 200: answer(single(user), 'The account of the credential.'), ...errors() },
});

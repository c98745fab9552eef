// The OpenAPI document is complete, responses match it, and no operation exposes another account's data or fails on
// unexpected input.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type OpenApiDocument, operationsOf, validator } from '../../../support/service/openApi.ts';
import {
  assetForm,
  projectZip,
  type TestService,
  type TestUser,
  testService,
  testUser,
} from '../../../support/service/service.ts';

async function documentOf({ app }: TestService): Promise<OpenApiDocument> {
  return (await app.request('/v3/openapi.json')).json();
}

test('contains every endpoint', async () => {
  const document = await documentOf(await testService());
  expect(operationsOf(document).map(({ name }) => name)).toEqual([
    'POST /v3/assets',
    'DELETE /v3/assets/{id}',
    'POST /v3/framework/renders',
    'GET /v3/framework/renders',
    'GET /v3/framework/renders/{id}',
    'DELETE /v3/framework/renders/{id}',
    'GET /v3/users/me',
  ]);
});

test('is a valid OpenAPI document', async () => {
  const document = await documentOf(await testService({ publicUrl: 'https://render.example.com' }));
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: 'https://render.example.com' }]);
  const text = JSON.stringify(document);
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(document.components.schemas)).toContain(name);
  const schemes = Object.keys(document.components.securitySchemes);
  expect(schemes).toEqual(['apiKey', 'oauth']);
  const check = validator(document);
  const operations = operationsOf(document);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    expect(operation.security.flatMap(Object.keys)).toEqual(schemes);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name, required }) => [name, required])).toEqual(inPath.map((name) => [name, true]));
    for (const status of ['200', '400', '401', '429', '500']) expect(operation.responses).toHaveProperty(status);
    for (const { description, content } of Object.values(operation.responses)) {
      expect(description).not.toBe('');
      const { schema, example } = content['application/json'];
      if (example !== undefined) expect(check(schema, example)).toEqual([]);
    }
  }
  // All schemas are valid JSON schemas.
  for (const name of Object.keys(document.components.schemas)) check({ $ref: `#/components/schemas/${name}` }, {});
});

/** Requests that match the document's schema are accepted. */
test('describes render requests as they are validated', async () => {
  const service = await testService();
  const document = await documentOf(service);
  const { headers } = await testUser(service.context);
  const check = validator(document);
  const project = { type: 'url', url: 'https://example.com/p.zip' };
  for (const body of [
    { project },
    { project, fps: 29.97, variables: { a: [1] }, title: 'x' },
    { project: { type: 'asset_id', asset_id: 'ast_x' } },
    { project, fps: 0 },
    { project, format: 'gif' },
    { project, fsp: 30 },
    { project: { type: 'git' } },
    { project, variables: [] },
    { project, callback_id: '' },
    {},
  ]) {
    const answer = await service.app.request('/v3/framework/renders', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = await answer.json();
    // A schema cannot express that an asset exists.
    const isTaken = answer.status === 200 || error.param === 'project.asset_id';
    expect([body, check({ $ref: '#/components/schemas/RenderOrder' }, body).length === 0]).toEqual([body, isTaken]);
  }
});

/** Sends a request for an operation with the given render and asset; returns the status and the response. */
async function send(
  { app }: TestService,
  operation: { method: string; path: string },
  user: TestUser,
  ids: { render: string; asset: string },
): Promise<{ status: number; body: Json }> {
  const { method, path } = operation;
  const isUpload = path === '/v3/assets';
  const order = { project: { type: 'asset_id', asset_id: ids.asset } };
  const answer = await app.request(path.replace('{id}', path.startsWith('/v3/assets') ? ids.asset : ids.render), {
    method,
    headers: { ...user.headers, ...(isUpload ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'POST' ? { body: isUpload ? assetForm() : JSON.stringify(order) } : {}),
  });
  return { status: answer.status, body: await answer.json() };
}

/** An asset and a completed render of the user. */
async function things(service: TestService, user: TestUser): Promise<{ render: string; asset: string }> {
  const { context } = service;
  const upload = await send(service, { method: 'POST', path: '/v3/assets' }, user, { render: '', asset: '' });
  const asset = String((upload.body.data as Json).asset_id);
  const order = await send(service, { method: 'POST', path: '/v3/framework/renders' }, user, { render: '', asset });
  const render = String((order.body.data as Json).render_id);
  const row = {
    status: 'completed' as const,
    video_key: `videos/${render}.mp4`,
    completed_at: 5,
    duration: 2,
    credits: 2,
  };
  await context.database.updateTable('renders').set(row).where('id', '=', render).execute();
  return { render, asset };
}

test('describes the responses of all operations', async () => {
  const service = await testService();
  const document = await documentOf(service);
  const check = validator(document);
  const user = await testUser(service.context);
  const ids = await things(service, user);
  const nothing = { render: 'rnd_AAAAAAAAAAAAAAAAAAAAAA', asset: 'ast_AAAAAAAAAAAAAAAAAAAAAA' };
  const statuses: number[] = [];
  for (const [who, about] of [
    [user, ids],
    [user, nothing],
    [{ ...user, headers: {} }, ids],
  ] as const) {
    for (const { name, operation, ...rest } of deletingLast(operationsOf(document))) {
      const { status, body } = await send(service, { ...rest }, who, about);
      const said = operation.responses[String(status)];
      expect([name, status, said?.description]).toEqual([name, status, expect.any(String)]);
      if (said) expect([name, check(said.content['application/json'].schema, body)]).toEqual([name, []]);
      statuses.push(status);
    }
  }
  // The asset is needed by the render that was submitted last.
  const own = [200, 200, 200, 200, 200, 409, 200];
  expect(statuses).toEqual([...own, 200, 400, 200, 404, 200, 404, 404, 401, 401, 401, 401, 401, 401, 401]);
});

function deletingLast<T extends { method: string }>(operations: readonly T[]): T[] {
  return [...operations.filter((operation) => !isDelete(operation)), ...operations.filter(isDelete)];
}

const isDelete = ({ method }: { method: string }): boolean => method === 'DELETE';

test("answers requests for another account's data as if it did not exist", async () => {
  const service = await testService();
  const [ann, ben] = [await testUser(service.context), await testUser(service.context)];
  const nothing = { render: 'rnd_AAAAAAAAAAAAAAAAAAAAAA', asset: 'ast_AAAAAAAAAAAAAAAAAAAAAA' };
  const operations = operationsOf(await documentOf(service)).filter(({ path }) => path !== '/v3/users/me');
  for (const operation of operations) {
    const ids = await things(service, ann);
    const [theirs, nobodys] = [await send(service, operation, ben, ids), await send(service, operation, ben, nothing)];
    const neutral = (value: unknown) => JSON.stringify(value).replaceAll(/(rnd|ast)_[\w-]{22}/g, '$1');
    expect([operation.name, theirs.status, neutral(theirs.body)]).toEqual([
      operation.name,
      nobodys.status,
      neutral(nobodys.body),
    ]);
    expect(JSON.stringify(theirs.body)).not.toContain(`"render_id":"${ids.render}"`);
    // It still exists, unchanged.
    const own = await send(service, { method: 'GET', path: '/v3/framework/renders/{id}' }, ann, ids);
    expect(own.status).toBe(200);
  }
  const users = await Promise.all(
    [ann, ben].map((user) => send(service, { method: 'GET', path: '/v3/users/me' }, user, nothing)),
  );
  expect(users.map(({ body }) => (body.data as Json).user_id)).toEqual([ann.accountId, ben.accountId]);
});

/** Arbitrary JSON, sometimes with valid field names. */
const fields = [
  'project',
  'type',
  'asset_id',
  'url',
  'composition',
  'fps',
  'quality',
  'format',
  'resolution',
  'width',
  'height',
  'aspect_ratio',
  'fit',
  'background',
  'variables',
  'strict_variables',
  'callback_url',
  'callback_id',
  'title',
];
const words = [
  'asset_id',
  'url',
  'mp4',
  'webm',
  '4k',
  '1:1',
  'index.html',
  'https://example.com/p.zip',
  'ast_AAAAAAAAAAAAAAAAAAAAAA',
  '__proto__',
  '\0',
  '\ud800',
];
const { order } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(...words), fc.jsonValue(), fc.double(), tie('order')),
  order: fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields) }, fc.string()), tie('value'), {
    maxKeys: 8,
  }),
}));

test('never fails on any body', async () => {
  const service = await testService();
  const { headers } = await testUser(service.context);
  const post = (body: string) =>
    service.app.request('/v3/framework/renders', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
  const project = { type: 'url', url: 'https://example.com/p.zip' };
  await fc.assert(
    fc.asyncProperty(order, fc.boolean(), fc.string(), async (given, withProject, noise) => {
      const body = withProject ? { ...(given as Json), project } : given;
      for (const text of [JSON.stringify(body), noise]) {
        const answer = await post(text);
        expect(answer.status).toBeOneOf([200, 400]);
        if (answer.status === 400) expect((await answer.json()).error.code).toBe('invalid_parameter');
      }
    }),
    { numRuns: 150 },
  );
});

test('never fails on any query, header or ID', async () => {
  const service = await testService();
  const { headers } = await testUser(service.context);
  const latin1 = fc.string({
    unit: fc
      .integer({ min: 32, max: 255 })
      .filter((code) => code !== 127)
      .map((code) => String.fromCharCode(code)),
  });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), latin1, async (text, header) => {
      // Unpaired surrogates cannot be in a URL.
      const part = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ''));
      const statusOf = async (path: string, init: RequestInit = {}) =>
        (await service.app.request(path, { ...init, headers: { ...headers, ...init.headers } })).status;
      expect(await statusOf(`/v3/framework/renders?token=${part}`)).toBeOneOf([400]);
      expect(await statusOf(`/v3/framework/renders?limit=${part}`)).toBeOneOf([200, 400]);
      expect(await statusOf(`/v3/framework/renders/${part}`)).toBeOneOf([200, 404]);
      expect(await statusOf(`/files/videos/${part}?signature=${part}`)).toBeOneOf([403, 404]);
      expect(await statusOf('/v3/users/me', { headers: { 'x-api-key': header } })).toBe(401);
      const upload = { method: 'POST', body: projectZip as Uint8Array<ArrayBuffer> };
      expect(await statusOf('/v3/assets', { ...upload, headers: { 'idempotency-key': header } })).toBeOneOf([400, 415]);
    }),
    { numRuns: 80 },
  );
});

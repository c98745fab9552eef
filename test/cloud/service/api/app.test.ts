// What all requests have in common: response format, headers, unknown paths and methods, limits.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import Sqlite from 'libsql';
import { expect, test } from 'vitest';
import { makeZip, type ZipEntry } from '../../../support/makeZip.ts';
import { assetForm, projectZip, type TestService, testService, testUser } from '../../../support/service/service.ts';

test('uploads, renders, lists and deletes', async () => {
  const { app, context } = await testService();
  const { headers } = await testUser(context);
  const asset = await (await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() })).json();
  expect(asset).toEqual({
    data: {
      asset_id: expect.stringMatching(/^ast_/),
      size_bytes: projectZip.length,
      sha256: createHash('sha256').update(projectZip).digest('hex'),
    },
  });
  const submitted = await app.request('/v3/framework/renders', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project: { type: 'asset_id', asset_id: asset.data.asset_id }, fps: 29.97, title: 'One' }),
  });
  expect(submitted.status).toBe(200);
  const { data: ticket } = await submitted.json();
  expect(ticket).toEqual({ render_id: expect.stringMatching(/^rnd_/), status: 'queued' });
  const path = `/v3/framework/renders/${ticket.render_id}`;
  const record = {
    render_id: ticket.render_id,
    status: 'queued',
    progress: 0,
    title: 'One',
    callback_id: null,
    video_url: null,
    thumbnail_url: null,
    duration: null,
    fps: 29.97,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    aspect_ratio: null,
    composition: 'index.html',
    created_at: 1_800_000_000,
    completed_at: null,
    credits: null,
    failure_code: null,
    failure_message: null,
    engine: null,
    warnings: [],
  };
  expect(await (await app.request(path, { headers })).json()).toEqual({ data: record });
  const list = await app.request('/v3/framework/renders', { headers });
  expect(await list.json()).toEqual({ data: [record], has_more: false, next_token: null });
  const deleted = await app.request(path, { method: 'DELETE', headers });
  expect(await deleted.json()).toEqual({ data: { render_id: ticket.render_id, deleted: true } });
  for (const method of ['GET', 'DELETE']) {
    const gone = await app.request(path, { method, headers });
    expect([gone.status, (await gone.json()).error.code]).toEqual([404, 'framework_render_not_found']);
  }
  expect((await (await app.request('/v3/framework/renders', { headers })).json()).data).toEqual([]);
});

/** Returns status, error code and field of a response, after checking what all responses have in common. */
async function verdict(app: TestService['app'], path: string, init: RequestInit = {}): Promise<string> {
  const response = await app.request(path, init);
  expect(response.headers.get('x-request-id')).toMatch(/^req_[\w-]{12}$/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-store');
  if (response.status === 204 || init.method === 'HEAD') {
    expect(await response.text()).toBe('');
    return String(response.status);
  }
  expect(response.headers.get('content-type')).toBe('application/json');
  const { error } = await response.json();
  return [response.status, error?.code, error?.param].filter((part) => part !== undefined).join(' ');
}

test('answers an unknown path with a page for browsers and JSON for programs', async () => {
  const { app } = await testService();
  const accept = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const answerTo = async (path: string, init: RequestInit) => {
    const { status, headers } = await app.request(path, init);
    return `${status} ${headers.get('content-type')?.split(';')[0]}`;
  };
  expect(await answerTo('/nowhere', { headers: accept })).toBe('404 text/html');
  expect(await answerTo('/nowhere', {})).toBe('404 application/json');
  expect(await answerTo('/nowhere', { headers: accept, method: 'POST' })).toBe('404 application/json');
  expect(await answerTo('/v3/nowhere', { headers: accept })).toBe('404 application/json');
});

test('returns every error in the same format', async () => {
  const { app, context } = await testService();
  const { key, headers } = await testUser(context);
  const json = { ...headers, 'content-type': 'application/json' };
  const renders = '/v3/framework/renders';
  const post = (body: string, more: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...json, ...more },
    body,
  });
  const check = async (path: string, init: RequestInit, expected: string) =>
    expect([path, await verdict(app, path, init)]).toEqual([path, expected]);

  await check('/nowhere', {}, '404 not_found');
  await check('/v3', { headers }, '404 not_found');
  await check('/v3/users/me/', { headers }, '404 not_found');
  await check('/v3/users/me', { method: 'PUT', headers }, '405 method_not_allowed');
  await check('/v3/assets', { headers }, '405 method_not_allowed');
  await check(renders, { method: 'DELETE' }, '405 method_not_allowed');
  await check(renders, { method: 'OPTIONS' }, '204');
  await check('/healthz', { method: 'HEAD' }, '200');
  await check('/healthz', {}, '200');
  await check('/readyz', {}, '200');

  await check('/v3/users/me', {}, '401 authentication_failed');
  await check('/v3/users/me', { headers: { 'x-api-key': `${key}x` } }, '401 authentication_failed');
  await check('/v3/users/me', { headers: { 'x-api-key': '' } }, '401 authentication_failed');
  await check('/v3/users/me', { headers: { authorization: `Bearer ${key}` } }, '401 authentication_failed');
  await check('/v3/users/me', { headers: { authorization: 'Basic eDp5' } }, '401 authentication_failed');
  await check(
    '/v3/users/me',
    { headers: { ...headers, authorization: 'Bearer x' } },
    '400 invalid_parameter Authorization',
  );
  await check('/v3/users/me?x=1', { headers }, '400 invalid_parameter x');

  await check(renders, post('{'), '400 invalid_parameter');
  await check(renders, post(''), '400 invalid_parameter');
  await check(renders, post('{}'), '400 invalid_parameter project');
  await check(renders, post('{}', { 'content-type': 'text/plain' }), '415 unsupported_media_type');
  await check(renders, post('{}', { 'idempotency-key': 'a b' }), '400 invalid_parameter Idempotency-Key');
  await check(renders, post(`{"title":"${'x'.repeat(600_000)}"}`), '413 request_too_large');
  await check(renders, post('['.repeat(300_000)), '400 invalid_parameter');
  await check(`${renders}?token=x`, { headers }, '400 invalid_parameter token');
  await check(`${renders}/rnd_x`, { headers }, '404 framework_render_not_found');
  await check(`${renders}/%00`, { headers }, '404 framework_render_not_found');
  await check(`${renders}/%ff`, { headers }, '404 framework_render_not_found');
  await check('/v3/assets', { method: 'POST', headers, body: '{}' }, '415 unsupported_media_type');
});

test.each([
  ['callback_url', 'http://x.example/', '400 invalid_parameter callback_url'],
  ['callback_url', 'HTTPS://x.example/', '200'],
  ['project', { type: 'url', url: 'http://x.example/p.zip' }, '400 invalid_parameter project.url'],
  ['project', { type: 'url', url: 'HTTPS://x.example/p.zip' }, '200'],
])('allows %s %j only with private targets', async (field, value, expected) => {
  const order = async (service: TestService) =>
    verdict(service.app, '/v3/framework/renders', {
      method: 'POST',
      headers: { ...(await testUser(service.context)).headers, 'content-type': 'application/json' },
      body: JSON.stringify({ project: { type: 'url', url: 'https://example.com/p.zip' }, [field]: value }),
    });
  expect(await order(await testService())).toBe(expected);
  expect(await order(await testService({ allowPrivateTargets: true }))).toBe('200');
});

test('includes an authentication challenge in 401 responses', async () => {
  const { app } = await testService();
  const challenge = async (headers: Record<string, string>) =>
    (await app.request('/v3/users/me', { headers })).headers.get('www-authenticate');
  expect(await challenge({})).toBe('Bearer realm="framework"');
  expect(await challenge({ authorization: 'Bearer x' })).toBe('Bearer realm="framework", error="invalid_token"');
});

test('returns internal_error for an internal error without exposing its details', async () => {
  const { app, context, logged } = await testService();
  const { headers } = await testUser(context);
  await context.database.schema.dropTable('uploads').execute();
  const response = await app.request('/v3/users/me', { headers });
  expect(response.status).toBe(500);
  const { error } = await response.json();
  expect(error.code).toBe('internal_error');
  expect(JSON.stringify(error)).not.toContain('uploads');
  const requestId = response.headers.get('x-request-id');
  expect(logged).toContainEqual(
    expect.objectContaining({ level: 'error', requestId, error: expect.stringContaining('uploads') }),
  );
});

test.each([
  ['while its body is read', Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), {}],
  ['before its body is read', new TypeError('body is locked'), { incoming: { destroyed: true, complete: false } }],
])('does not report an error of the service when a client cuts off its request %s', async (_, error, env) => {
  const { app, context, logged } = await testService();
  const { headers } = await testUser(context);
  const body = new ReadableStream({ start: (controller) => controller.error(error) });
  const request = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...{ body, duplex: 'half' },
  };
  const response = await app.request('/v3/framework/renders', request, env);
  expect(response.status).toBe(400);
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('limits requests per account, and per address without one', async () => {
  const { app, context, clock } = await testService({ requestsPerMinute: 6 });
  const [ann, ben] = [await testUser(context), await testUser(context)];
  const ask = (headers: Record<string, string>) => verdict(app, '/v3/users/me', { headers });
  for (let count = 0; count < 6; count++) expect(await ask(ann.headers)).toBe('200');
  expect(await ask(ann.headers)).toBe('429 rate_limit_exceeded');
  const refused = await app.request('/v3/users/me', { headers: ann.headers });
  expect(refused.headers.get('retry-after')).toBe('10');
  expect((await refused.json()).error.message).toBe('Rate limit of 6 requests per minute exceeded. Try again in 10 s.');
  expect(await ask(ben.headers)).toBe('200');
  clock.now += 10_000;
  expect(await ask(ann.headers)).toBe('200');
  expect(await ask(ann.headers)).toBe('429 rate_limit_exceeded');
  for (let count = 0; count < 6; count++)
    expect(await ask({ 'x-api-key': `guess${count}` })).toBe('401 authentication_failed');
  expect(await ask({ 'x-api-key': 'guess' })).toBe('429 rate_limit_exceeded');
  expect(await ask({ 'x-api-key': 'guess', 'x-forwarded-for': '203.0.113.9' })).toBe('401 authentication_failed');
  expect(await ask(ben.headers)).toBe('200');
  expect((await app.request('/healthz')).status).toBe(200);
});

test.each([
  ['the description of the API', '/v3/openapi.json', 200],
  ['unknown paths of the API', '/v3/unknown', 404],
  ['other methods', '/v3/users/me', 405],
  ['health checks', '/readyz', 200],
  ['metrics', '/metrics', 403],
])('limits %s by address', async (_, path, status) => {
  const { app } = await testService({ requestsPerMinute: 2 });
  const method = status === 405 ? 'PUT' : 'GET';
  const ask = async (address: string) =>
    (await app.request(path, { method, headers: { 'x-forwarded-for': address } })).status;
  const first = [await ask('203.0.113.9'), await ask('203.0.113.9'), await ask('203.0.113.9')];
  expect([...first, await ask('203.0.113.10')]).toEqual([status, status, 429, status]);
});

test('names the address and the account of each request in the log', async () => {
  const { app, context, logged } = await testService();
  const { accountId, headers } = await testUser(context);
  await app.request('/v3/users/me', { headers: { ...headers, 'x-forwarded-for': '203.0.113.9' } });
  await app.request('/v3/users/me', { headers: { 'x-forwarded-for': '203.0.113.10' } });
  expect(logged.filter(({ message }) => message === 'request')).toMatchObject([
    { route: '/v3/users/me', status: 200, address: '203.0.113.9', account: accountId },
    { route: '/v3/users/me', status: 401, address: '203.0.113.10', account: undefined },
  ]);
});

test.each([
  ['{"project": }', 'Unexpected token'],
  ['', 'Unexpected end of JSON input'],
])('says where a body is not valid JSON: %j', async (body, reason) => {
  const { app, context } = await testService();
  const headers = { ...(await testUser(context)).headers, 'content-type': 'application/json' };
  const response = await app.request('/v3/framework/renders', { method: 'POST', headers, body });
  expect((await response.json()).error).toEqual({
    code: 'invalid_parameter',
    message: expect.stringMatching(`^The body cannot be parsed: ${reason}`),
  });
});

test('counts an upload once more for each 1,000 entries of its archive, also if it is refused', async () => {
  const { app, context } = await testService({ requestsPerMinute: 10 });
  const { headers } = await testUser(context);
  const entries = Array.from({ length: 8_000 }, (_, at) => ({ name: `${at}.txt`, method: 0 }));
  const upload = (names: readonly ZipEntry[]) =>
    app.request('/v3/assets', { method: 'POST', headers, body: assetForm(makeZip(names)) });
  expect((await upload([...entries, { name: '1.txt' }])).status).toBe(422);
  const ask = async () => (await app.request('/v3/users/me', { headers })).status;
  expect([await ask(), await ask()]).toEqual([200, 429]);
});

test('serves metrics to this machine or with the token, without names or IDs', async () => {
  const service = await testService();
  const { accountId, headers } = await testUser(service.context);
  await service.app.request('/v3/users/me', { headers });
  await service.app.request('/v3/framework/renders/rnd_x', { headers });
  const text = await (await service.app.request('/metrics')).text();
  expect(text).toContain('framework_requests_total{method="GET",route="/v3/users/me",status="200"} 1');
  expect(text).toContain('framework_requests_total{method="GET",route="/v3/framework/renders/:id",status="404"} 1');
  expect(text).toContain('# TYPE framework_renders gauge');
  expect(text).toContain('framework_disk_free_bytes ');
  expect(text).not.toContain(accountId);
  expect(await verdict(service.app, '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })).toBe(
    '403 permission_denied',
  );
  const open = await testService({ metricsToken: 'letmein' });
  expect(await verdict(open.app, '/metrics')).toBe('403 permission_denied');
  expect(await verdict(open.app, '/metrics', { headers: { authorization: 'Bearer x' } })).toBe('403 permission_denied');
  const read = await open.app.request('/metrics', {
    headers: { authorization: 'Bearer letmein', 'x-forwarded-for': '1.2.3.4' },
  });
  expect(read.status).toBe(200);
});

test('serves metrics without a token only under the name of this machine', async () => {
  const { app } = await testService();
  const statusAt = async (origin: string) => (await app.request(`${origin}/metrics`)).status;
  for (const origin of ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])
    expect([origin, await statusAt(origin)]).toEqual([origin, 200]);
  for (const origin of ['http://rebound.example:8787', 'http://127.rebound.example', 'http://localhost.example'])
    expect([origin, await statusAt(origin)]).toEqual([origin, 403]);
});

test('limits requests for pages and files by address', async () => {
  const { app, clock } = await testService({ requestsPerMinute: 3 });
  const from = (address: string, accept = 'text/html') => ({ headers: { 'x-forwarded-for': address, accept } });
  const ask = async (path: string, init: RequestInit) => {
    const { status, headers } = await app.request(path, init);
    return [status, headers.get('content-type')?.split(';')[0], headers.get('retry-after')];
  };
  for (const path of ['/sign-in', '/sign-in', '/nowhere']) expect((await ask(path, from('1.2.3.4')))[0]).not.toBe(429);
  expect(await ask('/sign-in', from('1.2.3.4'))).toEqual([429, 'text/html', '20']);
  expect(await ask('/files/videos/rnd_x.mp4', from('1.2.3.4', '*/*'))).toEqual([429, 'application/json', '20']);
  expect((await ask('/sign-in', from('5.6.7.8')))[0]).not.toBe(429);
  clock.now += 20_000;
  expect((await ask('/sign-in', from('1.2.3.4')))[0]).not.toBe(429);
});

test('tells browsers to use only https, if that is how clients reach it', async () => {
  const sent = async ({ app }: TestService, path: string) =>
    (await app.request(path)).headers.get('strict-transport-security');
  const secure = await testService({ publicUrl: 'https://render.example.com' });
  for (const path of ['/v3/users/me', '/sign-in', '/nowhere', '/.well-known/oauth-authorization-server'])
    expect([path, await sent(secure, path)]).toEqual([path, 'max-age=31536000']);
  expect(await sent(await testService(), '/sign-in')).toBeNull();
});

test('answers 503 while another process locks the database, and then works again', async () => {
  const { app, context } = await testService();
  const { headers } = await testUser(context);
  const accept = { accept: 'text/html' };
  const cookie = `framework_session=${'A'.repeat(43)}`;
  await sql`pragma busy_timeout = 10`.execute(context.database);
  // Readers wait only in this mode.
  await sql`pragma journal_mode = delete`.execute(context.database);
  const other = new Sqlite(join(context.settings.dataDir, 'service.sqlite'));
  other.exec('begin exclusive');
  const response = await app.request('/v3/users/me', { headers });
  expect([response.status, response.headers.get('retry-after'), (await response.json()).error]).toEqual([
    503,
    '5',
    { code: 'service_unavailable', message: 'The database is not reachable at the moment. Try again.' },
  ]);
  const page = await app.request('/account', { headers: { ...accept, cookie } });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  other.exec('rollback');
  other.close();
  expect((await app.request('/v3/users/me', { headers })).status).toBe(200);
});

test('never logs credentials', async () => {
  const { app, context, logged } = await testService();
  const { key, headers } = await testUser(context);
  await app.request('/v3/users/me', { headers });
  await app.request(`/v3/users/me?token=${key}`, { headers });
  await app.request(`/v3/framework/renders/${key}`, { headers: { 'x-api-key': `${key}x` } });
  expect(logged.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(logged)).not.toContain(key);
});

test('checks the values of an uploaded project when a render is submitted', async () => {
  const { app, context } = await testService();
  const { headers } = await testUser(context);
  const declarations = [
    { id: 'title', type: 'string' },
    { id: 'tint', type: 'color' },
  ];
  const page = `<html data-composition-variables='${JSON.stringify(declarations)}'><div data-composition-id="a"></div></html>`;
  const zip = makeZip([{ name: 'index.html', data: page }]);
  const uploaded = await app.request('/v3/assets', { method: 'POST', headers, body: assetForm(zip) });
  const { asset_id } = (await uploaded.json()).data;
  const submit = (order: object) =>
    app.request('/v3/framework/renders', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ project: { type: 'asset_id', asset_id }, ...order }),
    });
  const variables = { title: 'Hello', tint: 7, titel: 'x' };
  const refused = await submit({ variables, strict_variables: true });
  expect(refused.status).toBe(422);
  expect((await refused.json()).error).toEqual({
    code: 'framework_project_invalid',
    message: [
      'index.html: Variable "tint" must be a color as #rrggbb (got 7).',
      'index.html: Variable "titel" is not declared by this composition; did you mean "title"?',
    ].join('\n'),
    param: 'variables',
  });
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${'x'.repeat(90)}${index}`, '']));
  const { message } = (await (await submit({ variables: many, strict_variables: true })).json()).error;
  expect(message.split('\n')).toHaveLength(51);
  expect(message).toMatch(/\nand 1950 more\.$/);
  const { data } = await (await app.request('/v3/framework/renders', { headers })).json();
  expect(data).toEqual([]);
  // Without strict checking, the render reports them as warnings. Of other files, nothing is known.
  for (const order of [{ variables }, { variables, strict_variables: true, composition: 'other.html' }])
    expect((await submit(order)).status).toBe(200);
  expect((await submit({ variables: { tint: '#ff0000' }, strict_variables: true })).status).toBe(200);
});

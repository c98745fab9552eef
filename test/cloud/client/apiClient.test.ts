import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../cloud/client/apiClient.ts';
import { apiUrl } from '../../../cloud/client/apiUrl.ts';
import { apiErrorTable } from '../../../cloud/client/responseErrors.ts';
import { type RetryPolicy, retryAfterMs } from '../../../cloud/client/retry.ts';
import { errorToJson, UserError } from '../../../renderer-core/errors.ts';
import { createApiClient } from '../../../sdk/services.ts';
import { listenInTest } from '../../support/servers/listen.ts';
import { makeHome } from './home.ts';
import { type Answer, answering, closedAddress, serving } from './httpServer.ts';

const get: ApiRequest = { method: 'GET', path: '/v3/users/me' };
const order: ApiRequest = { method: 'POST', path: '/v3/framework/renders', json: { fps: 30 } };
const key = 'key_0123456789abcdef';

function client(url: string, retry: Partial<RetryPolicy> = {}, env: NodeJS.ProcessEnv = {}) {
  return createApiClient({
    env: { ...makeHome().env, SERVICE_API_URL: url, SERVICE_API_KEY: key, ...env },
    version: '1.2.3',
    retry: { firstMs: 1, longestMs: 1, ...retry },
  });
}

async function fault(sent: Promise<unknown>) {
  const error = await sent.catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return errorToJson(error);
  throw new Error(`expected a UserError, got ${String(error)}`);
}

const failing = (status: number, code: string, message = 'no', more = {}): Answer => ({
  status,
  body: { error: { code, message, ...more } },
});

describe('requests', () => {
  test('sends the key, the version and the query, and returns the body', async () => {
    const { url, asked } = await answering(() => ({ body: { data: 1 } }));
    const answer = await client(`${url}/`).send({ ...get, query: { limit: 5, token: 'a b', other: undefined } });
    expect(answer).toEqual({ data: 1 });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: '/v3/users/me?limit=5&token=a+b',
      headers: { 'x-api-key': key, 'user-agent': 'framework/1.2.3', accept: 'application/json' },
    });
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test('sends JSON with an idempotency key and a Bearer token to a base URL with a path', async () => {
    const { url, asked } = await answering(() => ({ body: {} }));
    const { env } = makeHome({ oauth: { access_token: 'access' } }, { SERVICE_API_URL: `${url}/api` });
    await createApiClient({ env, version: '1' }).send({ ...order, idempotencyKey: 'once' });
    expect(asked[0]).toMatchObject({
      url: '/api/v3/framework/renders',
      body: '{"fps":30}',
      headers: { authorization: 'Bearer access', 'idempotency-key': 'once', 'content-type': 'application/json' },
    });
    expect(asked[0]?.headers['x-api-key']).toBeUndefined();
  });

  test('sends a streamed body with or without its length', async () => {
    const { url, asked } = await answering(() => ({ body: {} }));
    const body = { contentType: 'text/plain', open: () => Readable.from(['one ', 'two']) };
    await client(url).send({ ...order, json: undefined, body });
    await client(url).send({ ...order, json: undefined, body: { ...body, length: 7 } });
    expect(asked.map(({ body: text }) => text)).toEqual(['one two', 'one two']);
    expect(asked[0]?.headers['transfer-encoding']).toBe('chunked');
    expect(asked[1]?.headers['content-length']).toBe('7');
  });

  test('sends nothing when the path leads to another address', async () => {
    const { url, asked } = await answering(() => 200);
    for (const path of ['/v3/framework/renders/../../users/me', '/v3/a?b=c', '/v3/a#b', '/v3/a b']) {
      expect(await fault(client(url).send({ method: 'GET', path }))).toMatchObject({ code: 'invalid_parameter' });
    }
    expect(asked).toEqual([]);
  });

  test('sends nothing when the user is signed out', async () => {
    const { url, asked } = await answering(() => 200);
    expect(await fault(client(url, {}, { SERVICE_API_KEY: '' }).send(get))).toEqual({
      code: 'signed_out',
      message: 'You are not signed in to the service.',
      hint: 'Run framework auth login, or set SERVICE_API_KEY.',
    });
    expect(asked).toEqual([]);
  });

  test('rejects with the error of the body stream', async () => {
    const { url } = await answering(() => 200);
    const open = () =>
      new Readable({
        read() {
          this.destroy(new UserError('asset_missing', 'the file is gone'));
        },
      });
    const sent = client(url).send({ ...order, json: undefined, body: { contentType: 'text/plain', open } });
    expect(await fault(sent)).toEqual({ code: 'asset_missing', message: 'the file is gone' });
  });
});

describe('retries', () => {
  const flaky = (failures: Answer[]) => answering((_, index) => failures[index] ?? { body: { data: index } });

  test('repeats safe and idempotent requests after 429, 5xx and lost connections', async () => {
    const { url, asked } = await flaky([503, failing(429, 'rate_limit_exceeded'), 500]);
    expect(await client(url).send({ ...order, idempotencyKey: 'k' })).toEqual({ data: 3 });
    expect(asked.map(({ body, headers }) => [body, headers['idempotency-key']])).toEqual(
      Array(4).fill(['{"fps":30}', 'k']),
    );
    expect(await client((await flaky([502])).url).send(get)).toEqual({ data: 1 });
    expect(await client((await flaky([502])).url).send({ ...get, method: 'DELETE' })).toEqual({ data: 1 });
    let count = 0;
    const breaking = await serving((request, response) => {
      if (count++ === 0) request.socket.destroy();
      else response.end('{"data":true}');
    });
    expect(await client(breaking).send(get)).toEqual({ data: true });
  });

  test('does not repeat other requests, and stops after the last attempt', async () => {
    const once = await flaky([503]);
    expect(await fault(client(once.url).send(order))).toMatchObject({ code: 'service_answer_invalid' });
    expect(once.asked).toHaveLength(1);
    const always = await answering(() => failing(500, 'internal_error'));
    expect(await fault(client(always.url).send(get))).toMatchObject({ code: 'internal_error' });
    expect(always.asked).toHaveLength(4);
    const never = await answering(() => failing(400, 'invalid_parameter'));
    expect(await fault(client(never.url).send(get))).toMatchObject({ code: 'invalid_parameter' });
    expect(never.asked).toHaveLength(1);
  });

  test('opens a streamed body again', async () => {
    const { url, asked } = await flaky([503]);
    let opened = 0;
    const open = () => Readable.from([`bytes ${++opened > 0}`]);
    await client(url).send({ ...order, json: undefined, idempotencyKey: 'k', body: { contentType: 'a/b', open } });
    expect(asked.map(({ body }) => body)).toEqual(['bytes true', 'bytes true']);
    expect(opened).toBe(2);
  });

  test('waits as long as Retry-After says, unless that is too long', async () => {
    const soon = await flaky([{ status: 429, headers: { 'retry-after': '0' } }]);
    expect(await client(soon.url).send(get)).toEqual({ data: 1 });
    const late = await flaky([
      { ...(failing(429, 'rate_limit_exceeded') as object), headers: { 'retry-after': '3600' } },
    ]);
    expect(await fault(client(late.url).send(get))).toEqual({
      code: 'rate_limit_exceeded',
      message: 'no',
      details: { retry_after_seconds: 3600 },
      hint: 'Try again later, with fewer concurrent requests. Wait 3600 s before the next request.',
    });
    expect(late.asked).toHaveLength(1);
  });

  test.each([
    [429, 'quota_exceeded'],
    [507, 'insufficient_storage'],
  ])('repeats a request after %d %s only if the service says when', async (status, code) => {
    const full = await answering(() => failing(status, code, 'The account is full.'));
    expect(await fault(client(full.url).send(get))).toMatchObject({ code, message: 'The account is full.' });
    expect(full.asked).toHaveLength(1);
    const soon = await flaky([{ ...(failing(status, code) as object), headers: { 'retry-after': '0' } }]);
    expect(await client(soon.url).send(get)).toEqual({ data: 1 });
  });

  test('reads Retry-After as seconds and as a date', () => {
    const now = Date.parse('2026-11-21T20:00:00Z');
    expect(retryAfterMs('7', now)).toBe(7000);
    expect(retryAfterMs('Sat, 21 Nov 2026 20:00:30 GMT', now)).toBe(30_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 19:00:00 GMT', now)).toBe(0);
    expect(retryAfterMs('soon', now)).toBeUndefined();
    expect(retryAfterMs(undefined, now)).toBeUndefined();
  });

  test('can be cancelled during a delay and during a request', async () => {
    const { url } = await flaky([{ status: 503, headers: { 'retry-after': '20' } }]);
    const cancelled = { code: 'cancelled', message: 'The request was cancelled.' };
    expect(await fault(client(url).send({ ...get, signal: AbortSignal.timeout(100) }))).toEqual(cancelled);
    const silent = await serving(() => undefined);
    expect(await fault(client(silent).send({ ...get, signal: AbortSignal.timeout(100) }))).toEqual(cancelled);
    expect(await fault(client(silent).send({ ...get, signal: AbortSignal.abort() }))).toEqual(cancelled);
  });
});

describe('errors of the service', () => {
  test('have a message and a hint of their own for every code', async () => {
    const hints = Object.entries(apiErrorTable).map(([, { hint }]) => hint);
    expect(new Set(hints).size).toBe(hints.length);
    for (const [code, { status, hint }] of Object.entries(apiErrorTable)) {
      if (code === 'authentication_failed') continue;
      const { url } = await answering(() => failing(status, code, `about ${code}`));
      expect(await fault(client(url).send(order))).toEqual({ code, message: `about ${code}`, hint });
    }
  });

  test('name the parameter and its documentation, without control characters', async () => {
    const more = { param: 'fps', doc_url: 'https://example.com/fps' };
    const { url } = await answering(() => failing(400, 'invalid_parameter', 'too \x1b[31mhigh', more));
    expect(await fault(client(url).send(get))).toEqual({
      code: 'invalid_parameter',
      message: 'fps: too  [31mhigh',
      hint: 'Correct the value; framework cloud render --help lists the allowed values. See https://example.com/fps',
    });
  });

  test('map unknown codes by their status', async () => {
    const check = async (status: number, code: string, path = '/v3/framework/renders/r1') => {
      const { url } = await answering(() => failing(status, 'quite_new'));
      expect(await fault(client(url, { attempts: 1 }).send({ method: 'GET', path }))).toMatchObject({ code });
    };
    await check(402, 'insufficient_credits');
    await check(404, 'framework_render_not_found');
    await check(404, 'service_answer_invalid', '/v3/other');
    await check(418, 'invalid_parameter');
    await check(503, 'internal_error');
    const { url } = await answering(() => failing(400, 'usage', 'hm'));
    expect(await fault(client(url).send(get))).toMatchObject({ code: 'invalid_parameter', message: 'hm (usage)' });
  });

  test('name the source of a rejected credential, but not its value', async () => {
    const { url } = await answering(() => failing(401, 'authentication_failed', 'No such key.'));
    const ofVariable = await fault(client(url).send(get));
    expect(ofVariable).toEqual({
      code: 'authentication_failed',
      message: 'The service rejected the API key in SERVICE_API_KEY: No such key.',
      hint: 'Set SERVICE_API_KEY to a valid key, or unset it to use the credential that framework auth login stores.',
    });
    const { env, path } = makeHome({ api_key: key }, { SERVICE_API_URL: url });
    const ofFile = await fault(createApiClient({ env, version: '1' }).send(get));
    expect(ofFile.message).toBe(`The service rejected the API key in ${path}: No such key.`);
    expect(JSON.stringify([ofVariable, ofFile])).not.toContain(key);
  });
});

describe('invalid responses', () => {
  test('rejects a response without JSON, and maps statuses of proxies', async () => {
    const html = (status: number) =>
      answering(() => ({ status, body: '<html>', headers: { 'content-type': 'text/html' } }));
    const check = async (status: number, expected: object) => {
      const { url } = await html(status);
      expect(await fault(client(url, { attempts: 1 }).send(get))).toMatchObject(expected);
    };
    await check(200, { code: 'service_answer_invalid', message: expect.stringMatching(/: HTTP 200 without JSON\.$/) });
    await check(502, { code: 'service_answer_invalid', message: expect.stringMatching(/: HTTP 502\.$/) });
    await check(413, { code: 'framework_project_too_large' });
    await check(404, { code: 'service_answer_invalid' });
    expect(await client((await html(204)).url).send(get)).toBeUndefined();
    const { url } = await answering(() => ({ body: [] }));
    expect(await fault(client(url).send(get))).toMatchObject({ code: 'service_answer_invalid' });
  });

  test('does not follow redirects', async () => {
    const other = await answering(() => 200);
    const { url } = await answering(() => ({ status: 307, headers: { location: `${other.url}/v3` } }));
    expect(await fault(client(url).send(get))).toMatchObject({
      code: 'service_answer_invalid',
      message: `${url} redirects to ${other.url}/v3 (HTTP 307), and redirects are not followed.`,
    });
    expect(other.asked).toEqual([]);
  });

  test('reports an unreachable service', async () => {
    const url = await closedAddress();
    expect(await fault(client(url).send(get))).toEqual({
      code: 'service_unreachable',
      message: `Cannot reach the service at ${url}: the connection was refused.`,
      hint: 'Start the service with framework serve, or set SERVICE_API_URL to the address of a service.',
    });
  });
});

describe('a response that arrives while a large body is being sent', () => {
  const big = 64 * 1024 * 1024;
  const upload = (idempotencyKey?: string): ApiRequest => {
    const open = () =>
      Readable.from(
        (function* () {
          for (let sent = 0; sent < big; sent += 65_536) yield Buffer.alloc(65_536);
        })(),
      );
    const body = { contentType: 'application/zip', length: big, open };
    return { method: 'POST', path: '/v3/assets', body, ...(idempotencyKey ? { idempotencyKey } : {}) };
  };

  test('is read, whether or not the server reads the rest of the body', async () => {
    const body = JSON.stringify({ error: { code: 'framework_project_too_large', message: 'too big' } });
    const readsOn = await serving((request, response) => {
      response.writeHead(413).end(body);
      request.resume();
    });
    const stops = await serving((_, response) => response.writeHead(413, { connection: 'close' }).end(body));
    for (const url of [readsOn, stops]) {
      expect(await fault(client(url).send(upload()))).toMatchObject({
        code: 'framework_project_too_large',
        message: 'too big',
      });
    }
  });

  test('is read or reported as a lost connection when the server closes the connection at once', async () => {
    const body = JSON.stringify({ error: { code: 'framework_project_too_large', message: 'too big' } });
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.end(`HTTP/1.1 413 Too Large\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
        socket.destroySoon();
      });
    });
    const url = await listenInTest(server);
    const codes = [];
    for (let i = 0; i < 10; i++) codes.push((await fault(client(url).send(upload()))).code);
    for (const code of codes) expect(['framework_project_too_large', 'service_unreachable']).toContain(code);
  });
});

describe('SERVICE_API_URL', () => {
  const check = (given: string | undefined) => {
    try {
      return apiUrl({ SERVICE_API_URL: given });
    } catch (error) {
      return (error as Error).message;
    }
  };
  test('defaults to the address of framework serve', () => {
    expect(check(undefined)).toBe('http://127.0.0.1:8787');
    expect(check(' ')).toBe('http://127.0.0.1:8787');
    expect(check('https://api.example.com/')).toBe('https://api.example.com');
    expect(check('https://example.com/api/')).toBe('https://example.com/api');
    for (const local of ['http://localhost:1', 'http://127.9.9.9', 'http://[::1]:8787'])
      expect(check(local)).toBe(local);
  });
  test('must be https, except for this machine', () => {
    const open = 'the credential would be sent unencrypted.';
    for (const url of [
      'http://example.com',
      'http://127.0.0.1.example.com',
      'http://10.0.0.1',
      'http://localhost.example',
    ]) {
      expect(check(url)).toBe(`SERVICE_API_URL must use https (got "${url}"): ${open}`);
    }
    expect(check('ftp://example.com')).toContain(open);
    expect(check('api.example.com')).toBe('SERVICE_API_URL must be a URL (got "api.example.com").');
    expect(check('https://me:secret@example.com')).toBe('SERVICE_API_URL must not contain a user name or password.');
    expect(check('https://example.com/?a=b')).toContain('must not contain a query or fragment');
  });
});

// Bodies of requests whose length is not known before they end.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startService } from '../../../../cloud/service/service.ts';
import { testFolder, testService, testSettings, testUser } from '../../../support/service/service.ts';

let url: string;
let headers: Record<string, string>;

beforeEach(async () => {
  const dataDir = await testFolder();
  const service = await startService({ ...testSettings(dataDir), publicUrl: undefined }, { log: () => undefined });
  onTestFinished(() => service.close());
  url = service.url;
  headers = (await testUser((await testService({ dataDir })).context)).headers;
});

/** Sends the parts without a Content-Length. */
async function send(path: string, type: string, parts: readonly string[]): Promise<Response> {
  const body = new ReadableStream({
    start(stream) {
      for (const part of parts) stream.enqueue(new TextEncoder().encode(part));
      stream.close();
    },
  });
  const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body, duplex: 'half' };
  return fetch(url + path, { ...init, redirect: 'manual' } as RequestInit);
}

test('accepts a render request in parts', async () => {
  const parts = ['{"project":{"type":"url",', '"url":"https://example.com/video.zip"}}'];
  const response = await send('/v3/framework/renders', 'application/json', parts);
  expect(response.status).toBe(200);
  expect((await response.json()).data.status).toBe('queued');
});

test('rejects a render request that becomes too large', async () => {
  const parts = ['{"title":"', ...Array.from({ length: 10 }, () => 'x'.repeat(64 * 1024)), '"}'];
  const response = await send('/v3/framework/renders', 'application/json', parts);
  expect([response.status, (await response.json()).error.code]).toEqual([413, 'request_too_large']);
});

test('rejects an empty render request', async () => {
  const response = await send('/v3/framework/renders', 'application/json', []);
  expect([response.status, (await response.json()).error.code]).toEqual([400, 'invalid_parameter']);
});

test('reads a form in parts', async () => {
  const form = (parts: string[]) => send('/sign-in', 'application/x-www-form-urlencoded', parts);
  expect((await form(['email=ann@', 'example.com&password=x'])).status).toBeLessThan(500);
  expect((await form(['email=', 'x'.repeat(20_000)])).status).toBe(400);
});

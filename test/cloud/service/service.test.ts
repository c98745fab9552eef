// Starting and stopping the service: port, shutdown, and data after a restart.
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog, type ServiceLog } from '../../../cloud/service/context.ts';
import { type RunningService, startService } from '../../../cloud/service/service.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import { assetForm, testFolder, testService, testSettings, testUser } from '../../support/service/service.ts';

async function start(
  dataDir: string,
  given: Partial<ServiceSettings> = {},
  log: ServiceLog = () => undefined,
): Promise<RunningService> {
  const settings = { ...testSettings(dataDir, given), publicUrl: given.publicUrl };
  const service = await startService(settings, { log });
  onTestFinished(() => service.close());
  return service;
}

test('keeps accounts, assets and renders across a restart', async () => {
  const dataDir = await testFolder();
  const first = await start(dataDir);
  expect(await first.isEmpty()).toBe(true);
  // A second service would start the renders of the first one again.
  await expect(start(dataDir)).rejects.toMatchObject({ message: `Another service is already using ${dataDir}` });
  const { context } = await testService({ dataDir });
  const { headers } = await testUser(context);
  const upload = await fetch(`${first.url}/v3/assets`, { method: 'POST', headers, body: assetForm() });
  const { asset_id } = (await upload.json()).data;
  await first.close();
  await expect(fetch(`${first.url}/healthz`)).rejects.toThrow();
  const second = await start(dataDir);
  expect(await second.isEmpty()).toBe(false);
  const order = await fetch(`${second.url}/v3/framework/renders`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project: { type: 'asset_id', asset_id } }),
  });
  expect(order.status).toBe(200);
  // It contains secrets.
  expect((await stat(join(dataDir, 'service.sqlite'))).mode & 0o077).toBe(0);
});

test('reports a port in use and an unknown address', async () => {
  const { url } = await start(await testFolder());
  const port = Number(new URL(url).port);
  await expect(start(await testFolder(), { port })).rejects.toMatchObject({
    code: 'port_taken',
    message: `Port ${port} on 127.0.0.1 is already in use`,
  });
  await expect(start(await testFolder(), { host: '192.0.2.1' })).rejects.toMatchObject({ code: 'usage' });
});

test('finishes requests in progress when it closes', async () => {
  const dataDir = await testFolder();
  const service = await start(dataDir);
  const { context } = await testService({ dataDir });
  const { headers } = await testUser(context);
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ ...headers, host, 'content-type': 'application/json', 'content-length': '80' });
  socket.write(`POST /v3/framework/renders HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n{`);
  const idle = connect(Number(port), hostname);
  await Promise.all([once(socket, 'connect'), once(idle, 'connect')]);
  await fetch(`${service.url}/healthz`);
  const closed = service.close();
  await vi.waitFor(() => expect(fetch(`${service.url}/healthz`)).rejects.toThrow());
  const body = '{"project":{"type":"url","url":"https://example.com/p.zip"}}'.padEnd(80).slice(1);
  socket.write(body);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  socket.end();
  idle.end();
  await closed;
});

test('survives invalid HTTP requests', async () => {
  const { url } = await start(await testFolder());
  const { hostname, port } = new URL(url);
  for (const text of [
    '\0\0\0\r\n\r\n',
    'GET  /\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET //[ HTTP/1.1\r\nhost: [\r\n\r\n',
    'GET http://[/ HTTP/1.1\r\nhost: x\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  ]) {
    const socket = connect(Number(port), hostname);
    socket.write(text);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 (?:4\d\d|204) /);
    socket.destroy();
  }
  const socket = connect(Number(port), hostname);
  socket.write('GET http://[/ HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(String((await once(socket, 'data'))[0])).toContain(
    '{"error":{"code":"invalid_parameter","message":"The URL or the Host header of the request is invalid: Invalid absolute URL."}}',
  );
  socket.destroy();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test.each([
  ['a form', 'POST /sign-in', 'content-length: 100\r\n\r\nemail='],
  ['a token request', 'POST /oauth/token', 'content-length: 100\r\n\r\ngrant_type='],
  ['a device request', 'POST /oauth/device_authorization', 'content-length: 100\r\n\r\nclient_id='],
  ['a revocation', 'POST /oauth/revoke', 'content-length: 100\r\n\r\ntoken='],
  ['an answer', 'GET /oauth/authorize?client_id=x', '\r\n'],
])('reports no error of its own when a client cuts off %s', async (_, request, rest) => {
  const lines: Record<string, unknown>[] = [];
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const { url } = await start(await testFolder(), {}, (level, message, facts) =>
    lines.push({ level, message, ...facts }),
  );
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${request} HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n${rest}`);
  await once(socket, 'connect');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ message: 'request' })));
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(printed).not.toHaveBeenCalled();
});

test('writes each log entry as one line of JSON', () => {
  const lines: string[] = [];
  createLog(
    (line) => lines.push(line),
    () => 0,
  )('warn', 'two\nlines', { port: 1 });
  expect(lines).toEqual(['{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"two\\nlines","port":1}\n']);
});

// Clients that do not finish their request.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { bodyMs } from '../../../../cloud/service/api/slowBodies.ts';
import { startService } from '../../../../cloud/service/service.ts';
import { testFolder, testService, testSettings, testUser } from '../../../support/service/service.ts';

let port: number;
let apiKey: string;

beforeEach(async () => {
  const dataDir = await testFolder();
  const settings = { ...testSettings(dataDir), publicUrl: undefined };
  const service = await startService(settings, { log: () => undefined });
  onTestFinished(() => service.close());
  port = Number(new URL(service.url).port);
  ({ key: apiKey } = await testUser((await testService({ dataDir })).context));
});

/** Sends the start of a request, lets `ms` pass, and returns the status line of the answer, or 'waiting'. */
async function sendSlowly(head: string, ms: number, type = 'application/x-www-form-urlencoded'): Promise<string> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${head}\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\nemail=`);
  await untilReceived();
  await vi.advanceTimersByTimeAsync(ms);
  const answer = text(socket).then(
    (response) => response.split('\r\n')[0] ?? '',
    () => 'closed',
  );
  return Promise.race([answer, untilReceived().then(() => 'waiting')]);
}

/** Long enough for the packets of a local connection. */
async function untilReceived(): Promise<void> {
  const until = performance.now() + 300;
  while (performance.now() < until) await setImmediate();
}

test.each(['/sign-in', '/oauth/token'])('closes the connection if the body for %s is not complete', async (path) => {
  expect(await sendSlowly(`POST ${path} HTTP/1.1`, bodyMs - 1_000)).toBe('waiting');
  vi.useRealTimers();
  expect(await sendSlowly(`POST ${path} HTTP/1.1`, bodyMs)).toBe('HTTP/1.1 408 Request Timeout');
});

test('lets an upload continue', async () => {
  const head = `POST /v3/assets HTTP/1.1\r\nX-Api-Key: ${apiKey}`;
  expect(await sendSlowly(head, bodyMs, 'multipart/form-data; boundary=x')).toBe('waiting');
});

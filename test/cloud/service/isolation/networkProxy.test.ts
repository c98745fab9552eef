// Workers without a network reach hosts only through the proxy of the service, which checks their addresses.
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openNetworkProxy } from '../../../../cloud/service/isolation/networkProxy.ts';
import { fetchOver } from '../../../../renderer-core/project/remote/publicFetch.ts';
import { temporaryFolder } from '../../../support/project.ts';
import { startHost, unreachableOrigin } from '../../../support/servers/host.ts';

async function openProxy(allowPrivate: boolean, mayConnect = (_: string) => true): Promise<string> {
  const path = join(temporaryFolder(), 'network');
  const proxy = await openNetworkProxy(path, { allowPrivate, mayConnect });
  onTestFinished(() => proxy.close());
  return path;
}

const proxied = async (allowPrivate: boolean): Promise<typeof fetch> =>
  fetchOver(`proxy:${await openProxy(allowPrivate)}`);

test('connects to a private address if allowed', async () => {
  const host = await startHost({ '/a.txt': { body: Buffer.from('hello') } });
  const get = await proxied(true);
  expect(await (await get(`${host.origin}/a.txt`)).text()).toBe('hello');
  expect(host.requests).toHaveLength(1);
});

test.each([
  'http://127.0.0.1:PORT/',
  'http://[::1]:PORT/',
  'http://localhost:PORT/',
  'http://169.254.169.254/',
])('refuses %s otherwise', async (url) => {
  const host = await startHost({});
  const get = await proxied(false);
  const error = await get(url.replace('PORT', new URL(host.origin).port)).catch((problem: Error) => problem);
  expect(error).toMatchObject({ cause: { code: 'ERR_NOT_PUBLIC' } });
  expect(host.requests).toEqual([]);
});

test('connects only to allowed hosts', async () => {
  const host = await startHost({ '/a.txt': { body: Buffer.from('hello') } });
  const get = await fetchOver(`proxy:${await openProxy(true, (name) => name === '127.0.0.1')}`);
  expect(await (await get(`${host.origin}/a.txt`)).text()).toBe('hello');
  const other = host.origin.replace('127.0.0.1', 'LOCALHOST');
  const error = await get(`${other}/a.txt`).catch((problem: Error) => problem);
  expect(error).toMatchObject({ cause: { message: 'Not allowed' } });
  expect(host.requests).toHaveLength(1);
});

test('reports why a host cannot be reached', async () => {
  const get = await proxied(true);
  const error = await get(unreachableOrigin).catch((problem: Error) => problem);
  expect(error).toMatchObject({ cause: { message: expect.stringContaining('ECONNREFUSED') } });
});

test.each([
  '127.0.0.1:80',
  'no port',
])('survives clients that ask for %s and close before the reply', async (target) => {
  const path = await openProxy(false);
  const askAndClose = () =>
    new Promise((resolve) => {
      const socket = connect(path, () => {
        socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${'x'.repeat(1000)}`, () => socket.destroy());
      });
      socket.once('close', resolve);
    });
  await Promise.all(Array.from({ length: 50 }, askAndClose));
  const get = await fetchOver(`proxy:${path}`);
  const error = await get('http://127.0.0.1/').catch((problem: Error) => problem);
  expect(error).toMatchObject({ cause: { code: 'ERR_NOT_PUBLIC' } });
});

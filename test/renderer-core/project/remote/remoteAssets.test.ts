// The cache of remote files: requested once, stored atomically, and used offline.
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRemoteAssets, type RemoteAssets } from '../../../../renderer-core/project/remote/remoteAssets.ts';
import { temporaryFolder } from '../../../support/project.ts';
import { startHost, unreachableOrigin } from '../../../support/servers/host.ts';

/** A render's view of the cache in `cache`, from a page of `origin`. */
function open(cache: string, signal = new AbortController().signal, origin = 'http://127.0.0.1:1'): RemoteAssets {
  const assets = openRemoteAssets({ cache, origin, signal });
  onTestFinished(assets.close);
  return assets;
}

const read = async (assets: RemoteAssets, url: string): Promise<string> =>
  readFileSync((await assets.get(url)).path, 'utf8');

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it could be had',
    (error: Error) => error.message,
  );

describe('a file', () => {
  test('is requested once per render, and stored by its content', async () => {
    const host = await startHost({ '/a.txt': { body: 'the text' }, '/b.txt': { body: 'the text' } });
    const cache = temporaryFolder();
    const assets = open(cache);
    const urls = ['/a.txt', '/a.txt#part', '/b.txt'].map((path) => host.origin + path);
    expect(await Promise.all(urls.map((url) => read(assets, url)))).toEqual(['the text', 'the text', 'the text']);
    expect(host.requests.sort()).toEqual(['GET /a.txt', 'GET /b.txt']);
    expect(readdirSync(cache)).toEqual(['remote']);
    expect(readdirSync(join(cache, 'remote/files'))).toEqual([
      '41a1f654dc79a9ac645afa553c31d51fd115eca8dd1cb9e6c67ae03e52718e8b',
    ]);
  });

  test('comes from the cache with its headers when the host is unreachable', async () => {
    const host = await startHost({ '/a.txt': { body: 'kept', headers: { 'content-type': 'text/x-own' } } });
    const cache = temporaryFolder();
    const url = `${host.origin}/a.txt`;
    await open(cache).get(url);
    await host.close();
    const later = open(cache);
    expect(await read(later, url)).toBe('kept');
    expect((await later.get(url)).headers['content-type']).toBe('text/x-own');
  });

  test.each([
    ['an ETag', { etag: '"v1"' }, 'if-none-match'],
    ['a date', { 'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT' }, 'if-modified-since'],
  ])('with %s is not sent again while it stays the same', async (_, validator, condition) => {
    const conditions: unknown[] = [];
    const host = await startHost({
      '/a.txt': (before, headers) => {
        conditions.push(headers[condition]);
        return before === 0 ? { body: 'one', headers: validator } : { status: 304 };
      },
    });
    const cache = temporaryFolder();
    for (let render = 0; render < 2; render++) expect(await read(open(cache), `${host.origin}/a.txt`)).toBe('one');
    expect(conditions).toEqual([undefined, Object.values(validator)[0]]);
  });

  test('is downloaded again when it has changed, and kept when the host fails', async () => {
    const host = await startHost({
      '/a.txt': (before) => [{ body: 'one' }, { body: 'two' }, { status: 500 }][before] ?? {},
    });
    const cache = temporaryFolder();
    const found: string[] = [];
    for (let render = 0; render < 3; render++) found.push(await read(open(cache), `${host.origin}/a.txt`));
    expect(found).toEqual(['one', 'two', 'two']);
    expect(host.requests).toHaveLength(3);
  });

  test('is missing when the host no longer has it, even if it is cached', async () => {
    const host = await startHost({ '/a.txt': (before) => (before === 0 ? { body: 'one' } : { status: 410 }) });
    const cache = temporaryFolder();
    await open(cache).get(`${host.origin}/a.txt`);
    expect(await reasonOf(open(cache).get(`${host.origin}/a.txt`))).toBe('HTTP 410');
  });
});

describe('a damaged copy', () => {
  test.each<[string, (path: string) => void]>([
    ['cut short', (path) => truncateSync(path, 3)],
    ['changed in its place', (path) => writeFileSync(path, 'THE text')],
  ])('is downloaded again: %s', async (_, harm) => {
    const host = await startHost({ '/a.txt': { body: 'the text', headers: { etag: '"v1"' } } });
    const cache = temporaryFolder();
    harm((await open(cache).get(`${host.origin}/a.txt`)).path);
    expect(await read(open(cache), `${host.origin}/a.txt`)).toBe('the text');
    expect(host.requests).toHaveLength(2);
  });

  test('is downloaded again: a record that is not JSON', async () => {
    const host = await startHost({ '/a.txt': { body: 'the text' } });
    const cache = temporaryFolder();
    await open(cache).get(`${host.origin}/a.txt`);
    for (const name of readdirSync(join(cache, 'remote/urls'))) writeFileSync(join(cache, 'remote/urls', name), '{"ur');
    expect(await read(open(cache), `${host.origin}/a.txt`)).toBe('the text');
  });
});

test('shares one cache between concurrent renders', async () => {
  const big = new Uint8Array(3_000_000).map((_, index) => index % 251);
  const host = await startHost({ '/big.bin': { body: big } });
  const cache = temporaryFolder();
  const files = await Promise.all([1, 2, 3, 4].map(() => open(cache).get(`${host.origin}/big.bin`)));
  for (const { path } of files) expect(readFileSync(path).equals(big)).toBe(true);
  expect(readdirSync(join(cache, 'remote/files'))).toHaveLength(1);
  expect(readdirSync(cache)).toEqual(['remote']);
});

describe('failing hosts', () => {
  test('are retried after a temporary error', async () => {
    const host = await startHost({ '/a.txt': (before) => (before < 2 ? { status: 503 } : { body: 'at last' }) });
    expect(await read(open(temporaryFolder()), `${host.origin}/a.txt`)).toBe('at last');
    expect(host.requests).toHaveLength(3);
  });

  test('are retried from the start after a lost connection', async () => {
    const host = await startHost({
      '/a.txt': (before) => ({
        body: 'whole',
        ...(before === 0 ? { headers: { 'content-length': '99' }, cuts: true } : {}),
      }),
    });
    expect(await read(open(temporaryFolder()), `${host.origin}/a.txt`)).toBe('whole');
    expect(host.requests).toHaveLength(2);
  });

  test.each([
    [404, 1],
    [403, 1],
    [500, 3],
  ])('with %d are asked %d times', async (status, times) => {
    const host = await startHost({ '/a.txt': { status } });
    const assets = open(temporaryFolder());
    expect(await reasonOf(assets.get(`${host.origin}/a.txt`))).toBe(`HTTP ${status}`);
    expect(assets.failure(`${host.origin}/a.txt`)?.message).toBe(`HTTP ${status}`);
    expect(host.requests).toHaveLength(times);
  });

  test('report an unreachable host', async () => {
    expect(await reasonOf(open(temporaryFolder()).get(`${unreachableOrigin}/a.txt`))).toContain('ECONNREFUSED');
  });
});

describe('redirects', () => {
  const to = (location: string) => ({ status: 302, headers: { location } });

  test('are followed, and the final URL is not requested again', async () => {
    const host = await startHost({ '/latest': to('/v1'), '/v1': to('files/a.txt'), '/files/a.txt': { body: 'found' } });
    const assets = open(temporaryFolder());
    const file = await assets.get(`${host.origin}/latest`);
    expect(file.url).toBe(`${host.origin}/files/a.txt`);
    expect(await read(assets, file.url)).toBe('found');
    expect(host.requests).toEqual(['GET /latest', 'GET /v1', 'GET /files/a.txt']);
  });

  test('come from the cache without a network', async () => {
    const host = await startHost({ '/latest': to('/a.txt'), '/a.txt': { body: 'found' } });
    const cache = temporaryFolder();
    await open(cache).get(`${host.origin}/latest`);
    await host.close();
    const later = open(cache);
    const file = await later.get(`${host.origin}/latest`);
    expect([file.url, await read(later, file.url)]).toEqual([`${host.origin}/a.txt`, 'found']);
  });

  test.each([
    ['in a circle', to('/a'), 'it redirects more than 5 times', 6],
    ['to a file', to('file:///etc/passwd'), 'it redirects to file:///etc/passwd, which is neither http nor https', 1],
    ['to nonsense', to('http://['), 'it redirects to "http://[", which is not a URL', 1],
  ])('%s fail', async (_, answer, expected, requests) => {
    const host = await startHost({ '/a': answer });
    expect(await reasonOf(open(temporaryFolder()).get(`${host.origin}/a`))).toBe(expected);
    expect(host.requests).toHaveLength(requests);
  });
});

test('allows the origin of a later page if the host allowed the earlier one', async () => {
  const host = await startHost({
    '/a.txt': (_, { origin = 'nobody' }) => ({ body: 'a', headers: { 'access-control-allow-origin': origin } }),
  });
  const cache = temporaryFolder();
  const allowed = async (origin: string) =>
    (await open(cache, undefined, origin).get(`${host.origin}/a.txt`)).headers['access-control-allow-origin'];
  expect(await allowed('http://127.0.0.1:1')).toBe('http://127.0.0.1:1');
  await host.close();
  expect(await allowed('http://127.0.0.1:2')).toBe('http://127.0.0.1:2');
});

test('limits concurrent requests, and loads all files', async () => {
  const paths = Array.from({ length: 100 }, (_, index) => `/${index}.txt`);
  const host = await startHost(Object.fromEntries(paths.map((path) => [path, { body: path, afterMs: 20 }])));
  const assets = open(temporaryFolder());
  expect(await Promise.all(paths.map((path) => read(assets, host.origin + path)))).toEqual(paths);
  expect(host.mostAtOnce()).toBeGreaterThan(1);
  expect(host.mostAtOnce()).toBeLessThanOrEqual(12);
});

test('names a cache folder that cannot be written', async () => {
  const host = await startHost({ '/a.txt': { body: 'a' } });
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(open(join(file, 'cache')).get(`${host.origin}/a.txt`)).rejects.toMatchObject({
    code: 'output_unwritable',
    message: expect.stringContaining(file),
  });
});

test('leaves no file when it is cancelled', async () => {
  const host = await startHost({ '/slow.bin': { body: 'the beginning', hangs: true } });
  const cache = temporaryFolder();
  const controller = new AbortController();
  const work = open(cache, controller.signal).get(`${host.origin}/slow.bin`);
  while (host.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error('no more'));
  expect(await reasonOf(work)).toBe('no more');
  expect(readdirSync(cache)).toEqual(['remote']);
  expect(readdirSync(join(cache, 'remote/files'))).toEqual([]);
});

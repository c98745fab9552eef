// A project server with a secret in its URLs: requests without it get nothing.
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startProjectServer } from '../../../renderer-core/project/serve/projectServer.ts';
import { project } from '../../support/project.ts';

const secret = 'abcdefghijklmnop';

/** Status, where it is sent on to, and the body. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const server = await startProjectServer(project({ 'index.html': 'hello', 'a b.txt': 'text', '.env': 'KEY' }), {
    secret,
    edition: { folder: '__framework/edition/', number: () => 3 },
  });
  onTestFinished(server.close);
  const { port } = new URL(server.origin);
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('{origin}', server.origin)]),
  );
  return new Promise<{
    status: number | undefined;
    location: string | undefined;
    body: string;
    tag: string | undefined;
    cache: string | undefined;
  }>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers: own }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          location: response.headers.location,
          body,
          tag: response.headers.etag,
          cache: response.headers['cache-control'],
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['/', {}],
  ['/index.html', {}],
  [`/${secret}`, {}],
  ['/abcdefghijklmnoq/index.html', {}],
  ['/ABCDEFGHIJKLMNOP/index.html', {}],
  [`//${secret}/index.html`, {}],
  [`/x/../${secret}/index.html`, {}],
  ['/index.html', { referer: 'http://evil.example/abcdefghijklmnop/index.html' }],
  ['/index.html', { referer: '{origin}/index.html' }],
  ['/index.html', { host: 'evil.example', referer: `http://127.0.0.1:1/${secret}/` }],
  [`/${secret}/.env`, {}],
  [`/${secret}/../index.html`, {}],
])('refuses %s with %o', async (path, headers) => {
  const { status, body } = await ask(path, headers);
  expect([404, 403, 400]).toContain(status);
  expect(body).not.toMatch(/hello|KEY/);
});

test('serves files below the secret for any host name', async () => {
  expect(await ask(`/${secret}/index.html`)).toMatchObject({ status: 200, body: 'hello' });
  expect(await ask(`/${secret}/a%20b.txt`, { host: 'forwarded.example' })).toMatchObject({ status: 200, body: 'text' });
});

test('redirects absolute paths of its own pages to the path below the secret', async () => {
  const referer = `{origin}/${secret}/index.html`;
  expect(await ask('/a%20b.txt?x=1', { referer })).toMatchObject({ status: 307, location: `/${secret}/a%20b.txt?x=1` });
  expect(await ask('//evil.example/', { referer })).toMatchObject({ status: 404, location: undefined });
});

test('does not send an unchanged file again', async () => {
  const { tag, cache } = await ask(`/${secret}/index.html`);
  expect(tag).toMatch(/^".+"$/);
  expect(cache).toBe('no-cache');
});

test.each([
  ['/index.html', 'no-cache'],
  ['/__framework/edition/3/index.html', 'max-age=60'],
  ['/__framework/edition/2/index.html', 'no-cache'],
])('serves %s with cache-control %s', async (path, cache) => {
  expect(await ask(`/${secret}${path}`)).toMatchObject({ status: 200, body: 'hello', cache });
});

test.each([
  '/__framework/edition/3/.env',
  '/__framework/edition/3/../../../x',
  '/__framework/edition/3/__framework/edition/3/index.html',
])('does not serve %s', async (path) => {
  expect(await ask(`/${secret}${path}`)).not.toMatchObject({ status: 200 });
});

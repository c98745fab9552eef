// The web pages over HTTP: sign-in, form protection, and the content of each page.
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../../../cloud/service/auth/apiKeys.ts';
import { mountRenderPages } from '../../../../cloud/service/pages/renderPages.ts';
import { addRender } from '../../../support/service/renderRows.ts';
import {
  createBrowser,
  formOf,
  password,
  startWebService,
  type WebService,
} from '../../../support/service/webService.ts';

let shared: WebService;
const own: WebService[] = [];

beforeAll(async () => {
  shared = await startWebService();
  await shared.addAccount();
});
afterAll(() => shared.close());
afterEach(() => Promise.all(own.splice(0).map((service) => service.close())));

/** For tests that move the clock, fail to sign in or restart the service. */
async function ownService(settings: Parameters<typeof startWebService>[0] = {}): Promise<WebService> {
  const service = await startWebService(settings);
  own.push(service);
  return service;
}

test('redirects to the sign-in page, and back after signing in', async () => {
  const browser = createBrowser(shared.url);
  const page = await browser.get('/keys?x=1');
  expect(page.url).toBe(`${shared.url}/sign-in?next=%2Fkeys%3Fx%3D1`);
  const inside = await browser.submit(page, { email: 'ANN@example.com ', password }, '/sign-in');
  expect(inside.url).toBe(`${shared.url}/keys?x=1`);
  expect(inside.text).toContain('ann@example.com');
});

test('never redirects to another site after signing in', async () => {
  const targets = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/%5cevil.example',
    '/.//evil.example',
    'http:evil.example',
  ];
  for (const next of targets) {
    const browser = createBrowser(shared.url);
    const page = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
    const form = formOf(page, '/sign-in');
    const inside = await browser.post('/sign-in', { ...form.hidden, next, email: 'ann@example.com', password });
    const { host, pathname } = new URL(inside.url);
    expect([next, host, pathname.startsWith('//')]).toEqual([next, new URL(shared.url).host, false]);
    expect(inside.headers.get('location')).toBeNull();
  }
});

test('gives the same response for an unknown e-mail address and a wrong password', async () => {
  const answers = [];
  for (const email of ['ann@example.com', 'nobody@example.com']) {
    const browser = createBrowser(shared.url);
    const page = await browser.submit(await browser.get('/sign-in'), { email, password: 'wrong password' }, '/sign-in');
    answers.push([page.status, page.text.replaceAll(email, 'E').replace(/name="form_token" value="[^"]*"/, '')]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.[0]).toBe(401);
  expect(answers[0]?.[1]).toContain('Wrong e-mail address or password');
});

test('throttles guessing of passwords, whether the account exists or not', async () => {
  const service = await ownService();
  await service.addAccount();
  for (const email of ['ann@example.com', 'nobody@example.com']) {
    const browser = createBrowser(service.url);
    const form = await browser.get('/sign-in');
    const statuses = [];
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push((await browser.submit(form, { email, password: `guess number ${guess}` }, '/sign-in')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    service.wait(2);
    expect((await browser.submit(form, { email, password: 'one more guess' }, '/sign-in')).status).toBe(401);
    const slow = await browser.submit(form, { email, password }, '/sign-in');
    expect([slow.status, Number(slow.headers.get('retry-after')) > 0]).toEqual([429, true]);
  }
});

test('creates a new session at every sign-in', async () => {
  const browser = createBrowser(shared.url);
  await browser.signIn();
  const first = browser.cookies.get('framework_session') ?? '';
  // A session cookie that an attacker has set is neither used nor kept.
  const chosen = 'A'.repeat(43);
  const form = await fetch(`${shared.url}/sign-in`, { headers: { cookie: `framework_session=${chosen}` } });
  const hidden = /name="form_token" value="([^"]*)"/.exec(await form.text())?.[1] ?? '';
  const response = await fetch(`${shared.url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `framework_session=${chosen}`, origin: shared.url },
    body: new URLSearchParams({ form_token: hidden, email: 'ann@example.com', password }),
  });
  expect(response.status).toBe(303);
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('framework_session=')) ?? '';
  expect(cookie).toMatch(/^framework_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toContain(chosen);
  expect(cookie).not.toContain(first);
});

test('ends the session on the server when signing out', async () => {
  const browser = createBrowser(shared.url);
  const page = await browser.signIn();
  const cookie = `framework_session=${browser.cookies.get('framework_session')}`;
  const inside = () => fetch(`${shared.url}/keys`, { headers: { cookie }, redirect: 'manual' });
  expect((await inside()).status).toBe(200);
  await browser.submit(page, {}, '/sign-out');
  expect((await inside()).status).toBe(303);
  expect(browser.cookies.get('framework_session')).toBeUndefined();
});

test('ends a session two weeks after its last use, and keeps it across a restart', async () => {
  const service = await ownService();
  await service.addAccount();
  const browser = createBrowser(service.url);
  await browser.signIn();
  const day = 24 * 3600;
  for (const days of [13, 13]) {
    service.wait(days * day);
    await service.restart();
    expect((await browser.get('/keys')).url).toBe(`${service.url}/keys`);
  }
  service.wait(15 * day);
  expect((await browser.get('/keys')).url).toContain('/sign-in');
});

test('binds cookies to the host with https, and only sends them over https', async () => {
  const service = await ownService({ publicUrl: 'https://render.example' });
  const response = await fetch(`${service.url}/sign-in`);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-framework_visitor=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  const { issuer, token_endpoint } = await (
    await fetch(`${service.url}/.well-known/oauth-authorization-server`)
  ).json();
  expect([issuer, token_endpoint]).toEqual(['https://render.example', 'https://render.example/oauth/token']);
});

test('throttles the last address that a proxy reports', async () => {
  const service = await ownService({ publicUrl: 'https://render.example' });
  const guess = async (address: string) =>
    (
      await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': `9.9.9.9, ${address}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: 'x' }),
      })
    ).status;
  for (let count = 0; count < 22; count += 1) await guess('203.0.113.1');
  expect([await guess('203.0.113.1'), await guess('203.0.113.2')]).toEqual([429, 400]);
});

test('rejects forms that its own pages did not send', async () => {
  const browser = createBrowser(shared.url);
  const page = await browser.signIn();
  const { hidden } = formOf(await browser.get('/keys'), '/keys');
  const other = createBrowser(shared.url);
  const foreign = formOf(await other.get('/sign-in'), '/sign-in').hidden.form_token ?? '';
  const refused: Record<string, [Record<string, string>, Record<string, string>]> = {
    'without its token': [{ name: 'x' }, { origin: shared.url }],
    'with the token of another browser': [{ name: 'x', form_token: foreign }, { origin: shared.url }],
    'from another site': [{ ...hidden, name: 'x' }, { origin: 'https://evil.example' }],
    'from a sandboxed frame': [{ ...hidden, name: 'x' }, { origin: 'null' }],
    'from another site, told by the browser': [{ ...hidden, name: 'x' }, { 'sec-fetch-site': 'cross-site' }],
    'as text': [
      { ...hidden, name: 'x' },
      { origin: shared.url, 'content-type': 'text/plain' },
    ],
  };
  const id = await addRender(shared, 'ann@example.com', {});
  for (const path of ['/keys', `/renders/${id}/delete`, '/sign-out', '/webhooks/rotate', '/account/password']) {
    for (const [how, [fields, headers]] of Object.entries(refused)) {
      expect([path, how, (await browser.post(path, fields, headers)).status]).toEqual([path, how, 403]);
    }
  }
  for (const [how, [fields, headers]] of Object.entries(refused)) {
    const body = { email: 'ann@example.com', password, ...fields };
    expect([
      how,
      (await other.post('/sign-in', how.includes('another browser') ? { ...body, form_token: 'x' } : body, headers))
        .status,
    ]).toEqual([how, 403]);
  }
  expect((await browser.get('/keys')).text).toContain('No API keys yet');
  expect((await browser.get(`/renders/${id}`)).status).toBe(200);
  expect(page.status).toBe(200);
});

test('forbids framing, caching and foreign scripts on every page', async () => {
  const browser = createBrowser(shared.url);
  const outside = [await browser.get('/sign-in'), await browser.get('/sign-up'), await browser.get('/oauth/authorize')];
  await browser.signIn();
  const paths = ['/', '/keys', '/webhooks', '/webhooks/rotate', '/account', '/device', '/renders/nope'];
  const inside = await Promise.all(paths.map((path) => browser.get(path)));
  for (const { url, headers } of [...outside, ...inside]) {
    const policy = headers.get('content-security-policy') ?? '';
    expect([url, headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([url, 'DENY', 'no-store']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[^']+';/);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('creates an account with the initial credits and signs in', async () => {
  const browser = createBrowser(shared.url);
  const page = await browser.get('/sign-up');
  const inside = await browser.submit(page, { email: 'New@Example.com', password: 'a long password' }, '/sign-up');
  expect(inside.url).toBe(`${shared.url}/`);
  const account = await browser.get('/account');
  expect(account.text).toContain('new@example.com');
  expect(account.text).toContain('<strong>100</strong>');
});

test('shows problems of a new account at their fields', async () => {
  const wrong: [Record<string, string>, number, string][] = [
    [{ email: 'nobody', password: 'a long password' }, 422, 'Enter an e-mail address'],
    [{ email: 'x1@example.com', password: 'too short' }, 422, 'at least 10 characters'],
    [{ email: 'x1@example.com', password: 'X1@example.com' }, 422, 'that is not your e-mail address'],
    [{ email: 'x1@example.com', password: 'aaaaaaaaaaaaaa' }, 422, 'more than three different characters'],
    [{ email: 'ann@example.com', password: 'a long password' }, 409, 'already'],
  ];
  for (const [fields, status, text] of wrong) {
    const browser = createBrowser(shared.url);
    const page = await browser.submit(await browser.get('/sign-up'), fields, '/sign-up');
    expect([page.status, page.text.includes(text)]).toEqual([status, true]);
    expect(page.text).toContain('aria-invalid="true"');
    expect(page.text).not.toContain(`value="${fields.password}"`);
  }
});

test('has no sign-up page unless the operator opens it', async () => {
  const service = await ownService({ openSignUp: false });
  const browser = createBrowser(service.url);
  expect((await browser.get('/sign-in')).text).not.toContain('/sign-up');
  expect((await browser.get('/sign-up')).status).toBe(404);
  const form = formOf(await browser.get('/sign-in'), '/sign-in');
  const page = await browser.post('/sign-up', { ...form.hidden, email: 'x@example.com', password: 'a long password' });
  expect(page.status).toBe(404);
});

test("lists the account's renders, and marks the running ones for the script", async () => {
  const service = await ownService();
  await service.addAccount();
  await service.addAccount('bob@example.com');
  const running = await addRender(service, 'ann@example.com', { status: 'rendering', progress: 0.25 });
  const failed = await addRender(service, 'ann@example.com', {
    status: 'failed',
    title: '<script>alert(1)</script>',
    failure_message: 'The page <b>broke</b>.',
  });
  const done = await addRender(service, 'ann@example.com', { status: 'completed', video_key: 'videos/x.mp4' });
  const others = await addRender(service, 'bob@example.com', { status: 'rendering' });
  const browser = createBrowser(service.url);
  const { text } = await browser.signIn();
  expect(text).toContain(`data-render="${running}"`);
  expect(text).toMatch(new RegExp(`data-render="${running}"[^>]*data-running="rendering"`));
  expect(text).not.toMatch(new RegExp(`data-render="${done}"[^>]*data-running`));
  expect(text).toContain('&lt;script&gt;alert(1)');
  expect(text).toContain('The page &lt;b&gt;broke&lt;/b&gt;.');
  expect(text).toContain('/files/videos/x.mp4?');
  expect(text).not.toContain(others);
  const page = await browser.get(`/renders/progress?ids=${running},${done},${others},${failed}`);
  const { renders } = JSON.parse(page.text) as { renders: { id: string; status: string; progress: number }[] };
  expect(renders.find(({ id }) => id === running)).toEqual({ id: running, status: 'rendering', progress: 0.25 });
  expect(renders.map(({ id }) => id).sort()).toEqual([running, done, failed].sort());
});

test('allows images and videos only from the object store', async () => {
  const service = await ownService();
  await service.addAccount();
  const id = await addRender(service, 'ann@example.com', { status: 'completed', video_key: 'videos/x.mp4' });
  const { objects } = service.context;
  objects.origin = 'https://bucket.s3.example.com';
  const browser = createBrowser(service.url);
  await browser.signIn();
  for (const path of ['/', `/renders/${id}`]) {
    const policy = (await browser.get(path)).headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toContain("img-src 'self' data: https://bucket.s3.example.com");
    expect(policy).toContain("media-src 'self' https://bucket.s3.example.com");
  }
});

test('hides data of other accounts', async () => {
  const service = await ownService();
  await service.addAccount();
  await service.addAccount('bob@example.com');
  const id = await addRender(service, 'bob@example.com', {});
  const bob = createBrowser(service.url);
  await bob.signIn('bob@example.com');
  const keys = await bob.submit(await bob.get('/keys'), { name: "Bob's" }, '/keys');
  const keyId = /\/keys\/(key_[\w-]+)\/revoke/.exec(keys.text)?.[1] ?? '';
  const ann = createBrowser(service.url);
  await ann.signIn();
  const token = formOf(await ann.get('/keys'), '/keys').hidden.form_token ?? '';
  for (const path of [`/renders/${id}`, `/renders/${id}/delete`, `/keys/${keyId}/revoke`]) {
    expect([path, (await ann.get(path)).status]).toEqual([path, 404]);
  }
  for (const path of [`/renders/${id}/delete`, `/keys/${keyId}/revoke`]) {
    expect([path, (await ann.post(path, { form_token: token })).status]).toEqual([path, 404]);
  }
  expect((await bob.get(`/renders/${id}`)).status).toBe(200);
  expect((await bob.get('/keys')).text).toContain(keyId);
});

test('deletes a render after confirmation', async () => {
  const browser = createBrowser(shared.url);
  await browser.signIn();
  const id = await addRender(shared, 'ann@example.com', { title: 'Old one' });
  const ask = await browser.get(`/renders/${id}/delete`);
  expect(ask.text).toContain('Delete “Old one”?');
  expect((await browser.get(`/renders/${id}`)).status).toBe(200);
  const list = await browser.submit(ask, {}, `/renders/${id}/delete`);
  expect(list.url).toBe(`${shared.url}/`);
  expect((await browser.get(`/renders/${id}`)).status).toBe(404);
});

test('wakes the queue when a render is deleted', async () => {
  const { context, url } = shared;
  const browser = createBrowser(url);
  await browser.signIn();
  const id = await addRender(shared, 'ann@example.com', { status: 'rendering' });
  let wakes = 0;
  const app = new Hono();
  mountRenderPages(app, context, { wake: () => wakes++, close: async () => undefined });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { hidden } = formOf(await browser.get(`/renders/${id}/delete`), `/renders/${id}/delete`);
  const answer = await app.request(`/renders/${id}/delete`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(hidden).toString(),
  });
  expect([answer.status, wakes]).toEqual([303, 1]);
});

test('shows older renders on further pages', async () => {
  const service = await ownService();
  await service.addAccount();
  for (let count = 1; count <= 14; count += 1) {
    await addRender(service, 'ann@example.com', { title: `Render ${count}`, created_at: 1_800_000_000_000 + count });
  }
  const browser = createBrowser(service.url);
  const first = await browser.signIn();
  expect([first.text.includes('Render 14'), first.text.includes('>Render 2<')]).toEqual([true, false]);
  const older = /href="(\/\?token=[^"]+)"/.exec(first.text)?.[1] ?? '';
  expect((await browser.get(older)).text).toContain('>Render 2<');
  expect((await browser.get('/?token=nonsense')).text).toContain('Render 14');
});

test('shows an API key once, accepts it, and rejects it once revoked', async () => {
  const browser = createBrowser(shared.url);
  await browser.signIn();
  const made = await browser.submit(await browser.get('/keys'), { name: 'Nightly <build>' }, '/keys');
  const key = /<code>(fk_[\w-]+)<\/code>/.exec(made.text)?.[1] ?? '';
  const me = () => fetch(`${shared.url}/v3/users/me`, { headers: { 'x-api-key': key } });
  expect((await me()).status).toBe(200);
  const keys = await browser.get('/keys');
  expect(keys.text).not.toContain(key);
  expect(keys.text).toContain('Nightly &lt;build&gt;');
  const revoke = /\/keys\/key_[\w-]+\/revoke/.exec(keys.text)?.[0] ?? '';
  await browser.submit(await browser.get(revoke), {}, revoke);
  expect((await me()).status).toBe(401);
  expect((await browser.submit(keys, { name: ' ' }, '/keys')).status).toBe(422);
});

test('signs out every other browser when the password changes', async () => {
  const service = await ownService();
  await service.addAccount();
  const [one, two] = [createBrowser(service.url), createBrowser(service.url)];
  await one.signIn();
  await two.signIn();
  const account = await one.get('/account');
  const wrong = await one.submit(
    account,
    { password: 'not this one', new_password: 'another long one', keep_keys: 'yes' },
    '/account/password',
  );
  expect([wrong.status, wrong.text.includes('The current password is wrong')]).toEqual([422, true]);
  expect(wrong.text).toContain('name="keep_keys" value="yes" checked');
  const done = await one.submit(account, { password, new_password: 'another long one' }, '/account/password');
  expect(done.text).toContain('Your password was changed');
  expect((await two.get('/keys')).url).toContain('/sign-in');
  expect((await two.signIn()).status).toBe(401);
});

test.each([
  [{}, 401],
  [{ keep_keys: 'yes' }, 200],
])('revokes API keys when the password changes, unless the user keeps them: %j', async (choice, expected) => {
  const service = await ownService();
  const { id: accountId } = await service.addAccount();
  const { key } = await createApiKey(service.context.database, { accountId, name: 'ci' }, Date.now());
  const browser = createBrowser(service.url);
  await browser.signIn();
  const fields = { password, new_password: 'another long one', ...choice };
  const done = await browser.submit(await browser.get('/account'), fields, '/account/password');
  expect(done.text.includes('and all API keys revoked.')).toBe(expected === 401);
  const me = await fetch(`${service.url}/v3/users/me`, { headers: { 'x-api-key': key } });
  expect(me.status).toBe(expected);
});

test('replaces the webhook secret', async () => {
  const browser = createBrowser(shared.url);
  await browser.signIn();
  const secret = (text: string) => /<code>(whsec_[^<]+)<\/code>/.exec(text)?.[1];
  const before = secret((await browser.get('/webhooks')).text);
  const after = await browser.submit(await browser.get('/webhooks/rotate'), {}, '/webhooks/rotate');
  expect(secret(after.text)).toMatch(/^whsec_/);
  expect(secret(after.text)).not.toBe(before);
});

test('serves the style sheet under a name with its hash, cached forever', async () => {
  const page = await createBrowser(shared.url).get('/sign-in');
  const path = /href="(\/style-[0-9a-f]{12}\.css)"/.exec(page.text)?.[1] ?? '';
  const response = await fetch(shared.url + path);
  expect(response.headers.get('content-type')).toContain('text/css');
  expect(response.headers.get('cache-control')).toContain('immutable');
});

test('redirects from localhost to the public URL', async () => {
  const response = await fetch(`${shared.url.replace('127.0.0.1', 'localhost')}/sign-in?next=/keys`, {
    redirect: 'manual',
  });
  expect(response.headers.get('location')).toBe(`${shared.url}/sign-in?next=/keys`);
});

test('removes control characters from input', async () => {
  const browser = createBrowser(shared.url);
  await browser.signIn();
  const keys = await browser.submit(await browser.get('/keys'), { name: 'Bell\u0007 and null\u0000' }, '/keys');
  expect(keys.text).toContain('<strong>Bell and null</strong>');
  const token = formOf(keys, '/keys').hidden.form_token ?? '';
  for (const path of ['/renders/%00', '/keys/%00/revoke']) {
    expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
  }
  expect((await browser.post('/keys/%00/revoke', { form_token: token })).status).toBe(404);
  expect((await browser.get('/renders/progress?ids=%00')).text).toBe('{"renders":[]}');
});

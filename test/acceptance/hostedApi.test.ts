// The sentences of the contract about the hosted API, with the packed command line and a real service.
// It is longer than 400 lines because it is one table.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { makeZip } from '../support/makeZip.ts';
import { linkIn, type MailServer, openMailServer } from '../support/service/mailServer.ts';
import { createBrowser, password } from '../support/service/webService.ts';
import { accept, type Check, type Place, type Request, type Step } from './acceptance.ts';
import { hostedService, passDay, steppedClock } from './hosted.ts';
import { error, form, page, submit, upload } from './orders.ts';

const service = hostedService(['--workers', '0'], steppedClock);
const { newAccount } = service;
/** One that is broken on purpose. */
const narrow = hostedService(['--workers', '0', '--requests-per-minute', '4']);

/** One with small quotas. */
const small = hostedService(['--workers', '0', '--max-storage', '1', '--max-uploads', '1', '--max-renders', '2']);

let mailServer: MailServer | undefined;
const mailEnv: Record<string, string> = { SERVICE_MAIL_FROM: 'no-reply@example.com' };
beforeAll(async () => {
  mailServer = await openMailServer();
  mailEnv.SERVICE_SMTP_URL = mailServer.url;
});
afterAll(() => mailServer?.close());
/** Sends mails. Declared after its mail server, so that it starts after it. */
const mailing = hostedService(['--workers', '0', '--sign-up', 'open'], mailEnv);

const renders = '/v3/framework/renders';
const getRender = `GET ${renders}/<render>`;
const anyText = expect.any(String);
const items = (length: number) => expect.objectContaining({ length });

/** Sends a request and compares the whole body. */
const bodyIs = (path: string, body: unknown): Check => {
  return async (place) => expect(await send(place, path)).toEqual(body);
};

async function send({ env, kept }: Place, path: string): Promise<unknown> {
  const url = new URL(
    path.replace(/<(\w+)>/g, (_, name: string) => kept.get(name) ?? ''),
    env.SERVICE_API_URL,
  );
  return (await fetch(url, { headers: { 'x-api-key': env.SERVICE_API_KEY ?? '' } })).json();
}

/** Every field of a queued render, with the defaults. */
const queued = {
  render_id: anyText,
  status: 'queued',
  progress: 0,
  title: null,
  callback_id: null,
  video_url: null,
  thumbnail_url: null,
  duration: null,
  fps: null,
  quality: 'standard',
  format: 'mp4',
  resolution: '1080p',
  aspect_ratio: null,
  composition: 'index.html',
  created_at: expect.any(Number),
  completed_at: null,
  credits: null,
  failure_code: null,
  failure_message: null,
  warnings: [],
  engine: null,
};

/** What a render request may contain, in addition to the project. */
const options = {
  composition: 'scenes/intro.html',
  fps: 25,
  quality: 'high',
  format: 'webm',
  resolution: '1080p',
  aspect_ratio: '9:16',
  variables: { tint: '#0000ff' },
  strict_variables: true,
  callback_url: 'https://example.com/hook',
  callback_id: 'order 7',
  title: 'Monday',
};

/** Sends half of an upload, waits until the service has stored some of it, and sends the rest. */
const uploadInHalves: Check = async ({ env }) => {
  const noise = Buffer.alloc(4_000_000, 'A long text that is not compressed. ');
  const archive = makeZip([
    { name: 'index.html', data: page },
    { name: 'noise.bin', data: noise, method: 0 },
  ]);
  const body = Buffer.from(await new Response(form(archive)).arrayBuffer());
  const boundary = /^--(\S+)\r\n/.exec(body.toString('latin1'))?.[1];
  const request = httpRequest(new URL('/v3/assets', env.SERVICE_API_URL), {
    method: 'POST',
    headers: {
      'x-api-key': env.SERVICE_API_KEY,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': body.length,
    },
  });
  const answered = new Promise<string>((resolve) => request.once('response', (response) => resolve(text(response))));
  request.write(body.subarray(0, 2_000_000));
  const folder = join(service.dataDir, 'uploads');
  const stored = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  await vi.waitFor(() => expect(Math.max(...stored())).toBeGreaterThan(1_000_000), { timeout: 30_000 });
  request.end(body.subarray(2_000_000));
  expect(JSON.parse(await answered)).toMatchObject({ data: { size_bytes: archive.length } });
};

const eleven: Step[] = [upload(), ...Array.from({ length: 11 }, () => submit())];
/** 200 MB of zeros, and the headers of a zip archive. */
const uploadTooMuch: Check = async ({ env }) => {
  const archive = makeZip([{ name: 'zeros.bin', data: Buffer.alloc(200 * 1024 * 1024), method: 0 }]);
  const response = await fetch(new URL('/v3/assets', env.SERVICE_API_URL), {
    method: 'POST',
    headers: { 'x-api-key': env.SERVICE_API_KEY ?? '' },
    body: form(archive),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: 'framework_project_too_large' } });
};

// The decisions: shapes of requests and responses.
accept(
  [
    {
      sentence: 'JSON bodies: a single object comes as {"data": {...}}',
      steps: [
        { request: 'GET /v3/users/me', prints: ['content-type: application/json'] },
        bodyIs('/v3/users/me', {
          data: {
            user_id: anyText,
            email: 'ann@example.com',
            name: null,
            billing: { plan: 'standard', credits_remaining: 600, resets_at: null },
            quotas: {
              stored_bytes: { used: 0, limit: 10_737_418_240 },
              uploads: { used: 0, limit: 4 },
              renders: { used: 0, limit: 200 },
            },
          },
        }),
      ],
    },
    {
      sentence: 'A list comes as {"data": [...], "has_more": bool, "next_token": string|null}, newest first',
      steps: [
        newAccount(),
        bodyIs(renders, { data: [], has_more: false, next_token: null }),
        upload(),
        submit({ title: 'first' }),
        submit({ title: 'second' }),
        {
          request: `GET ${renders}?limit=1`,
          json: { data: [{ title: 'second' }], has_more: true, next_token: anyText },
        },
        { request: `GET ${renders}`, json: { data: [{ title: 'second' }, { title: 'first' }], has_more: false } },
      ],
    },
    {
      sentence: 'An error is {"error": {"code", "message", "param"?, "doc_url"?}}',
      steps: [
        bodyIs(`${renders}?limit=0`, { error: { code: 'invalid_parameter', message: anyText, param: 'limit' } }),
        bodyIs(`${renders}/rnd_1`, { error: { code: 'framework_render_not_found', message: anyText } }),
      ],
    },
    {
      sentence:
        'POST /v3/assets takes the zipped project as multipart/form-data, one part `file` (application/zip), and returns asset_id, size_bytes, sha256',
      steps: [
        {
          request: 'POST /v3/assets',
          body: form(makeZip([{ name: 'index.html', data: 'Hello', method: 0 }])),
          json: {
            data: {
              asset_id: expect.stringMatching(/^ast_[\w-]{22}$/),
              size_bytes: 123,
              sha256: '621ce0607da75455736319ef4c0b4d251cbdd3da54b8bf43ee27c4259258120d',
            },
          },
        },
        { request: 'POST /v3/assets', body: form(makeZip([]), 'archive'), ...error('invalid_parameter', 400) },
        { request: 'POST /v3/assets', body: {}, ...error('unsupported_media_type', 415) },
      ],
    },
    { sentence: 'The archive is streamed', steps: [uploadInHalves] },
    {
      sentence: 'The limit of an archive is 200 MB: framework_project_too_large 413',
      steps: [uploadTooMuch],
    },
    {
      sentence:
        'POST /v3/framework/renders takes a project, {"type": "asset_id", "asset_id"} or {"type": "url", "url"}, and returns render_id and status; the render starts in state queued',
      steps: [
        upload(),
        submit({}, { json: { data: { render_id: expect.stringMatching(/^rnd_[\w-]{22}$/), status: 'queued' } } }),
        { request: getRender, json: { data: { status: 'queued' } } },
        submit({ project: { type: 'url', url: 'https://example.com/project.zip' } }),
        { request: getRender, json: { data: { status: 'queued' } } },
        submit({ project: { type: 'file' } }, error('invalid_parameter', 400, { param: 'project.type' })),
        submit({ project: undefined }, error('invalid_parameter', 400, { param: 'project' })),
      ],
    },
    {
      sentence:
        'composition, fps, quality, format, resolution, aspect_ratio, variables, strict_variables, callback_url, callback_id and title are optional',
      steps: [
        upload(),
        submit(),
        bodyIs(`${renders}/<render>`, { data: queued }),
        submit(options),
        bodyIs(`${renders}/<render>`, {
          data: {
            ...queued,
            composition: 'scenes/intro.html',
            fps: 25,
            quality: 'high',
            format: 'webm',
            aspect_ratio: '9:16',
            callback_id: 'order 7',
            title: 'Monday',
          },
        }),
        ...Object.keys(options).map((name) => submit({ [name]: [] }, error('invalid_parameter', 400, { param: name }))),
      ],
    },
    {
      sentence:
        'GET /v3/framework/renders/{id} returns render_id, status, progress, title, callback_id, video_url, thumbnail_url, duration, fps, quality, format, resolution, aspect_ratio, composition, created_at, completed_at (unix seconds), credits, failure_code, failure_message',
      steps: [
        newAccount(),
        upload(),
        submit(),
        bodyIs(`${renders}/<render>`, { data: queued }),
        async (place) => {
          const { data } = (await send(place, `${renders}/<render>`)) as { data: { created_at: number } };
          expect(Math.abs(data.created_at - Date.now() / 1000)).toBeLessThan(60);
        },
      ],
    },
    {
      sentence: 'GET /v3/framework/renders?limit=&token= has a limit of 1 to 100, default 10',
      steps: [
        newAccount(),
        ...eleven,
        {
          request: `GET ${renders}`,
          json: { data: items(10), has_more: true },
          keep: { next: 'next_token' },
        },
        {
          request: `GET ${renders}?token=<next>`,
          json: { data: items(1), has_more: false },
        },
        { request: `GET ${renders}?limit=100`, json: { data: items(11) } },
        { request: `GET ${renders}?limit=0`, ...error('invalid_parameter', 400, { param: 'limit' }) },
        { request: `GET ${renders}?limit=101`, ...error('invalid_parameter', 400, { param: 'limit' }) },
        { request: `GET ${renders}?token=none`, ...error('invalid_parameter', 400, { param: 'token' }) },
      ],
    },
    {
      sentence:
        'DELETE /v3/framework/renders/{id} is a soft delete: gone from the list, GET gives 404 framework_render_not_found',
      steps: [
        newAccount(),
        upload(),
        submit(),
        { request: `DELETE ${renders}/<render>` },
        bodyIs(renders, { data: [], has_more: false, next_token: null }),
        { request: getRender, ...error('framework_render_not_found', 404) },
        { request: `DELETE ${renders}/<render>`, ...error('framework_render_not_found', 404) },
      ],
    },
    {
      sentence: 'GET /v3/users/me returns identity and a billing snapshot (plan, credits remaining, reset time)',
      steps: [
        newAccount(['--name', 'Ann', '--credits', '7']),
        {
          request: 'GET /v3/users/me',
          json: { data: { name: 'Ann', billing: { plan: 'standard', credits_remaining: 7, resets_at: null } } },
        },
        service.operate('credits --add 3 --email <email>', /10 credits/),
        { request: 'GET /v3/users/me', json: { data: { billing: { credits_remaining: 10 } } } },
      ],
    },
    {
      sentence: 'The hosted API paths carry the prefix /v3',
      steps: [
        async (place) => {
          const { paths } = (await send(place, '/v3/openapi.json')) as { paths: object };
          expect(Object.keys(paths).sort()).toEqual([
            '/v3/assets',
            '/v3/assets/{id}',
            '/v3/framework/renders',
            '/v3/framework/renders/{id}',
            '/v3/users/me',
          ]);
        },
        { request: 'GET /framework/renders', status: 404 },
      ],
    },
    { sentence: 'Additive changes only within /v3', notRun: 'This is a promise about versions to come.' },
  ],
  service.env,
);

const day = { 'idempotency-key': 'release-7' };

// The decisions: credentials of a request and idempotency.
accept(
  [
    {
      sentence: 'API key: x-api-key',
      steps: [
        { request: 'GET /v3/users/me' },
        { request: 'GET /v3/users/me', headers: { 'x-api-key': 'fk_unknown' }, status: 401 },
      ],
    },
    {
      sentence:
        'Idempotency: header Idempotency-Key, per endpoint; the same key with another body is 409 idempotency_conflict',
      steps: [
        newAccount(),
        upload(undefined, { headers: day }),
        submit({}, { headers: day }),
        submit({}, { headers: day, keep: { again: 'data.render_id' }, prints: ['idempotent-replayed: true'] }),
        ({ kept }) => expect(kept.get('again')).toBe(kept.get('render')),
        { request: `GET ${renders}`, json: { data: items(1) } },
        submit({ fps: 25 }, { headers: day, ...error('idempotency_conflict', 409) }),
        upload([{ name: 'other.html' }], { headers: day, ...error('idempotency_conflict', 409) }),
      ],
    },
    {
      sentence: 'An idempotency key is kept 24 h',
      steps: [
        newAccount(),
        upload(),
        submit({}, { headers: day }),
        passDay(service),
        submit({ fps: 25 }, { headers: day }),
        { request: `GET ${renders}`, json: { data: items(2) } },
      ],
    },
    {
      sentence: 'Idempotency key: characters A-Z a-z 0-9 _ : . -, length 1 to 255',
      steps: [
        upload(),
        submit({}, { headers: { 'idempotency-key': 'AZaz09_:.-' } }),
        submit({}, { headers: { 'idempotency-key': 'k'.repeat(255) } }),
        submit({}, { headers: { 'idempotency-key': 'k'.repeat(256) }, ...error('invalid_parameter', 400) }),
        submit({}, { headers: { 'idempotency-key': 'a b' }, ...error('invalid_parameter', 400) }),
      ],
    },
  ],
  service.env,
);

// The decisions: every error code with its status.
accept(
  [
    {
      sentence: 'authentication_failed 401',
      steps: [
        { request: `GET ${renders}`, headers: { 'x-api-key': 'fk_unknown' }, ...error('authentication_failed', 401) },
      ],
    },
    {
      sentence: 'permission_denied 403',
      steps: [{ request: 'GET /files/videos/rnd_1.mp4?signature=none', ...error('permission_denied', 403) }],
    },
    { sentence: 'invalid_parameter 400', steps: [upload(), submit({ fps: 0 }, error('invalid_parameter', 400))] },
    {
      sentence: 'framework_project_invalid 422',
      steps: [
        {
          request: 'POST /v3/assets',
          body: form(Buffer.from('not a zip')),
          ...error('framework_project_invalid', 422),
        },
      ],
    },
    {
      sentence: 'framework_render_not_found 404',
      steps: [{ request: `GET ${renders}/rnd_1`, ...error('framework_render_not_found', 404) }],
    },
    {
      sentence: 'insufficient_credits 402',
      steps: [newAccount(['--credits', '0']), upload(), submit({}, error('insufficient_credits', 402))],
    },
  ],
  service.env,
);

accept(
  [
    {
      sentence: 'rate_limit_exceeded 429 with Retry-After',
      steps: [
        ...Array.from({ length: 4 }, (): Step => ({ request: 'GET /v3/users/me' })),
        { request: 'GET /v3/users/me', prints: [/retry-after: \d+/], ...error('rate_limit_exceeded', 429) },
      ],
    },
    {
      sentence: 'internal_error 500',
      steps: [
        narrow.newAccount(),
        () => writeFileSync(join(narrow.dataDir, 'objects'), ''),
        upload(undefined, error('internal_error', 500)),
      ],
    },
  ],
  narrow.env,
);

// The decisions: variables, accounts, quotas.
accept(
  [
    {
      sentence:
        'Variables for a known asset are validated at submit: 422 with every issue; nothing is queued or charged',
      steps: [
        newAccount(),
        upload(),
        submit({ variables: { tint: 7, other: 1 }, strict_variables: true }, error('framework_project_invalid', 422)),
        bodyIs(renders, { data: [], has_more: false, next_token: null }),
      ],
    },
    {
      sentence: 'E-mail verification and password reset if the operator has configured SMTP',
      steps: [verifyAddress, resetPassword],
    },
    {
      sentence: 'Without SMTP, operator commands create accounts and reset passwords',
      steps: [
        newAccount(),
        service.operate('account password --email <email>', /Changed the password/, 'another horse battery\n'),
        { request: 'GET /v3/users/me', ...error('authentication_failed', 401) },
        signIn(password, 401),
        signIn('another horse battery', 200),
      ],
    },
    {
      sentence: 'Changing a password revokes API keys unless the user keeps them',
      steps: [
        newAccount(),
        changePassword(password, 'another horse battery', { keep_keys: 'yes' }),
        { request: 'GET /v3/users/me' },
        changePassword('another horse battery', password),
        { request: 'GET /v3/users/me', ...error('authentication_failed', 401) },
      ],
    },
    {
      sentence: 'Operators can list, suspend, delete and export accounts',
      steps: [
        newAccount(),
        service.operate('account list', /ann@example\.com/),
        service.operate('account suspend --email <email>'),
        { request: 'GET /v3/users/me', ...error('permission_denied', 403) },
        service.operate('account resume --email <email>'),
        { request: 'GET /v3/users/me' },
        service.operate('account export --email <email>', /"account": \{/),
        service.operate('account delete --email <email> --no-confirm', /Deleted/),
        { request: 'GET /v3/users/me', ...error('authentication_failed', 401) },
      ],
    },
    {
      sentence: 'DELETE /v3/assets/{id} deletes an asset',
      steps: [upload(), { request: 'DELETE /v3/assets/<asset>' }, submit({}, error('invalid_parameter', 400))],
    },
    {
      sentence: 'Assets that no render has used expire after 24 h',
      steps: [upload(), passDay(service), submit({}, error('invalid_parameter', 400))],
    },
  ],
  service.env,
);

/** Begins an upload to a service that allows one at a time, and sends another one. */
const uploadTwice: Check = async ({ env }) => {
  const url = new URL('/v3/assets', env.SERVICE_API_URL);
  const headers = { 'x-api-key': env.SERVICE_API_KEY ?? '' };
  const first = httpRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=cut', 'content-length': 1000 },
  });
  first.on('error', () => undefined);
  first.flushHeaders();
  await vi.waitFor(async () => {
    const response = await fetch(new URL('/v3/users/me', url), { headers });
    expect(await response.json()).toMatchObject({ data: { quotas: { uploads: { used: 1, limit: 1 } } } });
  });
  const body = form(makeZip([{ name: 'index.html', data: page }]));
  const second = await fetch(url, { method: 'POST', headers, body });
  expect([second.status, await second.json()]).toMatchObject([429, { error: { code: 'quota_exceeded' } }]);
  first.destroy();
};

/** Two of them are more than 1 MB. */
const noise = [{ name: 'noise.bin', data: Buffer.alloc(700_000, 'noise'), method: 0 }];

accept(
  [
    {
      sentence:
        'Quotas per account: bytes stored, uploads in progress, queued and running renders; beyond them 429 quota_exceeded, with a hint on what to free',
      steps: [
        small.newAccount(),
        upload(),
        submit(),
        submit(),
        submit({}, refusedFor('The account has 2 queued and running renders')),
        { request: `DELETE ${renders}/<render>` },
        submit(),
        small.newAccount(),
        upload(noise),
        upload(noise, refusedFor('The account stores 1 MB of at most 1 MB')),
        { request: 'DELETE /v3/assets/<asset>' },
        upload(noise),
        uploadTwice,
      ],
    },
  ],
  small.env,
);

function refusedFor(reason: string): Partial<Request> {
  const message = expect.stringMatching(new RegExp(`^${reason}.* (?:D|d)elete`));
  return { status: 429, json: { error: { code: 'quota_exceeded', message } } };
}

/** Signs up as a new user, whose account is created by the link in a mail. */
async function verifyAddress(): Promise<void> {
  const browser = createBrowser(mailing.program().url);
  await browser.submit(await browser.get('/sign-up'), { email: 'new@example.com' }, '/sign-up');
  const mail = await mailServer?.next();
  expect(mail).toMatchObject({ from: 'no-reply@example.com', to: ['new@example.com'] });
  const page = await browser.get(mail ? linkIn(mail) : '');
  const inside = await browser.submit(page, { password }, '/new-password');
  expect(inside.text).toContain('new@example.com');
}

/** Chooses a new password with the link in a mail. */
async function resetPassword(): Promise<void> {
  const browser = createBrowser(mailing.program().url);
  await browser.submit(await browser.get('/forgot-password'), { email: 'new@example.com' }, '/forgot-password');
  const mail = await mailServer?.next();
  const page = await browser.get(mail ? linkIn(mail) : '');
  await browser.submit(page, { password: 'another horse battery' }, '/new-password');
  const visitor = createBrowser(mailing.program().url);
  expect((await visitor.signIn('new@example.com')).status).toBe(401);
  const fields = { email: 'new@example.com', password: 'another horse battery' };
  expect((await visitor.submit(await visitor.get('/sign-in'), fields, '/sign-in')).status).toBe(200);
}

function signIn(given: string, status: number): Check {
  return async ({ env, kept }) => {
    const browser = createBrowser(env.SERVICE_API_URL ?? '');
    const fields = { email: kept.get('email') ?? '', password: given };
    expect(await browser.submit(await browser.get('/sign-in'), fields, '/sign-in')).toMatchObject({ status });
  };
}

function changePassword(from: string, to: string, choice: Record<string, string> = {}): Check {
  return async ({ env, kept }) => {
    const browser = createBrowser(env.SERVICE_API_URL ?? '');
    const page = await browser.get('/sign-in');
    await browser.submit(page, { email: kept.get('email') ?? '', password: from }, '/sign-in');
    const fields = { password: from, new_password: to, ...choice };
    const done = await browser.submit(await browser.get('/account'), fields, '/account/password');
    expect(done.text).toContain('Your password was changed');
  };
}

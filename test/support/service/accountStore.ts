// Tests of what the operator does with accounts, with SQLite; those that depend on the database also run with PostgreSQL.
// It is longer than 400 lines because each test needs the same accounts, and each database runs all of them.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createAsset } from '../../../cloud/service/api/assets.ts';
import { submitRender } from '../../../cloud/service/api/renderRequests.ts';
import { accountByEmail, createAccount, newAccount, verifyPassword } from '../../../cloud/service/auth/accounts.ts';
import { accountOfKey, createApiKey } from '../../../cloud/service/auth/apiKeys.ts';
import { audit, auditEvents, audited } from '../../../cloud/service/auth/auditLog.ts';
import { changePassword } from '../../../cloud/service/auth/changePassword.ts';
import { openSecrets, rotateSigningKeys } from '../../../cloud/service/auth/secrets.ts';
import type { ServiceContext } from '../../../cloud/service/context.ts';
import { createMailToken, findMailToken } from '../../../cloud/service/mail/mailTokens.ts';
import { listAccounts, resumeAccount, suspendAccount } from '../../../cloud/service/operator/accountCommands.ts';
import { deleteAccount } from '../../../cloud/service/operator/deleteAccount.ts';
import { exportAccount } from '../../../cloud/service/operator/exportAccount.ts';
import { failRender } from '../../../cloud/service/queue/completeRender.ts';
import { leaseNextRender, leaseTerms } from '../../../cloud/service/queue/leases.ts';
import { secretHash } from '../../../cloud/service/storage/ids.ts';
import { addLedgerRow } from '../../../cloud/service/storage/ledger.ts';
import { cleanUp } from '../../../cloud/service/storage/retention.ts';
import type { AccountRow } from '../../../cloud/service/storage/tables.ts';
import type { OtherTest } from './databaseTests.ts';
import { assetForm, type TestService, uploadForm } from './service.ts';
import { renderRow } from './serviceDatabase.ts';

const day = 24 * 60 * 60 * 1000;
const byOperator = { actor: 'operator', address: null } as const;
const noPause = async () => {
  throw new Error('the test did not expect a running render');
};

type Owner = { account: AccountRow; key: string; asset: string; render: string };

/** An account with rows in every table that names accounts, and with a file of each kind. */
async function addOwner({ context, app, clock }: TestService, email: string): Promise<Owner> {
  const { database, objects, now } = context;
  const account = await createAccount(
    database,
    await newAccount({ email, password: 'correct horse', credits: 50 }),
    now(),
  );
  const { key } = await createApiKey(database, { accountId: account.id, name: 'ci' }, now());
  const headers = { 'x-api-key': key, 'idempotency-key': `upload of ${email}`.replaceAll(/[^\w.-]/g, '-') };
  const uploaded = await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() });
  const { asset_id: asset } = (await uploaded.json()).data;
  const render = `rnd_${account.id}`;
  const row = renderRow(render, {
    account_id: account.id,
    asset_id: asset,
    project_url: null,
    status: 'completed',
    variables: '{"title":"Monday"}',
    video_key: `videos/rnd_${account.id}.mp4`,
    thumbnail_key: `thumbnails/rnd_${account.id}.jpg`,
  });
  await database.insertInto('renders').values(row).execute();
  for (const object of [row.video_key ?? '', row.thumbnail_key ?? ''])
    await objects.put(object, Readable.from(['1234567']), { contentType: 'video/mp4' });
  clock.now += 1000;
  const charge = { account_id: account.id, amount: -2.5, kind: 'charge', render_id: render } as const;
  await addLedgerRow(database, { ...charge, note: null, created_at: now() });
  await addWebhook(context, account.id, render);
  await database
    .insertInto('sessions')
    .values({ hash: secretHash(`session ${email}`), account_id: account.id, created_at: 1, expires_at: 9e12 })
    .execute();
  for (const model of ['Grant', 'AccessToken'])
    await database
      .insertInto('oauth_records')
      .values({
        model,
        id: secretHash(`${model} ${email}`),
        payload: JSON.stringify({ accountId: account.id, clientId: 'framework-cli', iat: 1_700_000_000 }),
        grant_id: null,
        user_code: null,
        uid: model === 'Grant' ? account.id : null,
        expires_at: 9e12,
        consumed_at: null,
      })
      .execute();
  await createMailToken(database, { kind: 'reset', email, name: null, account_id: account.id }, now());
  await audit(context, { accountId: account.id, actor: 'user', address: '203.0.113.7', action: 'signed_in' });
  return { account, key, asset, render };
}

async function addWebhook({ database, now }: ServiceContext, accountId: string, render: string): Promise<void> {
  const id = `whd_${accountId}`;
  await database
    .insertInto('webhook_deliveries')
    .values({
      id,
      account_id: accountId,
      render_id: render,
      url: 'https://example.com/hook',
      target: 'example.com:443',
      type: 'render.completed',
      status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      lease_owner: null,
      lease_expires_at: null,
      created_at: now(),
    })
    .execute();
  await database
    .insertInto('webhook_attempts')
    .values({ id: `wha_${accountId}`, delivery_id: id, at: now(), status_code: 204, error: null, duration_ms: 7 })
    .execute();
}

/** All rows of the database as text, by table. */
async function dump({ database }: ServiceContext): Promise<Map<string, string[]>> {
  const tables = await database.introspection.getTables();
  const found = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await database
      .selectFrom(name as 'accounts')
      .selectAll()
      .execute();
    found.set(name, rows.map((row) => JSON.stringify(row)).sort());
  }
  return found;
}

async function rowsWith(context: ServiceContext, ...texts: string[]): Promise<[table: string, row: string][]> {
  const tables = [...(await dump(context))];
  return tables.flatMap(([table, rows]) =>
    rows.filter((row) => texts.some((text) => row.includes(text))).map((row) => [table, row] as [string, string]),
  );
}

/**
 * `open` creates a service with an empty database; `again` another instance on the same database.
 * `logic` registers the tests of what does not depend on the kind of the database.
 */
export function accountTests(
  open: () => Promise<TestService>,
  again: (service: TestService) => Promise<TestService>,
  logic: OtherTest = test,
): void {
  test('lists accounts with their credits and renders', async () => {
    const service = await open();
    const { database, now } = service.context;
    await createAccount(
      database,
      await newAccount({ email: 'ann@example.com', password: 'correct horse', credits: 0 }),
      now(),
    );
    service.clock.now += 1000;
    const created = now();
    const { account } = await addOwner(service, 'bob@example.com');
    await suspendAccount(service.context, account);
    expect(await listAccounts(database)).toEqual([
      expect.objectContaining({ email: 'ann@example.com', credits: 0, renders: 0, suspended_at: null }),
      {
        user_id: account.id,
        email: 'bob@example.com',
        name: null,
        plan: 'standard',
        credits: 47.5,
        renders: 1,
        created_at: created,
        suspended_at: now(),
        allowed_hosts: null,
      },
    ]);
  });

  logic('rejects the requests of a suspended account, and starts its renders when it is resumed', async () => {
    const service = await open();
    const { context, app } = service;
    const { account, key } = await addOwner(service, 'ann@example.com');
    const order = { project: { type: 'url' as const, url: 'https://example.com/p.zip' } };
    const { result } = await submitRender(context, { accountId: account.id, key: undefined, order });
    const me = async () => (await app.request('/v3/users/me', { headers: { 'x-api-key': key } })).json();
    const next = () => leaseNextRender(context.database, 'worker', context.now(), leaseTerms);
    service.clock.now += 1000;
    expect(await suspendAccount(context, account)).toBe(true);
    expect(await suspendAccount(context, account)).toBe(false);
    expect(await me()).toEqual({
      error: {
        code: 'permission_denied',
        message: 'This account is suspended. Contact the operator of this service.',
      },
    });
    expect(await next()).toBeUndefined();
    expect(await resumeAccount(context, account)).toBe(true);
    expect(await resumeAccount(context, account)).toBe(false);
    expect(await me()).toMatchObject({ data: { user_id: account.id } });
    expect((await next())?.render.id).toBe(result.render_id);
    const events = await auditEvents(context.database, account.id, { limit: 2, offset: 0 });
    expect(events.map(({ actor, action }) => [actor, action]).sort()).toEqual([
      ['operator', 'account_resumed'],
      ['operator', 'account_suspended'],
    ]);
  });

  logic('serves no files of a suspended account, whatever was signed', async () => {
    const service = await open();
    const { context, app } = service;
    const { account, render } = await addOwner(service, 'ann@example.com');
    const label = { filename: 'a.mp4', contentType: 'video/mp4' };
    const url = await context.objects.signedUrl(`videos/${render}.mp4`, { expiresAt: context.now() + 1000, ...label });
    const status = async () => (await app.request(url)).status;
    expect(await status()).toBe(200);
    await suspendAccount(context, account);
    expect(await status()).toBe(403);
    await resumeAccount(context, account);
    expect(await status()).toBe(200);
  });

  test('deletes an account with all its rows and files, and nothing of others', async () => {
    const service = await open();
    const { context } = service;
    const bob = await addOwner(service, 'bob@example.com');
    const before = await dump(context);
    const ann = await addOwner(service, 'ann@example.com');
    const named = [ann.account.id, ann.asset, ann.render, 'ann@example.com', `whd_${ann.account.id}`];
    // Every table that names accounts has a row to delete.
    expect(new Set((await rowsWith(context, ...named)).map(([table]) => table))).toEqual(
      new Set([
        'accounts',
        'api_keys',
        'assets',
        'audit_events',
        'idempotency',
        'ledger',
        'mail_tokens',
        'oauth_records',
        'renders',
        'sessions',
        'webhook_attempts',
        'webhook_deliveries',
      ]),
    );
    expect(await deleteAccount(context, ann.account.id, { pause: noPause })).toEqual({ files: 3, renders: 1 });
    const left = await rowsWith(context, ...named);
    expect(left.map(([table, row]) => [table, JSON.parse(row).action])).toEqual([['audit_events', 'account_deleted']]);
    const after = await dump(context);
    // The deletion is in the audit log, and its requests were counted.
    for (const table of ['audit_events', 'limit_counts']) after.set(table, before.get(table) ?? []);
    expect(after).toEqual(before);
    const files = [
      `assets/${ann.asset}.zip`,
      `videos/rnd_${ann.account.id}.mp4`,
      `thumbnails/rnd_${ann.account.id}.jpg`,
    ];
    for (const key of files) {
      expect([key, await context.objects.size(key)]).toEqual([key, undefined]);
      const other = key.replace(ann.account.id, bob.account.id).replace(ann.asset, bob.asset);
      expect(await context.objects.size(other)).toBeGreaterThan(0);
    }
    expect(await accountOfKey(context.database, ann.key, context.now())).toBeUndefined();
    expect(await accountByEmail(context.database, 'ann@example.com')).toBeUndefined();
  });

  test('every table that names accounts is one that a deletion knows', async () => {
    const { context } = await open();
    const tables = await context.database.introspection.getTables();
    const named = tables.filter(({ columns }) => columns.some(({ name }) => name === 'account_id'));
    expect(named.map(({ name }) => name).sort()).toEqual([
      'api_keys',
      'assets',
      'audit_events',
      'idempotency',
      'ledger',
      'mail_tokens',
      'renders',
      'sessions',
      'uploads',
      'webhook_deliveries',
      'worker_time',
    ]);
  });

  logic('stops running renders before it deletes an account, and deletes what they stored meanwhile', async () => {
    const service = await open();
    const { context } = service;
    const { database, objects, now } = context;
    const { account } = await addOwner(service, 'ann@example.com');
    for (const id of ['rnd_one', 'rnd_two'])
      await database
        .insertInto('renders')
        .values(renderRow(id, { account_id: account.id, created_at: now() }))
        .execute();
    const lease = await leaseNextRender(database, 'worker', now(), leaseTerms);
    const stored = `videos/${lease?.render.id}.mp4`;
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (lease === undefined) throw new Error('no render was started');
      const render = await database
        .selectFrom('renders')
        .selectAll()
        .where('id', '=', lease.render.id)
        .executeTakeFirstOrThrow();
      expect([render.status, render.deleted_at]).toEqual(['rendering', now()]);
      await objects.put(stored, Readable.from(['video']), { contentType: 'video/mp4' });
      await failRender(database, lease, { code: 'render_deleted', message: 'deleted' }, now());
    };
    expect(await deleteAccount(context, account.id, { pause })).toEqual({ files: 3, renders: 3 });
    expect(pauses).toBe(1);
    expect(await objects.size(stored)).toBeUndefined();
  });

  logic('completes a deletion that was interrupted', async () => {
    const service = await open();
    const { context } = service;
    const { database, now } = context;
    const { account, key } = await addOwner(service, 'ann@example.com');
    await database
      .insertInto('renders')
      .values(renderRow('rnd_one', { account_id: account.id, created_at: now() }))
      .execute();
    await leaseNextRender(database, 'worker', now(), leaseTerms);
    const interrupt = () => Promise.reject(new Error('interrupted'));
    await expect(deleteAccount(context, account.id, { pause: interrupt })).rejects.toThrow('interrupted');
    const me = await service.app.request('/v3/users/me', { headers: { 'x-api-key': key } });
    expect(me.status).toBe(403);
    // The lease of a worker that does not respond expires.
    service.clock.now += leaseTerms.leaseMs + 1;
    expect(await deleteAccount(context, account.id, { pause: noPause })).toEqual({ files: 3, renders: 2 });
    expect(await accountByEmail(database, 'ann@example.com')).toBeUndefined();
  });

  test.each([
    'checked',
    'stored',
  ])('refuses an upload whose account is deleted while it is being %s', async (moment) => {
    const service = await open();
    const { context } = service;
    const { account } = await addOwner(service, 'ann@example.com');
    const end = () => deleteAccount(context, account.id, { pause: noPause });
    const objects: ServiceContext['objects'] = {
      ...context.objects,
      async put(...given) {
        if (moment === 'stored') await end();
        return context.objects.put(...given);
      },
    };
    const { bytes, headers } = uploadForm();
    const request = { accountId: account.id, key: 'again', headers, body: Readable.from([bytes]) };
    const uploading = createAsset({ ...context, objects }, request, async () => {
      if (moment === 'checked') await end();
      return undefined;
    });
    await expect(uploading).rejects.toMatchObject({ status: 401, message: 'The account was deleted.' });
    expect(await context.database.selectFrom('assets').selectAll().execute()).toEqual([]);
  });

  test('exports everything about an account, and no secrets', async () => {
    const service = await open();
    const { context } = service;
    await addOwner(service, 'bob@example.com');
    const ann = await addOwner(service, 'ann@example.com');
    service.clock.now += 1000;
    const exported = await exportAccount(context, ann.account.id);
    expect(exported).toMatchObject({
      account: { id: ann.account.id, email: 'ann@example.com', plan: 'standard', suspended_at: null },
      api_keys: [{ name: 'ci', revoked_at: null }],
      assets: [{ id: ann.asset, account_id: ann.account.id }],
      renders: [{ id: ann.render, status: 'completed', variables: { title: 'Monday' } }],
      ledger: [{ amount: 50 }, { amount: -2.5, render_id: ann.render }],
      webhooks: [{ url: 'https://example.com/hook', attempts: [{ status_code: 204, duration_ms: 7 }] }],
      idempotency_keys: [{ endpoint: 'POST /v3/assets', key: 'upload-of-ann-example.com' }],
      browsers: [{ expires_at: 9e12 }],
      programs: [{ client: 'framework-cli', created_at: 1_700_000_000_000, expires_at: 9e12 }],
      mail_links: [{ kind: 'reset' }],
      audit: [{ action: 'signed_in', address: '203.0.113.7' }],
      files: [
        { key: `assets/${ann.asset}.zip`, kind: 'project', asset: ann.asset, render: null, bytes: 157 },
        { key: `videos/rnd_${ann.account.id}.mp4`, kind: 'video', asset: null, render: ann.render, bytes: 7 },
        { key: `thumbnails/rnd_${ann.account.id}.jpg`, kind: 'thumbnail', asset: null, render: ann.render, bytes: 7 },
      ],
    });
    const text = JSON.stringify(exported);
    const { account, key } = ann;
    const [link] = await context.database
      .selectFrom('mail_tokens')
      .selectAll()
      .where('account_id', '=', account.id)
      .execute();
    const secrets = [
      link?.hash ?? '',
      account.password_hash,
      account.webhook_secret,
      key,
      secretHash(key),
      'whsec_',
      'scrypt',
    ];
    for (const secret of [...secrets, secretHash('session ann@example.com')]) expect(text).not.toContain(secret);
    expect(text).not.toContain('bob@example.com');
  });

  logic(
    'changes a password, ends all sign-ins and links to reset it, and revokes keys unless they are kept',
    async () => {
      const service = await open();
      const { context } = service;
      const { database } = context;
      const { account, key } = await addOwner(service, 'ann@example.com');
      const change = (password: string, keepsKeys: boolean) =>
        changePassword(context, { accountId: account.id, password, keepsKeys, by: byOperator });
      const reset = { kind: 'reset', email: 'ann@example.com', name: null, account_id: account.id } as const;
      const link = await createMailToken(database, reset, context.now());
      expect(await change('another long one', true)).toBe(0);
      expect(await findMailToken(database, link, context.now())).toBeUndefined();
      expect(await verifyPassword(database, 'ann@example.com', 'correct horse')).toBeUndefined();
      expect((await verifyPassword(database, 'ann@example.com', 'another long one'))?.id).toBe(account.id);
      expect(await accountOfKey(database, key, context.now())).toBe(account.id);
      const { browsers, programs } = await exportAccount(context, account.id);
      expect([browsers, programs]).toEqual([[], []]);
      expect(await change('correct horse', false)).toBe(1);
      expect(await accountOfKey(database, key, context.now())).toBeUndefined();
    },
  );

  test('records a change together with its entry, or neither', async () => {
    const service = await open();
    const { context } = service;
    const { account } = await addOwner(service, 'ann@example.com');
    const entry = { accountId: account.id, ...byOperator, action: 'credits_changed' } as const;
    const change = audited(
      context,
      (session) => session.updateTable('accounts').set({ plan: 'changed' }).where('id', '=', account.id).execute(),
      () => {
        throw new Error('no entry');
      },
    );
    await expect(change).rejects.toThrow('no entry');
    expect((await accountByEmail(context.database, 'ann@example.com'))?.plan).toBe('standard');
    service.logged.length = 0;
    await audit(context, { ...entry, detail: '5' });
    expect(service.logged).toEqual([
      {
        level: 'info',
        message: 'audit',
        account: account.id,
        actor: 'operator',
        address: null,
        action: 'credits_changed',
        detail: '5',
      },
    ]);
  });

  logic('deletes entries of the audit log after the retention time', async () => {
    const service = await open();
    const { context, clock } = service;
    const { account } = await addOwner(service, 'ann@example.com');
    clock.now += 29 * day;
    await audit(context, { accountId: account.id, ...byOperator, action: 'account_exported' });
    const actions = async () =>
      (await auditEvents(context.database, account.id, { limit: 9, offset: 0 })).map(({ action }) => action);
    await cleanUp(context);
    expect(await actions()).toEqual(['account_exported', 'signed_in']);
    clock.now += 2 * day;
    await cleanUp(context);
    expect(await actions()).toEqual(['account_exported']);
  });

  logic('replaces the signing keys, so that signed URLs and cookies of before are invalid', async () => {
    const service = await open();
    const { context } = service;
    const { account } = await addOwner(service, 'ann@example.com');
    const urlIn = async ({ context: { objects, now } }: TestService) => {
      const options = { expiresAt: now() + 1000, filename: 'a.mp4', contentType: 'video/mp4' };
      const { pathname, search } = new URL(await objects.signedUrl(`videos/rnd_${account.id}.mp4`, options));
      return pathname + search;
    };
    const old = await urlIn(service);
    expect((await service.app.request(old)).status).toBe(200);
    const before = await openSecrets(context.database);
    await rotateSigningKeys(context);
    const after = await openSecrets(context.database);
    for (const name of ['urlKey', 'cookieKeys', 'jwks'] as const) expect(after[name]).not.toEqual(before[name]);
    expect(after.urlKey).toHaveLength(32);
    const next = await again(service);
    expect((await next.app.request(old)).status).toBe(403);
    expect((await next.app.request(await urlIn(next))).status).toBe(200);
    expect((await service.app.request(old)).status).toBe(200);
  });
}

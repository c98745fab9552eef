// Tests of the service's storage with SQLite; those that depend on the database also run with PostgreSQL.
// It is longer than 400 lines because one list of tests runs on each database.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { RenderOrderInput } from '../../../cloud/service/api/apiSchemas.ts';
import { deleteAsset } from '../../../cloud/service/api/assets.ts';
import { deleteRender, getRender, listRenders, submitRender } from '../../../cloud/service/api/renderRequests.ts';
import {
  accountByEmail,
  addCredits,
  balanceOf,
  createAccount,
  newAccount,
  verifyPassword,
} from '../../../cloud/service/auth/accounts.ts';
import { accountOfKey, createApiKey, listApiKeys, revokeApiKey } from '../../../cloud/service/auth/apiKeys.ts';
import { openSecrets } from '../../../cloud/service/auth/secrets.ts';
import { createMailToken } from '../../../cloud/service/mail/mailTokens.ts';
import { addEntry } from '../../../cloud/service/queue/credits.ts';
import { cleanUp } from '../../../cloud/service/storage/retention.ts';
import type { WebhookDeliveryRow } from '../../../cloud/service/storage/tables.ts';
import type { OtherTest } from './databaseTests.ts';
import { projectZip, type TestService, testUser, upload } from './service.ts';
import { addRenders, renderRow } from './serviceDatabase.ts';

const order: RenderOrderInput = { project: { type: 'url', url: 'https://example.com/project.zip' } };
const hour = 60 * 60 * 1000;
const day = 24 * hour;

/**
 * `open` creates a service with an empty database; `again` another instance on the same database.
 * `logic` registers the tests of what does not depend on the kind of the database.
 */
export function storeTests(
  open: () => Promise<TestService>,
  again: (service: TestService) => Promise<TestService>,
  logic: OtherTest = test,
): void {
  const submit = ({ context }: TestService, accountId: string, key?: string, given: Partial<RenderOrderInput> = {}) =>
    submitRender(context, { accountId, key, order: { ...order, ...given } });

  test('returns consecutive pages, also for renders created at the same time', async () => {
    const service = await open();
    const { accountId } = await testUser(service.context);
    const other = await testUser(service.context);
    const ids: string[] = [];
    for (let count = 0; count < 25; count++) {
      if (count % 4 === 0) service.clock.now += 1000;
      ids.push((await submit(service, accountId)).result.render_id);
      await submit(service, other.accountId);
    }
    const seen: string[] = [];
    const sizes: number[] = [];
    let token: string | undefined;
    do {
      const page = await listRenders(service.context, accountId, { limit: 7, token });
      seen.push(...page.data.map(({ render_id }) => render_id));
      sizes.push(page.data.length);
      expect(page.has_more).toBe(page.next_token !== null);
      token = page.next_token ?? undefined;
    } while (token !== undefined);
    expect(sizes).toEqual([7, 7, 7, 4]);
    expect([...seen].sort()).toEqual([...ids].sort());
    const times = await Promise.all(
      seen.map(async (id) => (await getRender(service.context, accountId, id)).created_at),
    );
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('creates one render for 20 concurrent orders with the same key', async () => {
    const service = await open();
    const second = await again(service);
    const { accountId } = await testUser(service.context);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => submit(index % 2 ? service : second, accountId, 'order-1')),
    );
    expect(new Set(results.map(({ result }) => result.render_id)).size).toBe(1);
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await listRenders(service.context, accountId, {})).data).toHaveLength(1);
  });

  test('stores all concurrent orders of an account', async () => {
    const service = await open();
    const second = await again(service);
    const { accountId } = await testUser(service.context);
    await Promise.all(Array.from({ length: 40 }, (_, index) => submit(index % 2 ? service : second, accountId)));
    expect((await listRenders(second.context, accountId, { limit: 100 })).data).toHaveLength(40);
  });

  logic('applies an idempotency key to one request of one account for a day', async () => {
    const service = await open();
    const ann = await testUser(service.context);
    const ben = await testUser(service.context);
    const first = await submit(service, ann.accountId, 'k');
    expect(await submit(service, ann.accountId, 'k')).toEqual({ result: first.result, replayed: true });
    await expect(submit(service, ann.accountId, 'k', { title: 'x' })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
    expect((await submit(service, ben.accountId, 'k', { title: 'x' })).replayed).toBe(false);
    service.clock.now += day;
    const later = await submit(service, ann.accountId, 'k', { title: 'x' });
    expect(later.replayed).toBe(false);
    expect(later.result.render_id).not.toBe(first.result.render_id);
  });

  logic('does not use up the key of a rejected order', async () => {
    const service = await open();
    const { accountId } = await testUser(service.context, 0);
    await expect(submit(service, accountId, 'k')).rejects.toMatchObject({ code: 'insufficient_credits' });
    await addCredits(service.context.database, accountId, 5, 'paid', service.clock.now);
    expect((await submit(service, accountId, 'k')).replayed).toBe(false);
  });

  test('computes the balance from added, reserved and spent credits', async () => {
    const service = await open();
    const { database } = service.context;
    const { accountId } = await testUser(service.context, 10);
    const { result } = await submit(service, accountId);
    const hold = { account: accountId, render: result.render_id, kind: 'hold', credits: 10, now: 1 } as const;
    const holdOnce = () => database.transaction().execute((session) => addEntry(session, hold));
    await holdOnce();
    expect(await balanceOf(database, accountId)).toBe(0);
    await expect(submit(service, accountId)).rejects.toMatchObject({ code: 'insufficient_credits' });
    await expect(holdOnce()).rejects.toThrow(/unique/i);
    expect(await balanceOf(database, accountId)).toBe(0);
    await deleteRender(service.context, accountId, result.render_id);
    expect(await balanceOf(database, accountId)).toBe(10);
    await addCredits(database, accountId, 0.1, '', 2);
    await addCredits(database, accountId, 0.2, '', 3);
    expect(await balanceOf(database, accountId)).toBe(10.3);
  });

  test('never starts a deleted queued render, and leaves a running one to its worker', async () => {
    const service = await open();
    const { database } = service.context;
    const { accountId } = await testUser(service.context);
    const waits = (await submit(service, accountId)).result.render_id;
    const runs = (await submit(service, accountId)).result.render_id;
    await database.updateTable('renders').set({ status: 'rendering' }).where('id', '=', runs).execute();
    for (const id of [waits, runs]) await deleteRender(service.context, accountId, id);
    const rows = await database.selectFrom('renders').select(['id', 'status', 'deleted_at']).execute();
    const { now } = service.clock;
    expect(rows.sort((a, b) => a.status.localeCompare(b.status))).toEqual([
      { id: waits, status: 'failed', deleted_at: now },
      { id: runs, status: 'rendering', deleted_at: now },
    ]);
    await expect(deleteRender(service.context, accountId, waits)).rejects.toMatchObject({
      code: 'framework_render_not_found',
    });
  });

  logic('accepts passwords and keys only for their own account', async () => {
    const { context } = await open();
    const { database, now } = context;
    const input = { email: ' Ann@Example.com ', password: 'correct horse', credits: 5 };
    const account = await createAccount(database, await newAccount(input), now());
    expect([account.email, await balanceOf(database, account.id)]).toEqual(['ann@example.com', 5]);
    expect(await verifyPassword(database, 'ANN@example.com', 'correct horse')).toEqual(account);
    expect(await verifyPassword(database, 'ann@example.com', 'correct horsf')).toBeUndefined();
    expect(await verifyPassword(database, 'nobody@example.com', 'correct horse')).toBeUndefined();
    expect(await accountByEmail(database, 'ann@example.com')).toEqual(account);
    await expect(createAccount(database, await newAccount(input), 1)).rejects.toMatchObject({
      param: 'email',
    });
    await expect(newAccount({ ...input, email: 'ann' })).rejects.toMatchObject({ param: 'email' });
    await expect(newAccount({ ...input, password: 'short' })).rejects.toMatchObject({
      param: 'password',
    });
    const { key, info } = await createApiKey(database, { accountId: account.id, name: 'ci' }, 1000);
    expect(await accountOfKey(database, key, 2000)).toBe(account.id);
    expect(await accountOfKey(database, `${key}x`, 2000)).toBeUndefined();
    await accountOfKey(database, key, 61_000);
    expect(await listApiKeys(database, account.id)).toEqual([{ ...info, last_used_at: 2000 }]);
    await accountOfKey(database, key, 62_000);
    expect((await listApiKeys(database, account.id))[0]?.last_used_at).toBe(62_000);
    expect(await revokeApiKey(database, 'acc_other', info.id, 3000)).toBeUndefined();
    expect(await revokeApiKey(database, account.id, info.id, 3000)).toBe('ci');
    expect(await accountOfKey(database, key, 4000)).toBeUndefined();
    expect(JSON.stringify(await database.selectFrom('api_keys').selectAll().execute())).not.toContain(key);
  });

  test('shares secrets between instances, also if they start at the same time', async () => {
    const service = await open();
    const { database } = service.context;
    await database.deleteFrom('secrets').execute();
    const second = await again(service);
    const made = await Promise.all([
      openSecrets(database),
      openSecrets(second.context.database),
      openSecrets(database),
    ]);
    expect(made[1]).toEqual(made[0]);
    expect(made[2]).toEqual(made[0]);
    expect(made[0].urlKey).toHaveLength(32);
  });

  test('creates one asset for the same archive and key', async () => {
    const service = await open();
    const { accountId } = await testUser(service.context);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => upload(service.context, accountId, projectZip, 'upload-1')),
    );
    expect(new Set(results.map(({ result }) => result.asset_id)).size).toBe(1);
    expect(await service.context.database.selectFrom('assets').select('id').execute()).toHaveLength(1);
    const other = Buffer.from(projectZip.toString('latin1').replaceAll('index', 'other'), 'latin1');
    await expect(upload(service.context, accountId, other, 'upload-1')).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
    expect(await service.context.database.selectFrom('assets').select('id').execute()).toHaveLength(1);
  });

  logic('stores an archive again under its key after its asset was deleted', async () => {
    const { context } = await open();
    const { accountId } = await testUser(context);
    const other = (await upload(context, accountId, projectZip, 'upload-2')).result.asset_id;
    const first = (await upload(context, accountId, projectZip, 'upload-1')).result.asset_id;
    await deleteAsset(context, accountId, first);
    const again = await upload(context, accountId, projectZip, 'upload-1');
    expect(again).toMatchObject({ replayed: false });
    expect(await context.objects.size(`assets/${again.result.asset_id}.zip`)).toBe(projectZip.length);
    expect(await upload(context, accountId, projectZip, 'upload-1')).toEqual({ ...again, replayed: true });
    expect((await upload(context, accountId, projectZip, 'upload-2')).result.asset_id).toBe(other);
  });

  logic('stores an archive again under its key after retention has removed its asset', async () => {
    const { context, clock } = await open();
    const { accountId } = await testUser(context);
    const { result } = await upload(context, accountId, projectZip, 'upload-1');
    // The key is as old as the end of the upload, the asset as its start.
    await context.database
      .updateTable('assets')
      .set({ created_at: clock.now - 60_000 })
      .execute();
    clock.now += day - 30_000;
    await cleanUp(context);
    const again = await upload(context, accountId, projectZip, 'upload-1');
    expect(again.replayed).toBe(false);
    expect(again.result.asset_id).not.toBe(result.asset_id);
  });

  test('deletes only unused data in retention', async () => {
    const service = await open();
    const { context, clock } = service;
    const { database, objects } = context;
    const { accountId } = await testUser(context);
    const asset = async () => (await upload(context, accountId)).result.asset_id;
    const [unused, once, waiting, recent] = [await asset(), await asset(), await asset(), await asset()];
    const renderOf = async (asset_id: string) =>
      (await submit(service, accountId, undefined, { project: { type: 'asset_id', asset_id } })).result.render_id;
    const done = async (id: string) => {
      const key = `videos/${id}.mp4`;
      await objects.put(key, Readable.from(['video']), { contentType: 'video/mp4' });
      const row = { status: 'completed' as const, completed_at: clock.now, video_key: key, variables: '{"a":1}' };
      await database.updateTable('renders').set(row).where('id', '=', id).execute();
      return key;
    };
    await renderOf(waiting);
    await database
      .updateTable('renders')
      .set({ status: 'failed' })
      .where('id', '=', await renderOf(once))
      .execute();
    const oldVideo = await done(await renderOf(recent));
    const deletedId = await renderOf(recent);
    const deletedVideo = await done(deletedId);
    const left = async () => {
      const keys = {
        ...{ unused: `assets/${unused}.zip`, once: `assets/${once}.zip`, waiting: `assets/${waiting}.zip` },
        ...{ recent: `assets/${recent}.zip`, oldVideo, deletedVideo },
        ...(newVideo === undefined ? {} : { newVideo }),
      };
      const sizes = await Promise.all(
        Object.entries(keys).map(async ([name, key]) => [name, await objects.size(key)] as const),
      );
      return sizes.filter(([, size]) => size !== undefined).map(([name]) => name);
    };
    let newVideo: string | undefined;
    clock.now += day - hour;
    await cleanUp(context);
    expect(await left()).toEqual(['unused', 'once', 'waiting', 'recent', 'oldVideo', 'deletedVideo']);
    // A day without a render.
    clock.now += hour;
    await cleanUp(context);
    await expect(renderOf(unused)).rejects.toMatchObject({ param: 'project.asset_id' });
    clock.now += 3 * hour;
    await cleanUp(context);
    expect(await left()).toEqual(['once', 'waiting', 'recent', 'oldVideo', 'deletedVideo']);
    clock.now += 28 * day - 3 * hour;
    const newId = await renderOf(recent);
    newVideo = await done(newId);
    await deleteRender(context, accountId, deletedId);
    // Deleted at once.
    expect(await left()).toEqual(['once', 'waiting', 'recent', 'oldVideo', 'newVideo']);
    clock.now += 2 * day;
    await cleanUp(context);
    expect(await left()).toEqual(['once', 'waiting', 'recent', 'newVideo']);
    clock.now += 3 * hour;
    await cleanUp(context);
    expect(await left()).toEqual(['waiting', 'recent', 'newVideo']);
    await expect(renderOf(once)).rejects.toMatchObject({ param: 'project.asset_id' });
    const deleted = await database.selectFrom('renders').selectAll().where('id', '=', deletedId).executeTakeFirst();
    expect(deleted).toMatchObject({ variables: '{}', video_key: null });
    expect((await getRender(context, accountId, newId)).video_url).not.toBeNull();
  });

  logic('deletes everything else in retention when files cannot be deleted, and those in a later round', async () => {
    const service = await open();
    const { context, clock, logged } = service;
    const { database } = context;
    const { accountId } = await testUser(context);
    const row = { account_id: accountId, sha256: '', size_bytes: 1, used_at: null, variables: null };
    const times = { created_at: clock.now, deleted_at: clock.now };
    // More than one batch.
    const locked = Array.from({ length: 201 }, (_, at) => `ast_a${at}`);
    for (const id of [...locked, 'ast_b'])
      await database
        .insertInto('assets')
        .values({ id, object_key: `assets/${id}.zip`, ...row, ...times })
        .execute();
    await database
      .insertInto('sessions')
      .values({ hash: 'h', account_id: accountId, created_at: clock.now, expires_at: clock.now + 1 })
      .execute();
    clock.now += day;
    const remove = async (key: string) => {
      if (key !== 'assets/ast_b.zip') throw new Error('AccessDenied');
    };
    const left = async () =>
      (await database.selectFrom('assets').select('id').where('object_key', '!=', '').execute()).map(({ id }) => id);
    await cleanUp({ ...context, objects: { ...context.objects, delete: remove } });
    expect((await left()).sort()).toEqual([...locked].sort());
    expect(await database.selectFrom('sessions').selectAll().execute()).toEqual([]);
    const failed = { level: 'error', message: 'retention failed', what: 'ast_a7', error: 'Error: AccessDenied' };
    expect(logged).toContainEqual(failed);
    await cleanUp(context);
    expect(await left()).toEqual([]);
  });

  logic('does the other steps of retention when one fails', async () => {
    const { context, clock, logged } = await open();
    const { database } = context;
    const { accountId } = await testUser(context);
    const link = { kind: 'reset', email: 'ann@example.com', name: null, account_id: accountId } as const;
    await createMailToken(database, link, clock.now);
    await database.schema.dropTable('sessions').execute();
    clock.now += day;
    await cleanUp(context);
    expect(await database.selectFrom('mail_tokens').selectAll().execute()).toEqual([]);
    expect(logged).toContainEqual(expect.objectContaining({ message: 'retention failed', what: 'sessions' }));
  });

  logic('deletes any number of old webhooks in one round of retention', async () => {
    const service = await open();
    const { database } = service.context;
    const { accountId } = await testUser(service.context);
    const ids = Array.from({ length: 450 }, (_, at) => `rnd_${at}`);
    await addRenders(database, ...ids.map((id) => renderRow(id, { account_id: accountId, status: 'completed' })));
    const webhook = { account_id: accountId, url: 'https://example.com/', target: 'example.com:443' };
    const state = { status: 'delivered', attempts: 1, next_attempt_at: null, lease_owner: null } as const;
    const times = { lease_expires_at: null, created_at: service.clock.now };
    const type = 'render.completed' as const;
    const rows = ids.map((id) => ({ id: `whd_${id}`, render_id: id, type, ...webhook, ...state, ...times }));
    await database.insertInto('webhook_deliveries').values(rows).execute();
    service.clock.now += 31 * day;
    await cleanUp(service.context);
    expect(await database.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  });

  logic('deletes webhooks with their attempts in retention, except undelivered ones', async () => {
    const service = await open();
    const { context, clock } = service;
    const { database } = context;
    const { accountId } = await testUser(context);
    const delivery = async (status: WebhookDeliveryRow['status']) => {
      const { render_id } = (await submit(service, accountId)).result;
      const id = `whd_${render_id}`;
      const target = { url: 'https://example.com/', target: 'example.com:443', type: 'render.completed' as const };
      const lease = { next_attempt_at: null, lease_owner: null, lease_expires_at: null };
      const made = { attempts: 1, created_at: clock.now };
      await database
        .insertInto('webhook_deliveries')
        .values({ id, account_id: accountId, render_id, status, ...target, ...lease, ...made })
        .execute();
      await database
        .insertInto('webhook_attempts')
        .values({
          id: `wha_${render_id}`,
          delivery_id: id,
          at: clock.now,
          status_code: 200,
          error: null,
          duration_ms: 1,
        })
        .execute();
      return id;
    };
    const [, pending] = [await delivery('delivered'), await delivery('pending'), await delivery('failed')];
    clock.now += 31 * day;
    const recent = await delivery('delivered');
    await cleanUp(context);
    const kept = await database.selectFrom('webhook_deliveries').select('id').execute();
    expect(kept.map(({ id }) => id).sort()).toEqual([pending, recent].sort());
    const attempts = await database.selectFrom('webhook_attempts').select('delivery_id').execute();
    expect(attempts.map(({ delivery_id: id }) => id).sort()).toEqual([pending, recent].sort());
  });
}

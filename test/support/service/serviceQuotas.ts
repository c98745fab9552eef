// Tests of quotas and of the totals on an account's row, with SQLite; those that depend on the database also run with PostgreSQL.
// It is longer than 400 lines because one list of tests runs on each database.

import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../cloud/service/api/apiErrors.ts';
import { createAsset, deleteAsset } from '../../../cloud/service/api/assets.ts';
import { useOf } from '../../../cloud/service/api/quotas.ts';
import { deleteRender, submitRender } from '../../../cloud/service/api/renderRequests.ts';
import { addCredits } from '../../../cloud/service/auth/accounts.ts';
import type { ServiceContext } from '../../../cloud/service/context.ts';
import { completeRender, failRender } from '../../../cloud/service/queue/completeRender.ts';
import { holdCredits } from '../../../cloud/service/queue/credits.ts';
import type { Lease } from '../../../cloud/service/queue/leases.ts';
import type { Quotas, ServiceSettings } from '../../../cloud/service/settings.ts';
import { newId } from '../../../cloud/service/storage/ids.ts';
import { deleteOldData } from '../../../cloud/service/storage/retention.ts';
import type { Database } from '../../../cloud/service/storage/tables.ts';
import { makeZip } from '../makeZip.ts';
import type { OtherTest } from './databaseTests.ts';
import { type TestService, upload, uploadForm } from './service.ts';
import { addAccount } from './serviceDatabase.ts';

const hour = 60 * 60 * 1000;
/** Large enough that the rest of a form does not matter. */
const archive = makeZip([{ name: 'index.html', data: Buffer.alloc(100_000, 'a page '), method: 0 }]);
const formBytes = uploadForm(archive).bytes.length;

type Given = Partial<Omit<ServiceSettings, 'quotas'>> & { quotas?: Partial<Quotas>; freeBytes?: () => Promise<number> };

/**
 * `open` creates a service with an empty database; `again` another instance with the same settings and database.
 * `logic` registers the tests of what does not depend on the kind of the database.
 */
export function quotaTests(
  open: (given: Given) => Promise<TestService>,
  again: (service: TestService) => Promise<TestService>,
  logic: OtherTest = test,
): void {
  const pair = async (given: Given = {}) => {
    const service = await open(given);
    const second = await again(service);
    const account = newId('acc').toLowerCase();
    await addAccount(service.context.database, account, 100);
    return { service, second, account, context: service.context };
  };

  const submit = (context: ServiceContext, accountId: string, asset_id?: string, key?: string) => {
    const project =
      asset_id === undefined
        ? { type: 'url' as const, url: 'https://example.com/p.zip' }
        : { type: 'asset_id' as const, asset_id };
    return submitRender(context, { accountId, key, order: { project } });
  };

  test('stores no more bytes than the quota, also in parallel uploads to two instances', async () => {
    const { service, second, account } = await pair({ quotas: { storedBytes: 3 * formBytes } });
    const uploads = Array.from({ length: 8 }, (_, index) =>
      upload((index % 2 ? service : second).context, account, archive),
    );
    const results = await Promise.allSettled(uploads);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'quota_exceeded' });
    expect(await use(service, account)).toMatchObject({
      stored_bytes: { used: 3 * archive.length, limit: 3 * formBytes },
      uploads: { used: 0 },
    });
  });

  logic('counts uploads in progress, with what they may store', async () => {
    const { service, second, account } = await pair({ quotas: { uploads: 2 } });
    const [first, other] = [beginUpload(service, account), beginUpload(second, account)];
    await reservations(service, 2);
    expect(await use(service, account)).toMatchObject({
      stored_bytes: { used: 2 * formBytes },
      uploads: { used: 2, limit: 2 },
    });
    await expect(upload(service.context, account, archive)).rejects.toMatchObject({
      code: 'quota_exceeded',
      status: 429,
      retryAfter: 5,
      message: '2 uploads of this account are in progress, and there must not be more. Wait until one has ended.',
    });
    await first.finish();
    await upload(service.context, account, archive);
    await other.finish();
    expect(await use(service, account)).toMatchObject({
      stored_bytes: { used: 3 * archive.length },
      uploads: { used: 0 },
    });
  });

  logic('releases the uploads of a process that was killed', async () => {
    const { service, account } = await pair({ quotas: { uploads: 1 } });
    const lost = beginUpload(service, account);
    await reservations(service, 1);
    await expect(upload(service.context, account, archive)).rejects.toMatchObject({ code: 'quota_exceeded' });
    service.clock.now += 2 * 60_000;
    await upload(service.context, account, archive);
    expect(await use(service, account)).toMatchObject({ stored_bytes: { used: archive.length } });
    const abandoned = beginUpload(service, account);
    await reservations(service, 1);
    service.clock.now += 2 * 60_000;
    await deleteOldData(service.context);
    expect(await use(service, account)).toMatchObject({ stored_bytes: { used: archive.length } });
    // Uploads that end later than expected are stored and counted like others.
    await Promise.all([lost.finish(), abandoned.finish()]);
    expect(await use(service, account)).toMatchObject({ stored_bytes: { used: 3 * archive.length } });
  });

  test('lets only one of two parallel uploads have the last free bytes of the disk', async () => {
    // An upload is on the disk twice until it is stored.
    const free = async () => 1000 + 3 * formBytes;
    const { service, second, account } = await pair({ reservedDiskBytes: 1000, freeBytes: free });
    await addAccount(service.context.database, 'other');
    const uploads = [beginUpload(service, account), beginUpload(second, 'other')];
    const refused = await Promise.any(
      uploads.map(({ done }) =>
        done.then(
          () => Promise.reject(),
          (error) => error,
        ),
      ),
    );
    expect(refused).toMatchObject({ code: 'insufficient_storage', status: 507 });
    const rows = await service.context.database.selectFrom('uploads').select('account_id').execute();
    expect(rows).toHaveLength(1);
    const results = await Promise.allSettled(uploads.map(({ finish }) => finish()));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await upload(service.context, 'other', archive);
  });

  logic('rejects uploads and renders while the disk has only its reserve', async () => {
    let free = 1000;
    const { context, account } = await pair({ reservedDiskBytes: 1001, freeBytes: async () => free });
    await expect(upload(context, account, archive)).rejects.toMatchObject({ code: 'insufficient_storage' });
    await expect(submit(context, account)).rejects.toMatchObject({ code: 'insufficient_storage' });
    free = 1001;
    await submit(context, account);
  });

  test('limits queued and running renders, also in parallel requests', async () => {
    const { service, second, account, context } = await pair({ quotas: { renders: 5 } });
    const orders = Array.from({ length: 12 }, (_, index) => submit((index % 2 ? service : second).context, account));
    const results = await Promise.allSettled(orders);
    const accepted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.result] : []));
    expect(accepted).toHaveLength(5);
    await expect(submit(context, account)).rejects.toMatchObject({
      code: 'quota_exceeded',
      retryAfter: undefined,
      message:
        'The account has 5 queued and running renders, and must not have more. Wait until some have ended, or delete some with DELETE /v3/framework/renders/{id}.',
    });
    const [one, two] = accepted.map(({ render_id }) => render_id);
    await context.database
      .updateTable('renders')
      .set({ status: 'rendering' })
      .where('id', '=', two ?? '')
      .execute();
    await expect(submit(context, account)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await deleteRender(context, account, one ?? '');
    expect(await use(service, account)).toMatchObject({ renders: { used: 4, limit: 5 } });
    await submit(context, account);
  });

  logic('accepts no renders of an account whose storage is full, until it has deleted something', async () => {
    const { service, account, context } = await pair({ quotas: { storedBytes: formBytes } });
    const { asset_id } = (await upload(context, account, archive)).result;
    await context.database.updateTable('accounts').set({ stored_bytes: formBytes }).where('id', '=', account).execute();
    await expect(submit(context, account, asset_id)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message:
        'The account stores 1 MB of at most 1 MB. Delete renders with DELETE /v3/framework/renders/{id}, or projects with DELETE /v3/assets/{id}.',
    });
    await expect(upload(context, account, archive)).rejects.toMatchObject({
      message: expect.stringContaining(
        'The account stores 1 MB of at most 1 MB, and this upload may have 1 MB. Delete',
      ),
    });
    await deleteAsset(context, account, asset_id);
    expect(await use(service, account)).toMatchObject({ stored_bytes: { used: formBytes - archive.length } });
    await submit(context, account);
  });

  logic('repeats the response of a stored upload and an accepted render when the account is full', async () => {
    const { context, account } = await pair({ quotas: { storedBytes: formBytes, renders: 1 } });
    const first = await upload(context, account, archive, 'upload-1');
    expect(await upload(context, account, archive, 'upload-1')).toEqual({ result: first.result, replayed: true });
    await expect(upload(context, account, archive, 'upload-2')).rejects.toMatchObject({ code: 'quota_exceeded' });
    const order = await submit(context, account, undefined, 'order-1');
    expect(await submit(context, account, undefined, 'order-1')).toEqual({ result: order.result, replayed: true });
  });

  logic('deletes an asset only if no queued or running render needs it', async () => {
    const { context, account } = await pair();
    const { asset_id } = (await upload(context, account, archive)).result;
    const { render_id } = (await submit(context, account, asset_id)).result;
    for (const status of ['queued', 'rendering'] as const) {
      await context.database.updateTable('renders').set({ status }).where('id', '=', render_id).execute();
      await expect(deleteAsset(context, account, asset_id)).rejects.toMatchObject({
        code: 'asset_in_use',
        status: 409,
        message: `Asset ${asset_id} is needed by the render ${render_id}. Wait until it has ended, or delete the render first.`,
      });
    }
    await context.database.updateTable('renders').set({ status: 'completed' }).where('id', '=', render_id).execute();
    await expect(deleteAsset(context, 'acc_other', asset_id)).rejects.toMatchObject({ code: 'not_found' });
    await deleteAsset(context, account, asset_id);
    expect(await context.objects.size(`assets/${asset_id}.zip`)).toBeUndefined();
    await expect(deleteAsset(context, account, asset_id)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await expect(submit(context, account, asset_id)).rejects.toMatchObject({ param: 'project.asset_id' });
  });

  test('either deletes an asset or accepts its render, if both are requested at once', async () => {
    const { service, second, account } = await pair();
    for (let round = 0; round < 10; round++) {
      const { asset_id } = (await upload(service.context, account, archive)).result;
      const [deleted, ordered] = await Promise.allSettled([
        deleteAsset(service.context, account, asset_id),
        submit(second.context, account, asset_id),
      ]);
      expect([deleted.status, ordered.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('keeps totals that are the sums of their rows, after any sequence of parallel operations', async () => {
    const { service, second } = await pair({ retentionDays: 3 });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (rounds) => {
        const account = `acc_${++runs}`;
        await addAccount(service.context.database, account, 20);
        const state: State = { account, leases: [] };
        for (const round of rounds) {
          const results = await Promise.allSettled(
            round.map((each, index) => perform((index % 2 ? service : second).context, state, each)),
          );
          // Many steps are not possible, such as to delete an asset in use. Other errors are mistakes.
          for (const result of results)
            if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ApiError);
          if (round.some(({ kind }) => kind === 'pass a day')) second.clock.now = service.clock.now += 25 * hour;
          expect(await totals(service.context.database)).toEqual(await sums(service.context.database));
        }
      }),
      { numRuns: 25 },
    );
  });
}

async function use({ context }: TestService, id: string) {
  const account = await context.database
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return useOf(context, account);
}

/** An upload of which only a part arrives before `finish`. */
function beginUpload({ context }: TestService, accountId: string) {
  const { bytes, headers } = uploadForm(archive);
  const body = new PassThrough();
  body.write(bytes.subarray(0, 50_000));
  const done = createAsset(context, { accountId, key: undefined, headers, body });
  // It may be rejected before the test looks at it.
  done.catch(() => undefined);
  return {
    done,
    finish: () => {
      body.end(bytes.subarray(50_000));
      return done;
    },
  };
}

/** Waits until this number of uploads has a reservation. */
async function reservations({ context }: TestService, count: number): Promise<void> {
  const rows = () => context.database.selectFrom('uploads').select('id').execute();
  await vi.waitFor(async () => expect(await rows()).toHaveLength(count));
}

const kinds = [
  ...(['add credits', 'upload', 'upload', 'submit', 'submit', 'submit', 'begin', 'begin', 'complete', 'fail'] as const),
  ...(['put back', 'delete a render', 'delete an asset', 'clean up', 'pass a day'] as const),
];
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(99),
  amount: fc.integer({ min: 1, max: 99_999 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type State = { account: string; leases: (Lease & { credits: number })[] };

/** Does one step, on a row of the account that `pick` selects. Does nothing if there is no such row. */
async function perform(context: ServiceContext, state: State, { kind, pick, amount }: Step): Promise<unknown> {
  const { database, now } = context;
  const { account, leases } = state;
  const pickId = async (table: 'assets' | 'renders', status?: 'queued'): Promise<string | undefined> => {
    const rows =
      table === 'assets'
        ? await database.selectFrom('assets').select('id').where('account_id', '=', account).orderBy('id').execute()
        : await database
            .selectFrom('renders')
            .select('id')
            .where('account_id', '=', account)
            .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'queued'))
            .orderBy('id')
            .execute();
    return rows[pick % Math.max(1, rows.length)]?.id;
  };
  switch (kind) {
    case 'add credits':
      return addCredits(database, account, (amount - 30_000) / 10_000, '', now());
    case 'upload':
      return upload(context, account, archive, pick < 20 ? `key-${pick}` : undefined);
    case 'submit': {
      const asset_id = pick % 3 === 0 ? undefined : await pickId('assets');
      const url = 'https://example.com/p.zip';
      const project = asset_id === undefined ? { type: 'url' as const, url } : { type: 'asset_id' as const, asset_id };
      return submitRender(context, { accountId: account, key: undefined, order: { project } });
    }
    case 'begin': {
      const lease = await take(database, await pickId('renders', 'queued'));
      if (!lease) return;
      const credits = (1 + (amount % 1000)) / 100;
      const held = await holdCredits(database, lease, credits, now());
      if (held.kind === 'held') leases.push({ ...lease, credits });
      return;
    }
    case 'complete': {
      const [lease] = leases.splice(pick % Math.max(1, leases.length), 1);
      if (!lease) return;
      const files = { video_key: `videos/${lease.render.id}.mp4`, video_bytes: amount, thumbnail_key: null };
      const facts = { duration: 1, fps: 30, aspect_ratio: '16:9', resolution: '1080p', engine: '{}', warnings: '[]' };
      return completeRender(database, lease, { ...files, ...facts, credits: lease.credits }, now());
    }
    case 'fail': {
      const [lease] = leases.splice(pick % Math.max(1, leases.length), 1);
      return lease && failRender(database, lease, { code: 'internal_error', message: '' }, now());
    }
    case 'put back': {
      const [lease] = leases.splice(pick % Math.max(1, leases.length), 1);
      return lease && putBack(database, lease);
    }
    case 'delete a render':
      return deleteRender(context, account, (await pickId('renders')) ?? '');
    case 'delete an asset':
      return deleteAsset(context, account, (await pickId('assets')) ?? '');
    case 'clean up':
      return deleteOldData(context);
    // The clock is moved after the round, for all of its steps at once.
    case 'pass a day':
      return;
  }
}

async function take(database: Database, id: string | undefined): Promise<Lease | undefined> {
  const owner = newId('led');
  const render = await database
    .updateTable('renders')
    .set({ status: 'rendering', lease_owner: owner })
    .where('id', '=', id ?? '')
    .where('status', '=', 'queued')
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return render && { render, owner };
}

async function putBack(database: Database, { render, owner }: Lease): Promise<void> {
  await database
    .updateTable('renders')
    .set({ status: 'queued', lease_owner: null })
    .where('id', '=', render.id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'rendering')
    .execute();
}

type Totals = Record<string, { balance: number; stored_bytes: number }>;

async function totals(database: Database): Promise<Totals> {
  const rows = await database.selectFrom('accounts').select(['id', 'balance', 'stored_bytes']).execute();
  return Object.fromEntries(rows.map(({ id, ...rest }) => [id, rest]));
}

/** The same, from the rows that they sum up. */
async function sums(database: Database): Promise<Totals> {
  const accounts = await database.selectFrom('accounts').select('id').execute();
  const all: Totals = Object.fromEntries(accounts.map(({ id }) => [id, { balance: 0, stored_bytes: 0 }]));
  const add = (id: string, name: keyof Totals[string], amount: number) => {
    const account = all[id];
    if (account) account[name] += amount;
  };
  for (const { account_id, amount } of await database.selectFrom('ledger').selectAll().execute())
    add(account_id, 'balance', Math.round(amount * 10_000));
  for (const { account_id, size_bytes, deleted_at } of await database.selectFrom('assets').selectAll().execute())
    if (deleted_at === null) add(account_id, 'stored_bytes', size_bytes);
  for (const row of await database.selectFrom('renders').selectAll().execute())
    if (row.video_key !== null && row.deleted_at === null) add(row.account_id, 'stored_bytes', row.video_bytes ?? 0);
  for (const { account_id, bytes } of await database.selectFrom('uploads').selectAll().execute())
    add(account_id, 'stored_bytes', bytes);
  return all;
}

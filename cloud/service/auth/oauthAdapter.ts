// Stores the codes, tokens and grants of the OAuth server in `oauth_records`. IDs are stored as hashes, so that a copy
// of the database does not contain usable tokens.

import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { ServiceContext } from '../context.ts';
import { secretHash } from '../storage/ids.ts';
import type { LimitCount, OpenLimitCounts } from '../storage/limitCounts.ts';
import type { Database, OauthRecordRow, Session } from '../storage/tables.ts';

type AdapterContext = Pick<ServiceContext, 'database' | 'openCounts' | 'now'>;

/** Returns the adapter for a model of the OAuth server: `AccessToken`, `Grant`, `AuthorizationCode`, … */
export function oauthAdapter(context: AdapterContext): (model: string) => Adapter {
  const { database, now } = context;
  const polls = createDevicePolls(context);
  return (model) => {
    // The OAuth server needs its own browser session only within one request. Web sign-ins are stored in `sessions`.
    if (model === 'Session') return nullAdapter;
    const records = recordAdapter(database, now, model);
    return model === 'DeviceCode' ? slowedDown(records, polls) : records;
  };
}

/** The library looks up a device code only when its device polls. Throws `slow_down` if that is too soon. */
function slowedDown(records: Adapter, polls: DevicePolls): Adapter {
  return {
    ...records,
    async find(id) {
      const code = await records.find(id);
      // A decision is reported at once.
      const isPending = code && code.accountId === undefined && code.error === undefined;
      if (isPending && (await polls.isTooSoon(id))) throw new errors.SlowDown();
      return code;
    },
  };
}

const nullAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function recordAdapter(database: Database, now: () => number, model: string): Adapter {
  return {
    async upsert(id, payload, expiresIn) {
      await write(database, model, id, payload, expiresIn > 0 ? now() + expiresIn * 1000 : null);
    },

    async find(id) {
      const record = await findRecord(database, model, id);
      return record === undefined ? undefined : payloadOf(record, id);
    },

    // Not used: tokens do not end with a session, and the device page looks up user codes itself.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,

    async consume(id) {
      const { numUpdatedRows } = await database
        .updateTable('oauth_records')
        .set({ consumed_at: now() })
        .where('model', '=', model)
        .where('id', '=', secretHash(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) await rejectSecondUse(database, model, id);
    },

    async destroy(id) {
      await database.deleteFrom('oauth_records').where('model', '=', model).where('id', '=', secretHash(id)).execute();
    },

    async revokeByGrantId(grantId) {
      await database.deleteFrom('oauth_records').where('model', '=', model).where('grant_id', '=', grantId).execute();
    },
  };
}

/** If a code or token is used twice, its grant is revoked, which also ends the tokens of the first use. */
async function rejectSecondUse(database: Database, model: string, id: string): Promise<never> {
  const record = await findRecord(database, model, id);
  if (record?.grant_id != null) await revokeGrant(database, record.grant_id);
  throw new errors.InvalidGrant('already used');
}

/**
 * Deletes a grant with its codes and tokens. Tokens that are written later under this grant are invalid: see
 * `accountOf`.
 */
export async function revokeGrant(session: Session, grantId: string): Promise<void> {
  await session
    .deleteFrom('oauth_records')
    .where('model', '=', 'Grant')
    .where('id', '=', secretHash(grantId))
    .execute();
  await session.deleteFrom('oauth_records').where('grant_id', '=', grantId).execute();
}

/**
 * Extends a grant to the lifetime of its newest refresh token. Only updates an existing row, so that a grant that is
 * being revoked does not come back.
 */
export async function extendGrant(session: Session, grantId: string, expiresAt: number): Promise<void> {
  const record = await findRecord(session, 'Grant', grantId);
  if (record === undefined) return;
  const payload = { ...(JSON.parse(record.payload) as AdapterPayload), exp: Math.floor(expiresAt / 1000) };
  await session
    .updateTable('oauth_records')
    .set({ payload: JSON.stringify(payload), expires_at: expiresAt })
    .where('model', '=', 'Grant')
    .where('id', '=', record.id)
    .execute();
}

export async function findRecord(session: Session, model: string, id: string): Promise<OauthRecordRow | undefined> {
  return session
    .selectFrom('oauth_records')
    .selectAll()
    .where('model', '=', model)
    .where('id', '=', secretHash(id))
    .executeTakeFirst();
}

async function write(
  session: Session,
  model: string,
  id: string,
  { jti: _, ...payload }: AdapterPayload,
  expiresAt: number | null,
): Promise<void> {
  const changing = { payload: JSON.stringify(payload), expires_at: expiresAt };
  await session
    .insertInto('oauth_records')
    .values({
      model,
      id: secretHash(id),
      grant_id: payload.grantId ?? null,
      user_code: payload.userCode ?? null,
      // The owner of a grant, for the list of signed-in programs.
      uid: model === 'Grant' ? (payload.accountId ?? null) : null,
      consumed_at: null,
      ...changing,
    })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(changing))
    .execute();
}

function payloadOf(record: OauthRecordRow, id: string): AdapterPayload {
  return {
    ...(JSON.parse(record.payload) as AdapterPayload),
    jti: id,
    ...(record.consumed_at === null ? {} : { consumed: Math.floor(record.consumed_at / 1000) }),
  };
}

type DevicePolls = {
  /** Counts a poll. Returns whether the device has not waited; it must then wait longer each time. */
  isTooSoon(device: string): Promise<boolean>;
};

/** In milliseconds: the interval of a client that gets none from the server, and its increase. */
const firstInterval = 5_000;
const increase = 5_000;
/** Requests of a client that waits correctly can arrive a little closer to each other. */
const tolerance = 1_000;

function createDevicePolls({ openCounts, now }: { openCounts: OpenLimitCounts; now(): number }): DevicePolls {
  const counts = openCounts('device polls');
  return { isTooSoon: (device) => counts.change(device, (count) => pollOnce(count, now())) };
}

function pollOnce(count: LimitCount | undefined, time: number): [LimitCount, boolean] {
  const isTooSoon = count !== undefined && time < count.freeAt;
  const failures = (count?.failures ?? 0) + (isTooSoon ? 1 : 0);
  const freeAt = time + firstInterval + failures * increase - tolerance;
  return [{ failures, freeAt, last: time }, isTooSoon];
}

// Where the OAuth server keeps codes, tokens and grants: rows of `oauth_records`, whose ids are hashes, so that nobody who
// reads the database can use what is in it.

import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { secretHash } from './ids.ts';
import type { Database, OauthRecordRow, Session } from './tables.ts';

/** One for each model of the OAuth server: `AccessToken`, `Grant`, `AuthorizationCode`, … */
export function oauthAdapter(database: Database, now: () => number): (model: string) => Adapter {
  // The OAuth server's own browser session is only needed within one request: who is signed in is in `sessions`.
  return (model) => (model === 'Session' ? forgetful : recordAdapter(database, now, model));
}

const forgetful: Adapter = {
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

    // Neither is asked for: tokens do not end with a session, and the device page looks up user codes itself.
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
      if (numUpdatedRows === 0n) await refuseSecondUse(database, model, id);
    },

    async destroy(id) {
      await database.deleteFrom('oauth_records').where('model', '=', model).where('id', '=', secretHash(id)).execute();
    },

    async revokeByGrantId(grantId) {
      await database.deleteFrom('oauth_records').where('model', '=', model).where('grant_id', '=', grantId).execute();
    },
  };
}

/** Of two requests with one code or token, the one that comes second ends what the first was given, too. */
async function refuseSecondUse(database: Database, model: string, id: string): Promise<never> {
  const record = await findRecord(database, model, id);
  if (record?.grant_id != null) await revokeGrant(database, record.grant_id);
  throw new errors.InvalidGrant('already used');
}

/** Ends a grant, with its codes and tokens. What is written under it afterwards is not valid either: see `accountOf`. */
export async function revokeGrant(session: Session, grantId: string): Promise<void> {
  await session
    .deleteFrom('oauth_records')
    .where('model', '=', 'Grant')
    .where('id', '=', secretHash(grantId))
    .execute();
  await session.deleteFrom('oauth_records').where('grant_id', '=', grantId).execute();
}

/**
 * A grant lives as long as its newest refresh token. Only what is there is changed: a grant that was revoked at this
 * moment does not come back.
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
      // Whose grant it is, to be listed by.
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

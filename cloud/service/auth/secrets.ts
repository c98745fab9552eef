// The service's own keys: created at the first start, stored in the database, shared by all instances.
import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { ServiceSecrets } from '../context.ts';
import type { Database } from '../storage/tables.ts';
import { type AuditContext, audited } from './auditLog.ts';

/** If several instances start at once, one of them writes the secrets and all read the same ones. */
export async function openSecrets(database: Database): Promise<ServiceSecrets> {
  const [urlKey, cookieKeys, jwks] = await Promise.all([
    readOrCreate(database, 'urlKey'),
    readOrCreate(database, 'cookieKeys'),
    readOrCreate(database, 'jwks'),
  ]);
  return { urlKey: Buffer.from(urlKey, 'base64'), cookieKeys: JSON.parse(cookieKeys), jwks: JSON.parse(jwks) };
}

type SecretName = keyof ServiceSecrets;

const create: Record<SecretName, () => string | Promise<string>> = {
  urlKey: () => randomBytes(32).toString('base64'),
  cookieKeys: () => JSON.stringify([randomBytes(32).toString('base64url')]),
  jwks: createJwks,
};

/** A new value for each secret, as it is stored. */
async function newSecrets(): Promise<Record<SecretName, string>> {
  return { urlKey: await create.urlKey(), cookieKeys: await create.cookieKeys(), jwks: await create.jwks() };
}

/**
 * Replaces the keys that sign URLs of files, cookies and tokens. There is no time in which both are valid, because the
 * reason may be that the old keys are known to others. Services read them when they start.
 */
export async function rotateSigningKeys(context: AuditContext): Promise<void> {
  const secrets = await newSecrets();
  await audited(
    context,
    async (session) => {
      for (const [name, value] of Object.entries(secrets)) {
        await session
          .insertInto('secrets')
          .values({ name, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute();
      }
    },
    () => ({ accountId: null, actor: 'operator', address: null, action: 'signing_keys_rotated' }),
  );
}

async function readOrCreate(database: Database, name: SecretName): Promise<string> {
  const find = () => database.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  const found = await find();
  if (found) return found.value;
  await database
    .insertInto('secrets')
    .values({ name, value: await create[name]() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await find();
  if (!stored) throw new Error(`the secret ${name} could not be stored`);
  return stored.value;
}

async function createJwks(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ format: 'jwk' });
  return JSON.stringify({ keys: [{ ...key, kid: randomBytes(8).toString('base64url'), use: 'sig', alg: 'ES256' }] });
}

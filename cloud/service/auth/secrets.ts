// The service's own keys: made at the first start, kept in the database, the same for all instances.
import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { ServiceSecrets } from './context.ts';
import type { Database } from './tables.ts';

/** Of instances that start at once, one writes; all read what it wrote. */
export async function openSecrets(database: Database): Promise<ServiceSecrets> {
  const [urlKey, cookieKeys, jwks] = await Promise.all([
    secret(database, 'urlKey', () => randomBytes(32).toString('base64')),
    secret(database, 'cookieKeys', () => JSON.stringify([randomBytes(32).toString('base64url')])),
    secret(database, 'jwks', makeJwks),
  ]);
  return { urlKey: Buffer.from(urlKey, 'base64'), cookieKeys: JSON.parse(cookieKeys), jwks: JSON.parse(jwks) };
}

async function secret(database: Database, name: string, make: () => string | Promise<string>): Promise<string> {
  const find = () => database.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  const found = await find();
  if (found) return found.value;
  await database
    .insertInto('secrets')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const kept = await find();
  if (!kept) throw new Error(`the secret ${name} was not kept`);
  return kept.value;
}

async function makeJwks(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ format: 'jwk' });
  return JSON.stringify({ keys: [{ ...key, kid: randomBytes(8).toString('base64url'), use: 'sig', alg: 'ES256' }] });
}

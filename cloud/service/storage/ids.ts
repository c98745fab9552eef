// Random IDs with a prefix for their kind, and the hashes of secrets that are stored in the database.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

export type IdKind = 'acc' | 'key' | 'ast' | 'rnd' | 'led' | 'whd' | 'wha' | 'aud';

/** `rnd_` and 128 random bits in base64url. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(16).toString('base64url')}`;
}

/** For secrets of at least 128 random bits. Passwords need a slow hash. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Different for every process, and for every start with the same process ID. */
export function newInstanceName(): string {
  return `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

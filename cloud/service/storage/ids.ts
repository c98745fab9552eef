// Ids that tell nothing but their kind, and the hashes that stand in the database for what lets somebody in.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

export type IdKind = 'acc' | 'key' | 'ast' | 'rnd' | 'led' | 'whd' | 'wha';

/** `rnd_` and 128 random bits in base64url. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(16).toString('base64url')}`;
}

/** For secrets of 128 random bits or more; passwords need a slow hash. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Tells this process from others, and from itself before it was started again. */
export function newInstanceName(): string {
  return `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

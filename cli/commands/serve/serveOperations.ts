// What the operator's commands share: opening the database, finding the account, and printing the result.
import { ApiError } from '../../../cloud/service/api/apiErrors.ts';
import { accountByEmail } from '../../../cloud/service/auth/accounts.ts';
import type { AuditContext, AuditEntry } from '../../../cloud/service/auth/auditLog.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import { objectSettings } from '../../../cloud/service/storage/objectSettings.ts';
import type { ObjectStore } from '../../../cloud/service/storage/objectStore.ts';
import { openObjects } from '../../../cloud/service/storage/openObjects.ts';
import type { AccountRow, Database } from '../../../cloud/service/storage/tables.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { readStore } from './serveSettings.ts';

/** Prints the result as JSON with `--json`, otherwise the lines. Returns 0. */
export function print({ flags }: CommandInput, io: CliIo, result: unknown, lines: readonly string[]): number {
  io.stdout.write(flags.has('json') ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
  return 0;
}

/** Throws UserError `usage`. */
export function required({ values }: CommandInput, name: string, example: string): string {
  const value = values.get(name);
  if (value === undefined) throw new UserError('usage', `--${name} is missing`, { hint: `Example: ${example}` });
  return value;
}

export async function withDatabase<T>(
  input: CommandInput,
  io: CliIo,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(readStore(input, io.env));
  return use(database).finally(() => database.destroy());
}

/** The account of `--email`. Throws UserError `usage` if it is missing. */
export async function withAccount<T>(
  input: CommandInput,
  io: CliIo,
  use: (database: Database, account: AccountRow) => Promise<T>,
): Promise<T> {
  const email = required(input, 'email', '--email ann@example.com');
  return withDatabase(input, io, async (database) => {
    const account = await accountByEmail(database, email);
    if (account) return use(database, account);
    throw new UserError('usage', `there is no account for ${email}`, {
      hint: `Create it with framework serve account add --email ${email}, or choose another folder with --data.`,
    });
  });
}

/** These commands are in the audit log of the database. The service's own log is that of another process. */
export function auditContext(database: Database): AuditContext {
  return { database, now: Date.now, log: () => undefined };
}

export const byOperator = { actor: 'operator', address: null } as const satisfies Partial<AuditEntry>;

/** The files of the service that uses this data. */
export async function operatorObjects(input: CommandInput, io: CliIo): Promise<ObjectStore> {
  const location = { objects: objectSettings(io.env), dataDir: readStore(input, io.env).dataDir, publicUrl: '' };
  // No URL is signed.
  return (await openObjects(location, { urlKey: Buffer.alloc(0), now: Date.now, env: io.env })).objects;
}

export function asUserError(error: unknown): never {
  throw error instanceof ApiError ? new UserError('usage', error.message) : error;
}

/** `2026-11-23`, or `never`. */
export const dayText = (time: number | null): string =>
  time === null ? 'never' : new Date(time).toISOString().slice(0, 10);

// `framework serve account add`, `key add|list|revoke` and `credits`: what an operator does to the service's accounts.
// They work on the database itself, whether the service runs or not.
import { UserError } from '../errors.ts';
import { accountByEmail, addCredits, balanceOf, createAccount } from '../service/accounts.ts';
import { ApiError } from '../service/apiErrors.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../service/apiKeys.ts';
import { openDatabase } from '../service/database.ts';
import type { AccountRow, Database } from '../service/tables.ts';
import type { CliIo, CommandInput } from './command.ts';
import { passwordSecret, readSecret } from './secretInput.ts';
import { defaultCredits, readStore, sameData } from './serveSettings.ts';

export async function runAccountAdd(input: CommandInput, io: CliIo): Promise<number> {
  const email = required(input, 'email', 'framework serve account add --email ann@example.com');
  const credits = Number(input.values.get('credits') ?? defaultCredits);
  const password = await readSecret(passwordSecret, io);
  const name = input.values.get('name');
  const account = await withDatabase(input, io, (database) =>
    createAccount(database, { email, password, name, credits }, Date.now()).catch(asUserError),
  );
  return print(input, io, { user_id: account.id, email: account.email, credits }, [
    `Made the account ${account.email} with ${credits} credits.`,
    `A key for it: framework serve key add --email ${account.email}${sameData(input)}`,
  ]);
}

export async function runKeyAdd(input: CommandInput, io: CliIo): Promise<number> {
  const name = input.values.get('name') ?? 'command line';
  const { key, info } = await withAccount(input, io, (database, { id }) =>
    createApiKey(database, { accountId: id, name }, Date.now()),
  );
  if (!input.switches.has('json')) io.stderr.write('Keep this key: it is not shown again.\n');
  return print(input, io, { id: info.id, key, name }, [key]);
}

export async function runKeyList(input: CommandInput, io: CliIo): Promise<number> {
  const keys = await withAccount(input, io, (database, { id }) => listApiKeys(database, id));
  const day = (time: number | null): string => (time === null ? 'never' : new Date(time).toISOString().slice(0, 10));
  const rows = keys.map(({ id, prefix, name, last_used_at, revoked_at }) =>
    [id, `${prefix}…`, revoked_at === null ? `used ${day(last_used_at)}` : `revoked ${day(revoked_at)}`, name].join(
      '  ',
    ),
  );
  return print(input, io, keys, rows.length === 0 ? ['There are no keys.'] : rows);
}

export async function runKeyRevoke(input: CommandInput, io: CliIo): Promise<number> {
  const [id] = input.positionals;
  if (id === undefined)
    throw new UserError('usage', 'the id of the key is missing', { hint: 'See framework serve key list.' });
  const isRevoked = await withAccount(input, io, (database, account) =>
    revokeApiKey(database, account.id, id, Date.now()),
  );
  if (!isRevoked) throw new UserError('usage', `the account has no key ${id} that is not revoked yet`);
  return print(input, io, { id, revoked: true }, [`Revoked ${id}.`]);
}

export async function runCredits(input: CommandInput, io: CliIo): Promise<number> {
  const given = input.values.get('add');
  const amount = Number(given ?? 0);
  if (!Number.isFinite(amount) || Math.abs(amount) > 1e9)
    throw new UserError('usage', `--add cannot be "${given}"`, { hint: 'It takes a number of credits.' });
  const note = input.values.get('note') ?? 'by the operator';
  const result = await withAccount(input, io, async (database, { id, email }) => {
    if (amount !== 0) await addCredits(database, id, amount, note, Date.now());
    return { user_id: id, email, credits: await balanceOf(database, id) };
  });
  return print(input, io, result, [`${result.email} has ${result.credits} credits.`]);
}

function print({ switches }: CommandInput, io: CliIo, result: unknown, lines: readonly string[]): number {
  io.stdout.write(switches.has('json') ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
  return 0;
}

function required({ values }: CommandInput, name: string, example: string): string {
  const value = values.get(name);
  if (value === undefined) throw new UserError('usage', `--${name} is missing`, { hint: `For example: ${example}` });
  return value;
}

async function withDatabase<T>(input: CommandInput, io: CliIo, use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(readStore(input, io.env));
  return use(database).finally(() => database.destroy());
}

async function withAccount<T>(
  input: CommandInput,
  io: CliIo,
  use: (database: Database, account: AccountRow) => Promise<T>,
): Promise<T> {
  const email = required(input, 'email', '--email ann@example.com');
  return withDatabase(input, io, async (database) => {
    const account = await accountByEmail(database, email);
    if (account) return use(database, account);
    throw new UserError('usage', `there is no account for ${email}`, {
      hint: `Make it with framework serve account add --email ${email}, or name the folder with --data.`,
    });
  });
}

function asUserError(error: unknown): never {
  throw error instanceof ApiError ? new UserError('usage', error.message) : error;
}

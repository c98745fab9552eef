// `framework serve account add`, `key add|list|revoke` and `credits`: manage the service's accounts. They open the
// database directly, whether the service is running or not.
import { ApiError } from '../../../cloud/service/api/apiErrors.ts';
import { accountByEmail, addCredits, balanceOf, createAccount } from '../../../cloud/service/auth/accounts.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../cloud/service/auth/apiKeys.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import type { AccountRow, Database } from '../../../cloud/service/storage/tables.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { passwordSecret, readSecret } from '../../secretInput.ts';
import { dataOption, defaultCredits, readStore } from './serveSettings.ts';

export async function runAccountAdd(input: CommandInput, io: CliIo): Promise<number> {
  const email = required(input, 'email', 'framework serve account add --email ann@example.com');
  const credits = Number(input.values.get('credits') ?? defaultCredits);
  const password = await readSecret(passwordSecret, io);
  const name = input.values.get('name');
  const account = await withDatabase(input, io, (database) =>
    createAccount(database, { email, password, name, credits }, Date.now()).catch(asUserError),
  );
  return print(input, io, { user_id: account.id, email: account.email, credits }, [
    `Created the account ${account.email} with ${credits} credits.`,
    `To create an API key: framework serve key add --email ${account.email}${dataOption(input)}`,
  ]);
}

export async function runKeyAdd(input: CommandInput, io: CliIo): Promise<number> {
  const name = input.values.get('name') ?? 'command line';
  const { key, info } = await withAccount(input, io, (database, { id }) =>
    createApiKey(database, { accountId: id, name }, Date.now()),
  );
  if (!input.flags.has('json')) io.stderr.write('Store this key now: it is not shown again.\n');
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
  return print(input, io, keys, rows.length === 0 ? ['No API keys.'] : rows);
}

export async function runKeyRevoke(input: CommandInput, io: CliIo): Promise<number> {
  const [id] = input.positionals;
  if (id === undefined)
    throw new UserError('usage', 'the key id is missing', { hint: 'Run framework serve key list for the ids.' });
  const isRevoked = await withAccount(input, io, (database, account) =>
    revokeApiKey(database, account.id, id, Date.now()),
  );
  if (!isRevoked) throw new UserError('usage', `the account has no active key ${id}`);
  return print(input, io, { id, revoked: true }, [`Revoked ${id}.`]);
}

export async function runCredits(input: CommandInput, io: CliIo): Promise<number> {
  const given = input.values.get('add');
  const amount = Number(given ?? 0);
  if (!Number.isFinite(amount) || Math.abs(amount) > 1e9)
    throw new UserError('usage', `--add must be a number of credits (got "${given}")`);
  const note = input.values.get('note') ?? 'by the operator';
  const result = await withAccount(input, io, async (database, { id, email }) => {
    if (amount !== 0) await addCredits(database, id, amount, note, Date.now());
    return { user_id: id, email, credits: await balanceOf(database, id) };
  });
  return print(input, io, result, [`${result.email} has ${result.credits} credits.`]);
}

function print({ flags }: CommandInput, io: CliIo, result: unknown, lines: readonly string[]): number {
  io.stdout.write(flags.has('json') ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
  return 0;
}

function required({ values }: CommandInput, name: string, example: string): string {
  const value = values.get(name);
  if (value === undefined) throw new UserError('usage', `--${name} is missing`, { hint: `Example: ${example}` });
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
      hint: `Create it with framework serve account add --email ${email}, or choose another folder with --data.`,
    });
  });
}

function asUserError(error: unknown): never {
  throw error instanceof ApiError ? new UserError('usage', error.message) : error;
}

// `framework serve account add`, `key add|list|revoke` and `credits`: manage the service's accounts. They open the
// database directly, whether the service is running or not.
import { addCredits, balanceOf, createAccount, newAccount } from '../../../cloud/service/auth/accounts.ts';
import { createApiKey, listApiKeys, revokeAllApiKeys, revokeApiKey } from '../../../cloud/service/auth/apiKeys.ts';
import { audited } from '../../../cloud/service/auth/auditLog.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { countText } from '../../output/format.ts';
import { passwordSecret, readSecret } from '../../secretInput.ts';
import {
  asUserError,
  auditContext,
  byOperator,
  dayText,
  print,
  required,
  withAccount,
  withDatabase,
} from './serveOperations.ts';
import { dataOption, defaultCredits } from './serveSettings.ts';

export async function runAccountAdd(input: CommandInput, io: CliIo): Promise<number> {
  const email = required(input, 'email', 'framework serve account add --email ann@example.com');
  const credits = Number(input.values.get('credits') ?? defaultCredits);
  const password = await readSecret(passwordSecret, io);
  const name = input.values.get('name');
  const account = await withDatabase(input, io, async (database) => {
    const checked = await newAccount({ email, password, name, credits }).catch(asUserError);
    return audited(
      auditContext(database),
      (session) => createAccount(session, checked, Date.now()),
      ({ id }) => ({ accountId: id, ...byOperator, action: 'account_created' }),
    ).catch(asUserError);
  });
  return print(input, io, { user_id: account.id, email: account.email, credits }, [
    `Created the account ${account.email} with ${credits} credits.`,
    `To create an API key: framework serve key add --email ${account.email}${dataOption(input)}`,
  ]);
}

export async function runKeyAdd(input: CommandInput, io: CliIo): Promise<number> {
  const name = input.values.get('name') ?? 'command line';
  const { key, info } = await withAccount(input, io, (database, { id }) =>
    audited(
      auditContext(database),
      (session) => createApiKey(session, { accountId: id, name }, Date.now()),
      () => ({ accountId: id, ...byOperator, action: 'key_created', detail: name }),
    ),
  );
  if (!input.flags.has('json')) io.stderr.write('Store this key now: it is not shown again.\n');
  return print(input, io, { id: info.id, key, name }, [key]);
}

export async function runKeyList(input: CommandInput, io: CliIo): Promise<number> {
  const keys = await withAccount(input, io, (database, { id }) => listApiKeys(database, id));
  const rows = keys.map(({ id, prefix, name, last_used_at, revoked_at }) =>
    [
      id,
      `${prefix}…`,
      revoked_at === null ? `used ${dayText(last_used_at)}` : `revoked ${dayText(revoked_at)}`,
      name,
    ].join('  '),
  );
  return print(input, io, keys, rows.length === 0 ? ['No API keys.'] : rows);
}

/** Throws UserError `usage` if the account has no such key. */
export async function runKeyRevoke(input: CommandInput, io: CliIo): Promise<number> {
  const [id] = input.positionals;
  const isAll = input.flags.has('all');
  if (isAll && id !== undefined) throw new UserError('usage', '--all cannot be used with a key id');
  if (isAll) return revokeAll(input, io);
  if (id === undefined)
    throw new UserError('usage', 'the key id is missing', {
      hint: 'Run framework serve key list for the ids, or revoke all keys of the account with --all.',
    });
  const name = await withAccount(input, io, (database, account) =>
    audited(
      auditContext(database),
      (session) => revokeApiKey(session, account.id, id, Date.now()),
      (detail) =>
        detail === undefined ? undefined : { accountId: account.id, ...byOperator, action: 'key_revoked', detail },
    ),
  );
  if (name === undefined) throw new UserError('usage', `the account has no active key ${id}`);
  return print(input, io, { id, revoked: true }, [`Revoked ${id}.`]);
}

async function revokeAll(input: CommandInput, io: CliIo): Promise<number> {
  const count = await withAccount(input, io, (database, account) =>
    audited(
      auditContext(database),
      (session) => revokeAllApiKeys(session, account.id, Date.now()),
      (revoked) =>
        revoked === 0
          ? undefined
          : { accountId: account.id, ...byOperator, action: 'key_revoked', detail: `all: ${revoked}` },
    ),
  );
  return print(input, io, { revoked_keys: count }, [`Revoked ${countText(count, 'API key')}.`]);
}

export async function runCredits(input: CommandInput, io: CliIo): Promise<number> {
  const given = input.values.get('add');
  const amount = Number(given ?? 0);
  if (!Number.isFinite(amount) || Math.abs(amount) > 1e9)
    throw new UserError('usage', `--add must be a number of credits (got "${given}")`);
  const note = input.values.get('note') ?? 'by the operator';
  const result = await withAccount(input, io, async (database, { id, email }) => {
    if (amount !== 0)
      await audited(
        auditContext(database),
        (session) => addCredits(session, id, amount, note, Date.now()),
        () => ({ accountId: id, ...byOperator, action: 'credits_changed', detail: String(amount) }),
      );
    return { user_id: id, email, credits: await balanceOf(database, id) };
  });
  return print(input, io, result, [`${result.email} has ${result.credits} credits.`]);
}

// `framework serve account list|suspend|resume|password|export|delete` and `signing-keys rotate`. They open the database
// directly, whether the service is running or not.
import { setTimeout as sleep } from 'node:timers/promises';
import { allowedHostsOf } from '../../../cloud/service/auth/accounts.ts';
import { changePassword } from '../../../cloud/service/auth/changePassword.ts';
import { passwordProblem } from '../../../cloud/service/auth/passwordRules.ts';
import { rotateSigningKeys } from '../../../cloud/service/auth/secrets.ts';
import {
  type ListedAccount,
  listAccounts,
  resumeAccount,
  setAllowedHosts,
  suspendAccount,
} from '../../../cloud/service/operator/accountCommands.ts';
import { deleteAccount } from '../../../cloud/service/operator/deleteAccount.ts';
import { exportAccount } from '../../../cloud/service/operator/exportAccount.ts';
import type { AccountRow } from '../../../cloud/service/storage/tables.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { askYesNo } from '../../confirm.ts';
import { countText } from '../../output/format.ts';
import { newPasswordSecret, readSecret } from '../../secretInput.ts';
import {
  auditContext,
  byOperator,
  dayText,
  operatorObjects,
  print,
  required,
  withAccount,
  withDatabase,
} from './serveOperations.ts';
import { dataOption, readHosts } from './serveSettings.ts';

export async function runAccountList(input: CommandInput, io: CliIo): Promise<number> {
  const accounts = await withDatabase(input, io, listAccounts);
  return print(input, io, accounts, accounts.length === 0 ? ['No accounts.'] : accounts.map(accountLine));
}

function accountLine({ user_id, email, credits, renders, created_at, suspended_at }: ListedAccount): string {
  const state = suspended_at === null ? [] : [`suspended ${dayText(suspended_at)}`];
  const facts = [`${credits} credits`, countText(renders, 'render'), `created ${dayText(created_at)}`, ...state];
  return [user_id, email, facts.join(', ')].join('  ');
}

export async function runAccountSuspend(input: CommandInput, io: CliIo): Promise<number> {
  const { account, isChanged } = await withAccount(input, io, async (database, found) => ({
    account: found,
    isChanged: await suspendAccount(auditContext(database), found),
  }));
  return print(input, io, suspendedJson(account, true), [
    isChanged
      ? `Suspended ${account.email}. Its requests are rejected, and its queued renders wait.`
      : `${account.email} is already suspended.`,
  ]);
}

export async function runAccountResume(input: CommandInput, io: CliIo): Promise<number> {
  const { account, isChanged } = await withAccount(input, io, async (database, found) => ({
    account: found,
    isChanged: await resumeAccount(auditContext(database), found),
  }));
  return print(input, io, suspendedJson(account, false), [
    isChanged ? `Resumed ${account.email}.` : `${account.email} is not suspended.`,
  ]);
}

function suspendedJson({ id, email }: AccountRow, suspended: boolean): object {
  return { user_id: id, email, suspended };
}

/** Without hosts and `--any`, shows what is set. */
export async function runAccountHosts(input: CommandInput, io: CliIo): Promise<number> {
  const given = readHosts(input.lists);
  const isAny = input.flags.has('any');
  if (isAny && given) throw new UserError('usage', '--any cannot be used with --allow-host');
  const { id, email, hosts } = await withAccount(input, io, async (database, account) => {
    if (given || isAny) await setAllowedHosts(auditContext(database), account, given);
    return { ...account, hosts: given || isAny ? given : allowedHostsOf(account) };
  });
  return print(input, io, { user_id: id, email, allowed_hosts: hosts ?? null }, [
    hosts === undefined
      ? `Pages of ${email} may load files from all hosts that the service allows.`
      : `Pages of ${email} may load files from ${hosts.join(', ')}.`,
  ]);
}

/** Checks the account before it asks for the password. Throws UserError `usage`. */
export async function runAccountPassword(input: CommandInput, io: CliIo): Promise<number> {
  const keepsKeys = input.flags.has('keep-keys');
  const account = await withAccount(input, io, async (_, found) => found);
  const { id, email } = account;
  const password = await readSecret(newPasswordSecret, io);
  const problem = passwordProblem(password, email);
  if (problem !== undefined) throw new UserError('usage', `${problem}.`);
  const revoked = await withDatabase(input, io, (database) =>
    changePassword(auditContext(database), { accountId: id, password, keepsKeys, by: byOperator }),
  );
  const keys = keepsKeys ? 'API keys are still valid.' : `${countText(revoked, 'API key')} revoked.`;
  return print(input, io, { user_id: id, email, changed: true, revoked_keys: revoked }, [
    `Changed the password of ${email}. Browsers and programs are signed out; ${keys}`,
  ]);
}

/** Prints one JSON document, with or without `--json`. */
export async function runAccountExport(input: CommandInput, io: CliIo): Promise<number> {
  const objects = await operatorObjects(input, io);
  const exported = await withAccount(input, io, (database, { id }) =>
    exportAccount({ ...auditContext(database), objects }, id),
  );
  return print(input, io, exported, [JSON.stringify(exported, null, 2)]);
}

const pauseMs = 500;

/** Throws UserError `cancelled` unless the user confirms. */
export async function runAccountDelete(input: CommandInput, io: CliIo): Promise<number> {
  const email = required(input, 'email', 'framework serve account delete --email ann@example.com');
  const isConfirmed = input.flags.has('no-confirm') || (await confirmDeletion(input, io, email));
  if (!isConfirmed) throw new UserError('cancelled', 'The account was not deleted.');
  const objects = await operatorObjects(input, io);
  let pauses = 0;
  const pause = async (): Promise<void> => {
    if (pauses++ === 0) io.stderr.write('Waiting until its running renders have stopped.\n');
    // Rejects only when the signal aborts.
    await sleep(pauseMs, undefined, { signal: io.signal }).catch(() => undefined);
    if (io.signal.aborted)
      throw new UserError('cancelled', `${email} is suspended, but not deleted yet. Run the command again.`);
  };
  const { account, deleted } = await withAccount(input, io, async (database, found) => ({
    account: found,
    deleted: await deleteAccount({ ...auditContext(database), objects }, found.id, { pause }),
  }));
  return print(input, io, { user_id: account.id, email: account.email, deleted: true, ...deleted }, [
    `Deleted ${account.email} with ${countText(deleted.renders, 'render')} and ${countText(deleted.files, 'file')}.`,
  ]);
}

async function confirmDeletion(input: CommandInput, io: CliIo, email: string): Promise<boolean> {
  const account = await withAccount(input, io, async (_, found) => found);
  const question = `Delete the account ${account.email}, its projects, renders and videos? This cannot be undone.`;
  return askYesNo(question, io, `framework serve account delete --email ${email} --no-confirm${dataOption(input)}`);
}

/** Throws UserError `cancelled` unless the user confirms. */
export async function runSigningKeysRotate(input: CommandInput, io: CliIo): Promise<number> {
  const question = 'Replace the signing keys? URLs of files, open forms and unfinished sign-ins become invalid.';
  const other = `framework serve signing-keys rotate --no-confirm${dataOption(input)}`;
  const isConfirmed = input.flags.has('no-confirm') || (await askYesNo(question, io, other));
  if (!isConfirmed) throw new UserError('cancelled', 'The signing keys were not replaced.');
  await withDatabase(input, io, (database) => rotateSigningKeys(auditContext(database)));
  return print(input, io, { rotated: true }, [
    'Replaced the signing keys. Restart the service, all instances together, to use them.',
  ]);
}

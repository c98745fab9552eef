// Accounts: creating them, verifying passwords, and their credit balance.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { domainToASCII, domainToUnicode } from 'node:url';
import { ApiError } from '../api/apiErrors.ts';
import { newId } from '../storage/ids.ts';
import { addLedgerRow, toCredits, toUnits } from '../storage/ledger.ts';
import type { AccountRow, Session } from '../storage/tables.ts';
import { passwordLength, passwordProblem } from './passwordRules.ts';

export type AccountInput = { email: string; password: string; name?: string | undefined; credits: number };

/** The address is in lower case. */
export type NewAccount = Omit<AccountInput, 'password'> & { passwordHash: string };

const plan = 'standard';

/**
 * Checks the input and hashes the password. This takes long, so it must not be done in a transaction. Throws ApiError
 * `invalid_parameter` with `param` set to `email` or `password`.
 */
export async function newAccount({ password, ...input }: AccountInput): Promise<NewAccount> {
  const email = normalEmail(input.email);
  if (email === undefined) throw wrong('email', `"${input.email.slice(0, 100)}" is not a valid e-mail address.`);
  const problem = passwordProblem(password, email);
  if (problem !== undefined) throw wrong('password', `${problem}.`);
  return { ...input, email, passwordHash: await hashPassword(password) };
}

/** Throws ApiError `invalid_parameter` with `param: 'email'` if the address has an account. */
export async function createAccount(session: Session, input: NewAccount, now: number): Promise<AccountRow> {
  const { email } = input;
  const account: AccountRow = {
    id: newId('acc'),
    email,
    name: input.name ?? null,
    password_hash: input.passwordHash,
    plan,
    webhook_secret: newWebhookSecret(),
    created_at: now,
    balance: 0,
    stored_bytes: 0,
    suspended_at: null,
    allowed_hosts: null,
  };
  const insert = async (inside: Session): Promise<void> => {
    const { numInsertedOrUpdatedRows } = await inside
      .insertInto('accounts')
      .values(account)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) throw wrong('email', `An account for ${email} already exists.`);
    if (input.credits !== 0) await addCredits(inside, account.id, input.credits, 'initial credits', now);
  };
  await inTransaction(session, insert);
  return { ...account, balance: toUnits(input.credits) };
}

const inTransaction = (session: Session, run: (inside: Session) => Promise<void>): Promise<void> =>
  session.isTransaction ? run(session) : session.transaction().execute(run);

function wrong(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}

/** Characters that mail programs leave out or read as the syntax of a list, and invisible ones. */
const unmailable = /[\s\p{Cc}\p{Cf}\p{Surrogate}@<>()[\],;:"\\]/u;

/**
 * Returns the address as it is mailed to, in lower case, or undefined if it is invalid. So each recipient has one spelling,
 * by which accounts and limits know it.
 */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase();
  const [local = '', host = '', ...more] = email.split('@');
  if (email.length > 254 || more.length > 0 || local === '' || unmailable.test(local) || unmailable.test(host))
    return undefined;
  const domain = domainToUnicode(domainToASCII(host));
  return /[^.]\.[^.]+$/.test(domain) ? `${local}@${domain}` : undefined;
}

/** Throws ApiError `permission_denied`. */
export async function rejectSuspended(session: Session, accountId: string): Promise<void> {
  const account = await session
    .selectFrom('accounts')
    .select('suspended_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined || account.suspended_at === null) return;
  throw new ApiError('permission_denied', 'This account is suspended. Contact the operator of this service.');
}

export async function accountByEmail(session: Session, email: string): Promise<AccountRow | undefined> {
  const normal = normalEmail(email);
  if (normal === undefined) return undefined;
  return session.selectFrom('accounts').selectAll().where('email', '=', normal).executeTakeFirst();
}

/**
 * Hashes a password even for an unknown address, so that the response time does not reveal which addresses have
 * accounts.
 */
export async function verifyPassword(
  session: Session,
  email: string,
  password: string,
): Promise<AccountRow | undefined> {
  const account = await accountByEmail(session, email);
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'));
  const isRight = await isPassword(password.slice(0, passwordLength.max), account?.password_hash ?? (await dummyHash));
  return isRight ? account : undefined;
}

let dummyHash: Promise<string> | undefined;

const cost = { N: 2 ** 15, r: 8, p: 1 };

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Normalized, because systems differ in how they compose the same typed characters.
    scrypt(password.normalize('NFC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** In the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export async function addCredits(
  session: Session,
  accountId: string,
  amount: number,
  note: string,
  now: number,
): Promise<void> {
  const row = { account_id: accountId, amount, kind: 'grant' as const, render_id: null, note, created_at: now };
  await inTransaction(session, (inside) => addLedgerRow(inside, row));
}

/** The hosts from which pages of the account may load files; undefined: those of the service. */
export const allowedHostsOf = ({ allowed_hosts }: Pick<AccountRow, 'allowed_hosts'>): string[] | undefined =>
  allowed_hosts === null ? undefined : (JSON.parse(allowed_hosts) as string[]);

/** Does not include credits that are held for running renders. */
export async function balanceOf(session: Session, accountId: string): Promise<number> {
  const row = await session.selectFrom('accounts').select('balance').where('id', '=', accountId).executeTakeFirst();
  return toCredits(row?.balance ?? 0);
}

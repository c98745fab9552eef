// Accounts: making one, proving a password, and what is left of its credits.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ApiError } from './apiErrors.ts';
import { newId } from './ids.ts';
import { passwordLength, passwordProblem } from './passwordRules.ts';
import type { AccountRow, Session } from './tables.ts';

export type NewAccount = { email: string; password: string; name?: string | undefined; credits: number };

const plan = 'standard';

/** Throws ApiError `invalid_parameter` with `param` email or password. */
export async function createAccount(session: Session, input: NewAccount, now: number): Promise<AccountRow> {
  const email = normalEmail(input.email);
  if (email === undefined) throw wrong('email', `"${input.email.slice(0, 100)}" is no e-mail address.`);
  const problem = passwordProblem(input.password, email);
  if (problem !== undefined) throw wrong('password', `${problem}.`);
  const account: AccountRow = {
    id: newId('acc'),
    email,
    name: input.name ?? null,
    password_hash: await hashPassword(input.password),
    plan,
    webhook_secret: newWebhookSecret(),
    created_at: now,
  };
  const insert = async (inside: Session): Promise<void> => {
    const { numInsertedOrUpdatedRows } = await inside
      .insertInto('accounts')
      .values(account)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) throw wrong('email', `There is an account for ${email} already.`);
    if (input.credits !== 0) await addCredits(inside, account.id, input.credits, 'first credits', now);
  };
  // Begun only when the password is hashed, which takes long.
  await (session.isTransaction ? insert(session) : session.transaction().execute(insert));
  return account;
}

function wrong(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}

/** In lower case; undefined when it is none. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u.test(email) ? email : undefined;
}

export async function accountByEmail(session: Session, email: string): Promise<AccountRow | undefined> {
  const normal = normalEmail(email);
  if (normal === undefined) return undefined;
  return session.selectFrom('accounts').selectAll().where('email', '=', normal).executeTakeFirst();
}

/** Takes as long for an address that nobody has: how long an answer takes must not tell who has an account. */
export async function verifyPassword(
  session: Session,
  email: string,
  password: string,
): Promise<AccountRow | undefined> {
  const account = await accountByEmail(session, email);
  nobodysHash ??= hashPassword(randomBytes(16).toString('hex'));
  const isRight = await isPassword(
    password.slice(0, passwordLength.max),
    account?.password_hash ?? (await nobodysHash),
  );
  return isRight ? account : undefined;
}

let nobodysHash: Promise<string> | undefined;

export async function setPassword(session: Session, accountId: string, password: string): Promise<void> {
  const hash = await hashPassword(password);
  await session.updateTable('accounts').set({ password_hash: hash }).where('id', '=', accountId).execute();
}

const cost = { N: 2 ** 15, r: 8, p: 1 };

async function hashPassword(password: string): Promise<string> {
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
    // Also in composed form, so that the same password typed on another system is the same.
    scrypt(password.normalize('NFC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** As Standard Webhooks has it. */
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
  await session
    .insertInto('ledger')
    .values({
      id: newId('led'),
      account_id: accountId,
      amount,
      kind: 'grant',
      render_id: null,
      note,
      created_at: now,
    })
    .execute();
}

/** What is left, without what is held for renders that run. */
export async function balanceOf(session: Session, accountId: string): Promise<number> {
  const row = await session
    .selectFrom('ledger')
    .select(({ fn }) => fn.sum<number | null>('amount').as('balance'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  // Sums of fractions leave crumbs.
  return Math.round(Number(row?.balance ?? 0) * 1e4) / 1e4;
}

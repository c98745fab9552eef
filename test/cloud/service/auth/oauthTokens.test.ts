// Tokens: rotation, reuse, revocation, expiry and restarts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram, ownProgram, redirectUri } from '../../../support/service/oauthProgram.ts';
import { startWebService, type WebService } from '../../../support/service/webService.ts';

let shared: WebService;
beforeAll(async () => {
  shared = await startWebService();
});
afterAll(() => shared.close());

test('accepts a refresh token once, and renews its lifetime', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  const second = await program.refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await program.service.accountOf(second.access_token)).toBe(program.accountId);
});

test('revokes all descendants of a refresh token that is used twice', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  const second = await program.refresh(first.refresh_token);
  await expect(program.refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(program.refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await program.service.accountOf(first.access_token)).toBeUndefined();
  expect(await program.service.accountOf(second.access_token)).toBeUndefined();
});

test('lets only one of two parallel uses of a refresh token succeed, and revokes its tokens', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => program.refresh(first.refresh_token)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  expect(won).toHaveLength(1);
  for (const { access_token: token } of won) expect(await program.service.accountOf(token)).toBeUndefined();
  await expect(program.refresh(won[0]?.refresh_token)).rejects.toThrow();
});

test('revokes access tokens together with their refresh token, but not the reverse', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  await program.revoke(first.access_token);
  expect(await program.service.accountOf(first.access_token)).toBeUndefined();
  const second = await program.refresh(first.refresh_token);
  expect(await program.service.accountOf(second.access_token)).toBe(program.accountId);
  await program.revoke(second.refresh_token ?? '');
  expect(await program.service.accountOf(second.access_token)).toBeUndefined();
  await expect(program.refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  // RFC 7009: revoking an unknown token is not an error.
  await program.revoke('unknown');
});

test('keeps other machines signed in when one signs out', async () => {
  const program = await createProgram(shared);
  const one = await program.begin();
  const first = await program.redeem(one, await program.answer(one));
  const two = await program.begin();
  const second = await program.redeem(two, await program.answer(two));
  await program.revoke(first.refresh_token ?? '');
  expect(await program.service.accountOf(first.access_token)).toBeUndefined();
  expect(await program.service.accountOf(second.access_token)).toBe(program.accountId);
});

test('expires access tokens after an hour, and rejects other strings', async () => {
  const program = await ownProgram();
  const tokens = await program.signIn();
  for (const none of ['', 'x', tokens.refresh_token ?? '', tokens.access_token.slice(1)]) {
    expect(await program.service.accountOf(none)).toBeUndefined();
  }
  program.service.wait(3590);
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
  program.service.wait(20);
  expect(await program.service.accountOf(tokens.access_token)).toBeUndefined();
});

test('keeps tokens and sessions after a restart', async () => {
  const program = await ownProgram();
  const tokens = await program.signIn();
  await program.service.restart();
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
  const next = await program.refresh(tokens.refresh_token);
  expect(await program.service.accountOf(next.access_token)).toBe(program.accountId);
  expect((await program.browser.get('/sign-in')).url).toBe(`${program.service.url}/`);
});

test('accepts a code once after a restart', async () => {
  const program = await ownProgram();
  const request = await program.begin();
  const callback = await program.answer(request);
  await program.service.restart();
  const tokens = await program.redeem(request, callback);
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
  await expect(program.redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('stores no usable token in the database', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  const tokens = await program.redeem(request, callback);
  const rows = JSON.stringify(await program.service.context.database.selectFrom('oauth_records').selectAll().execute());
  const sessions = JSON.stringify(await program.service.context.database.selectFrom('sessions').selectAll().execute());
  const secrets = [tokens.access_token, tokens.refresh_token ?? '', callback.searchParams.get('code') ?? ''];
  for (const secret of secrets) expect(rows.includes(secret)).toBe(false);
  for (const [name, value] of program.browser.cookies)
    expect([name, (rows + sessions).includes(value)]).toEqual([name, false]);
});

test('hides responses of the token endpoint from other origins', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const code = (await program.answer(request)).searchParams.get('code') ?? '';
  const response = await fetch(program.server.token_endpoint ?? '', {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'framework-cli',
      code,
      redirect_uri: redirectUri,
      code_verifier: request.verifier,
    }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.status).toBe(400);
  const device = await fetch(program.server.device_authorization_endpoint ?? '', {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'framework-cli' }),
  });
  expect([device.status, device.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  const preflight = await fetch(program.server.token_endpoint ?? '', { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null]);
});

test('throttles guessing of tokens', async () => {
  const program = await ownProgram();
  const statuses: number[] = [];
  for (let guess = 0; guess < 25; guess += 1) {
    const fields = { grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: `guess${guess}` };
    statuses.push((await program.tokenRequest(fields)).status);
  }
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
});

test('lists a program once it has tokens, and signs it out from the account page', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  expect((await program.browser.get('/account')).text).toContain('to sign in the command line');
  const tokens = await program.redeem(request, callback);
  const account = await program.browser.get('/account');
  const id = /name="program" value="([0-9a-f]+)"/.exec(account.text)?.[1] ?? '';
  await program.browser.submit(account, { program: id }, '/account/programs');
  expect(await program.service.accountOf(tokens.access_token)).toBeUndefined();
  await expect(program.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('does not sign out programs of another account', async () => {
  const program = await createProgram(shared);
  const tokens = await program.signIn();
  const account = await program.browser.get('/account');
  const id = /name="program" value="([0-9a-f]+)"/.exec(account.text)?.[1] ?? '';
  const other = await createProgram(shared);
  await other.signIn();
  await other.browser.submit(await other.browser.get('/account'), { program: id }, '/account/programs');
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
});

test('extends a grant with each new refresh token', async () => {
  const program = await createProgram(shared);
  const tokens = await program.signIn();
  const grants = () =>
    shared.context.database
      .selectFrom('oauth_records')
      .select('expires_at')
      .where('model', '=', 'Grant')
      .where('uid', '=', program.accountId)
      .executeTakeFirstOrThrow();
  const days = 24 * 3600 * 1000;
  expect((await grants()).expires_at).toBe(shared.context.now() + 60 * days);
  await shared.context.database
    .updateTable('oauth_records')
    .set({ expires_at: 1 })
    .where('model', '=', 'Grant')
    .execute();
  await program.refresh(tokens.refresh_token);
  expect((await grants()).expires_at).toBe(shared.context.now() + 60 * days);
});

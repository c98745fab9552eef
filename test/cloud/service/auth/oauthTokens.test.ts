// What tokens are good for, and how they end: rotation, reuse, revocation, time and restarts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram, ownProgram, redirectUri } from '../support/oauthProgram.ts';
import { startWebService, type WebService } from '../support/webService.ts';

let shared: WebService;
beforeAll(async () => {
  shared = await startWebService();
});
afterAll(() => shared.close());

test('a refresh token is good for once, and its time begins anew', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  const second = await program.refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await program.service.accountOf(second.access_token)).toBe(program.accountId);
});

test('a refresh token that is used twice ends all that came from it', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  const second = await program.refresh(first.refresh_token);
  await expect(program.refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(program.refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await program.service.accountOf(first.access_token)).toBeUndefined();
  expect(await program.service.accountOf(second.access_token)).toBeUndefined();
});

test('of two that use one refresh token at once, one wins, and neither keeps what it got', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => program.refresh(first.refresh_token)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  expect(won).toHaveLength(1);
  for (const { access_token: token } of won) expect(await program.service.accountOf(token)).toBeUndefined();
  await expect(program.refresh(won[0]?.refresh_token)).rejects.toThrow();
});

test('revoking a refresh token ends its access tokens; revoking an access token ends that one', async () => {
  const program = await createProgram(shared);
  const first = await program.signIn();
  await program.revoke(first.access_token);
  expect(await program.service.accountOf(first.access_token)).toBeUndefined();
  const second = await program.refresh(first.refresh_token);
  expect(await program.service.accountOf(second.access_token)).toBe(program.accountId);
  await program.revoke(second.refresh_token ?? '');
  expect(await program.service.accountOf(second.access_token)).toBeUndefined();
  await expect(program.refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  // RFC 7009: nothing to revoke is no error.
  await program.revoke('unknown');
});

test('signing out on one machine leaves the others signed in', async () => {
  const program = await createProgram(shared);
  const one = await program.begin();
  const first = await program.redeem(one, await program.answer(one));
  const two = await program.begin();
  const second = await program.redeem(two, await program.answer(two));
  await program.revoke(first.refresh_token ?? '');
  expect(await program.service.accountOf(first.access_token)).toBeUndefined();
  expect(await program.service.accountOf(second.access_token)).toBe(program.accountId);
});

test('an access token ends after an hour; nothing else is one', async () => {
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

test('tokens and sessions are there after a restart', async () => {
  const program = await ownProgram();
  const tokens = await program.signIn();
  await program.service.restart();
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
  const next = await program.refresh(tokens.refresh_token);
  expect(await program.service.accountOf(next.access_token)).toBe(program.accountId);
  expect((await program.browser.get('/sign-in')).url).toBe(`${program.service.url}/`);
});

test('a code that was given before a restart is good after it, once', async () => {
  const program = await ownProgram();
  const request = await program.begin();
  const callback = await program.answer(request);
  await program.service.restart();
  const tokens = await program.redeem(request, callback);
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
  await expect(program.redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('the database holds no token that somebody could use', async () => {
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

test('a page of another origin gets nothing from the token endpoint', async () => {
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

test('guessing tokens becomes slow', async () => {
  const program = await ownProgram();
  const statuses: number[] = [];
  for (let guess = 0; guess < 25; guess += 1) {
    const fields = { grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: `guess${guess}` };
    statuses.push((await program.tokenRequest(fields)).status);
  }
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
});

test('a program is listed from when it has its tokens, and can be signed out from the account', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  expect((await program.browser.get('/account')).text).toContain('signs the command line in');
  const tokens = await program.redeem(request, callback);
  const account = await program.browser.get('/account');
  const id = /name="program" value="([0-9a-f]+)"/.exec(account.text)?.[1] ?? '';
  await program.browser.submit(account, { program: id }, '/account/programs');
  expect(await program.service.accountOf(tokens.access_token)).toBeUndefined();
  await expect(program.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test("nobody signs another account's program out", async () => {
  const program = await createProgram(shared);
  const tokens = await program.signIn();
  const account = await program.browser.get('/account');
  const id = /name="program" value="([0-9a-f]+)"/.exec(account.text)?.[1] ?? '';
  const other = await createProgram(shared);
  await other.signIn();
  await other.browser.submit(await other.browser.get('/account'), { program: id }, '/account/programs');
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
});

test('a session of refreshing lasts: the grant lives as long as its newest refresh token', async () => {
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

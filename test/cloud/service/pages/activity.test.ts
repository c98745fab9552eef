// The audit log on the account page: who did what, from which address. And suspended accounts.
import { expect, onTestFinished, test, vi } from 'vitest';
import { audit } from '../../../../cloud/service/auth/auditLog.ts';
import { resumeAccount, suspendAccount } from '../../../../cloud/service/operator/accountCommands.ts';
import type { AccountRow } from '../../../../cloud/service/storage/tables.ts';
import { ownProgram } from '../../../support/service/oauthProgram.ts';
import {
  createBrowser,
  type Page,
  password,
  startWebService,
  type WebService,
} from '../../../support/service/webService.ts';

async function ownService(): Promise<{ service: WebService; account: AccountRow }> {
  const service = await startWebService();
  onTestFinished(() => service.close());
  return { service, account: await service.addAccount() };
}

/** The entries on an account page, as `activity, address`. */
function activity({ text }: Page): string[] {
  const section = text.slice(text.indexOf('id="activity"'));
  return [...section.matchAll(/<tr><td>.*?<\/td><td>(.*?)<\/td><td[^>]*>(.*?)<\/td><\/tr>/gs)].map((cells) =>
    cells
      .slice(1)
      .map((cell) => cell.replaceAll(/<[^>]+>/g, ''))
      .join(', '),
  );
}

test('shows sign-ins, failed ones, keys, the password and the webhook secret on the account page', async () => {
  const { service } = await ownService();
  const browser = createBrowser(service.url);
  const later = () => service.wait(1);
  const wrong = { email: 'ann@example.com', password: 'not her password' };
  await browser.submit(await browser.get('/sign-in'), wrong, '/sign-in');
  later();
  await browser.signIn();
  later();
  const made = await browser.submit(await browser.get('/keys'), { name: 'Nightly <build>' }, '/keys');
  later();
  const revoke = /\/keys\/key_[\w-]+\/revoke/.exec(made.text)?.[0] ?? '';
  await browser.submit(await browser.get(revoke), {}, revoke);
  later();
  await browser.submit(await browser.get('/webhooks/rotate'), {}, '/webhooks/rotate');
  later();
  const account = await browser.get('/account');
  await browser.submit(account, { password: 'wrong one', new_password: 'another long one' }, '/account/password');
  later();
  const done = await browser.submit(account, { password, new_password: 'another long one' }, '/account/password');
  expect(activity(done)).toEqual([
    'Password changed: API keys revoked: 0, 127.0.0.1',
    'Failed password change, 127.0.0.1',
    'Webhook secret replaced, 127.0.0.1',
    'API key revoked: Nightly &lt;build&gt;, 127.0.0.1',
    'API key created: Nightly &lt;build&gt;, 127.0.0.1',
    'Signed in, 127.0.0.1',
    'Failed sign-in, 127.0.0.1',
  ]);
});

test('shows programs that were allowed and signed out', async () => {
  const program = await ownProgram();
  const { browser, service } = program;
  await browser.signIn(program.email);
  service.wait(1);
  const tokens = await program.signIn();
  service.wait(1);
  await program.revoke(tokens.refresh_token ?? '');
  const shown = async () => activity(await browser.get('/account'));
  await vi.waitFor(async () => expect(await shown()).toContain('Program signed out, 127.0.0.1'));
  service.wait(1);
  await program.signIn();
  service.wait(1);
  await browser.submit(await browser.get('/account'), { program: await grantOf(browser) }, '/account/programs');
  expect(await shown()).toEqual([
    'Program signed out, 127.0.0.1',
    'Program allowed: Framework command line, in the browser, 127.0.0.1',
    'Program signed out, 127.0.0.1',
    'Program allowed: Framework command line, in the browser, 127.0.0.1',
    'Signed in, 127.0.0.1',
  ]);
});

async function grantOf(browser: { get(path: string): Promise<Page> }): Promise<string> {
  return /name="program" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? '';
}

test('records that a sign-in was revoked because its token was used twice', async () => {
  const program = await ownProgram();
  const { refresh_token: token } = await program.signIn();
  await program.refresh(token);
  program.service.wait(1);
  await expect(program.refresh(token)).rejects.toThrow();
  await vi.waitFor(async () =>
    expect(activity(await program.browser.get('/account'))[0]).toBe(
      'Program signed out: its token was used twice, 127.0.0.1',
    ),
  );
});

test('shows older entries on further pages', async () => {
  const { service, account } = await ownService();
  const browser = createBrowser(service.url);
  await browser.signIn();
  for (let count = 1; count <= 32; count += 1) {
    service.wait(1);
    const entry = { accountId: account.id, actor: 'operator', address: null, action: 'credits_changed' } as const;
    await audit(service.context, { ...entry, detail: String(count) });
  }
  const links = ({ text }: Page) =>
    [...text.matchAll(/href="(\/account\?activity=\d+#activity)"/g)].map(([, to]) => to);
  const first = await browser.get('/account');
  expect(activity(first)).toHaveLength(15);
  expect(activity(first)[0]).toBe('Credits changed: 32 (by the operator), –');
  expect(links(first)).toEqual(['/account?activity=2#activity']);
  const last = await browser.get('/account?activity=3');
  expect(activity(last)).toEqual([
    'Credits changed: 2 (by the operator), –',
    'Credits changed: 1 (by the operator), –',
    'Signed in, 127.0.0.1',
  ]);
  expect(links(last)).toEqual(['/account?activity=2#activity']);
});

test('records failed sign-ins without an account, and what was typed nowhere', async () => {
  const { service } = await ownService();
  const browser = createBrowser(service.url);
  const typed = { email: 'my secret passphrase', password: 'my secret passphrase' };
  await browser.submit(await browser.get('/sign-in'), typed, '/sign-in');
  const rows = await service.context.database.selectFrom('audit_events').selectAll().execute();
  expect(rows).toMatchObject([{ account_id: null, actor: 'unknown', action: 'sign_in_failed', detail: null }]);
  expect(JSON.stringify(rows)).not.toContain('secret');
});

test('signs out a suspended account, and says why it cannot sign in', async () => {
  const { service, account } = await ownService();
  const browser = createBrowser(service.url);
  await browser.signIn();
  await suspendAccount(service.context, account);
  expect((await browser.get('/keys')).url).toContain('/sign-in');
  const refused = await browser.signIn();
  expect([refused.status, refused.text.includes('This account is suspended')]).toEqual([403, true]);
  const wrong = createBrowser(service.url);
  const guess = { email: 'ann@example.com', password: 'not her password' };
  expect((await wrong.submit(await wrong.get('/sign-in'), guess, '/sign-in')).text).not.toContain('suspended');
  await resumeAccount(service.context, account);
  expect((await browser.get('/keys')).status).toBe(200);
});

test('refreshes no tokens of a suspended account, and accepts them when it is resumed', async () => {
  const program = await ownProgram();
  const { service } = program;
  const tokens = await program.signIn();
  const account = await service.context.database.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  await suspendAccount(service.context, account);
  const me = await fetch(`${service.url}/v3/users/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  expect([me.status, (await me.json()).error.code]).toEqual([403, 'permission_denied']);
  const fields = { grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: tokens.refresh_token ?? '' };
  expect(await program.tokenRequest(fields)).toMatchObject({
    status: 400,
    error: 'access_denied',
    error_description: 'This account is suspended. Contact the operator of this service.',
  });
  await resumeAccount(service.context, account);
  expect(await service.accountOf(tokens.access_token)).toBe(account.id);
  const next = await program.refresh(tokens.refresh_token);
  expect(await service.accountOf(next.access_token)).toBe(account.id);
});

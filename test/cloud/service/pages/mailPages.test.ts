// Creating accounts and resetting passwords by mail, with a real SMTP server.
import { expect, onTestFinished, test, vi } from 'vitest';
import { accountOfKey, createApiKey } from '../../../../cloud/service/auth/apiKeys.ts';
import { auditEvents } from '../../../../cloud/service/auth/auditLog.ts';
import { linkIn, type MailServer, startMailServer } from '../../../support/service/mailServer.ts';
import { watchHashing } from '../../../support/service/passwordHashing.ts';
import {
  createBrowser,
  type Page,
  password,
  startWebService,
  type WebService,
} from '../../../support/service/webService.ts';

type MailService = { service: WebService; server: MailServer };

async function mailService(): Promise<MailService> {
  const server = await startMailServer();
  const mail = { smtpUrl: server.url, from: 'Framework <no-reply@render.example>' };
  const service = await startWebService({ mail });
  onTestFinished(() => service.close());
  return { service, server };
}

/** Sends the form of a page as a new visitor. */
async function ask({ service }: MailService, path: string, email: string): Promise<Page> {
  const browser = createBrowser(service.url);
  return browser.submit(await browser.get(path), { email }, path);
}

const withoutAddress = (page: Page, email: string) => [
  page.status,
  page.text.replaceAll(email, 'E').replaceAll(/name="form_token" value="[^"]*"/g, ''),
];

test('creates an account with a link that is sent to its address', async () => {
  const { service, server } = await mailService();
  const browser = createBrowser(service.url);
  const form = await browser.get('/sign-up');
  const asked = await browser.submit(form, { email: 'Ann@example.com', name: 'Ann' }, '/sign-up');
  expect([asked.status, asked.text.includes('Check your mail')]).toEqual([200, true]);
  const mail = await server.next();
  expect(mail).toMatchObject({
    from: 'no-reply@render.example',
    to: ['ann@example.com'],
    subject: 'Create your account',
  });
  expect(await service.context.database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  const page = await browser.get(linkIn(mail));
  expect(page.text).toContain('For <strong>ann@example.com</strong>');
  expect((await browser.submit(page, { password: 'short' }, '/new-password')).status).toBe(422);
  const inside = await browser.submit(page, { password }, '/new-password');
  expect([inside.url, inside.text.includes('ann@example.com')]).toEqual([`${service.url}/`, true]);
  const accounts = await service.context.database.selectFrom('accounts').selectAll().execute();
  expect(accounts).toMatchObject([{ email: 'ann@example.com', name: 'Ann' }]);
  expect((await createBrowser(service.url).signIn()).url).toBe(`${service.url}/`);
});

/** With SQLite, a query waits until no transaction is running, so hashing in a transaction would never end. */
const watchQueries = ({ context }: WebService) =>
  watchHashing(() => context.database.selectFrom('accounts').select('id').execute());

test('hashes the password of a new account outside of transactions', async () => {
  const { service, server } = await mailService();
  const browser = createBrowser(service.url);
  await browser.submit(await browser.get('/sign-up'), { email: 'ann@example.com' }, '/sign-up');
  const page = await browser.get(linkIn(await server.next()));
  const hashing = watchQueries(service);
  expect((await browser.submit(page, { password }, '/new-password')).url).toBe(`${service.url}/`);
  expect(hashing).toHaveBeenCalledTimes(1);
});

test('hashes the password of a new account without mail outside of transactions', async () => {
  const service = await startWebService();
  onTestFinished(() => service.close());
  const browser = createBrowser(service.url);
  const hashing = watchQueries(service);
  const fields = { email: 'ann@example.com', password };
  expect((await browser.submit(await browser.get('/sign-up'), fields, '/sign-up')).url).toBe(`${service.url}/`);
  expect(hashing).toHaveBeenCalledTimes(1);
});

test('does not reveal on the sign-up page which accounts exist, but tells their owner', async () => {
  const parts = await mailService();
  await parts.service.addAccount('ann@example.com');
  const answers = [];
  for (const email of ['ann@example.com', 'bob@example.com'])
    answers.push(withoutAddress(await ask(parts, '/sign-up', email), email));
  expect(answers[0]).toEqual(answers[1]);
  await vi.waitFor(() => expect(parts.server.mails).toHaveLength(2));
  const subjects = Object.fromEntries(parts.server.mails.map(({ to, subject }) => [to[0], subject]));
  expect(subjects).toEqual({
    'ann@example.com': 'You already have an account',
    'bob@example.com': 'Create your account',
  });
  const known = parts.server.mails.find(({ to }) => to[0] === 'ann@example.com');
  expect(known?.text).not.toContain('token=');
});

test('resets a password with a link that can be used once, and revokes the API keys', async () => {
  const parts = await mailService();
  const { service, server } = parts;
  const account = await service.addAccount();
  const { database, now } = service.context;
  const { key } = await createApiKey(database, { accountId: account.id, name: 'ci' }, now());
  const signedIn = createBrowser(service.url);
  await signedIn.signIn();
  await ask(parts, '/forgot-password', 'ann@example.com');
  const mail = await server.next();
  expect(mail).toMatchObject({ to: ['ann@example.com'], subject: 'Choose a new password' });
  const link = linkIn(mail);
  const browser = createBrowser(service.url);
  const page = await browser.get(link);
  // Opening the link does not use it up: mail programs open links too.
  expect((await browser.get(link)).status).toBe(200);
  const inside = await browser.submit(page, { password: 'another long one' }, '/new-password');
  expect(inside.url).toBe(`${service.url}/`);
  expect((await signedIn.get('/keys')).url).toContain('/sign-in');
  expect(await accountOfKey(database, key, now())).toBeUndefined();
  expect((await createBrowser(service.url).signIn()).status).toBe(401);
  expect((await createBrowser(service.url).get(link)).status).toBe(400);
  const events = await auditEvents(database, account.id, { limit: 20, offset: 0 });
  expect(events.map(({ action, detail }) => [action, detail])).toContainEqual([
    'password_changed',
    'API keys revoked: 1',
  ]);
  expect(events.map(({ action }) => action)).toContain('password_reset_requested');
});

test('keeps the API keys when a password is reset, if the user chooses so', async () => {
  const parts = await mailService();
  const { service, server } = parts;
  const account = await service.addAccount();
  const { database, now } = service.context;
  const { key } = await createApiKey(database, { accountId: account.id, name: 'ci' }, now());
  await ask(parts, '/forgot-password', 'ann@example.com');
  const browser = createBrowser(service.url);
  const page = await browser.get(linkIn(await server.next()));
  await browser.submit(page, { password: 'another long one', keep_keys: 'yes' }, '/new-password');
  expect(await accountOfKey(database, key, now())).toBe(account.id);
});

test('changes a password once when a link is used several times at once', async () => {
  const parts = await mailService();
  const { service, server } = parts;
  const { id } = await service.addAccount();
  await ask(parts, '/forgot-password', 'ann@example.com');
  const link = linkIn(await server.next());
  const uses = Array.from({ length: 4 }, async (_, at) => {
    const browser = createBrowser(service.url);
    return browser.submit(await browser.get(link), { password: `password number ${at}` }, '/new-password');
  });
  const statuses = (await Promise.all(uses)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400, 400, 400]);
  const events = await auditEvents(service.context.database, id, { limit: 20, offset: 0 });
  expect(events.filter(({ action }) => action === 'password_changed')).toHaveLength(1);
});

test('rejects links after an hour, and deletes their rows', async () => {
  const parts = await mailService();
  const { service, server } = parts;
  await service.addAccount();
  await ask(parts, '/forgot-password', 'ann@example.com');
  const link = linkIn(await server.next());
  const [row] = await service.context.database.selectFrom('mail_tokens').selectAll().execute();
  expect(link).not.toContain(row?.hash);
  service.wait(3599);
  const browser = createBrowser(service.url);
  expect((await browser.get(link)).status).toBe(200);
  service.wait(1);
  expect((await browser.get(link)).status).toBe(400);
  expect((await browser.get('/new-password')).status).toBe(400);
  expect((await browser.get(`/new-password?token=${'A'.repeat(43)}`)).status).toBe(400);
});

test('gives the same response for a forgotten password with and without an account, and sends no mail without', async () => {
  const parts = await mailService();
  await parts.service.addAccount('ann@example.com');
  const answers = [];
  for (const email of ['bob@example.com', 'ann@example.com'])
    answers.push(withoutAddress(await ask(parts, '/forgot-password', email), email));
  expect(answers[0]).toEqual(answers[1]);
  expect((await parts.server.next()).to).toEqual(['ann@example.com']);
  await parts.service.context.mailer?.close();
  expect(parts.server.mails).toHaveLength(1);
});

test('limits the mails to one recipient', async () => {
  const parts = await mailService();
  const statuses = [];
  for (let count = 0; count < 7; count += 1)
    statuses.push((await ask(parts, '/forgot-password', 'ann@example.com')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect((await ask(parts, '/forgot-password', 'bob@example.com')).status).toBe(200);
});

test('sends a mail to one address only, whatever it looks like', async () => {
  const parts = await mailService();
  await ask(parts, '/sign-up', 'ann,bob@example.com');
  await ask(parts, '/sign-up', 'cat@example.com');
  await parts.server.next();
  await vi.waitFor(() => expect(parts.server.mails.flatMap(({ to }) => to)).toContain('cat@example.com'));
  expect(parts.server.mails.flatMap(({ to }) => to)).not.toContain('bob@example.com');
});

test('has no such pages without mail, and no sign-up page when it is closed', async () => {
  const service = await startWebService();
  onTestFinished(() => service.close());
  const browser = createBrowser(service.url);
  expect((await browser.get('/forgot-password')).status).toBe(404);
  expect((await browser.get('/sign-in')).text).not.toContain('/forgot-password');
  const server = await startMailServer();
  const mail = { smtpUrl: server.url, from: 'no-reply@render.example' };
  const closed = await startWebService({ mail, openSignUp: false });
  onTestFinished(() => closed.close());
  const visitor = createBrowser(closed.url);
  expect((await visitor.get('/sign-up')).status).toBe(404);
  expect((await visitor.get('/sign-in')).text).toContain('/forgot-password');
  expect((await visitor.get('/forgot-password')).status).toBe(200);
});

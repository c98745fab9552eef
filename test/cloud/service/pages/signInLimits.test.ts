// Guessing passwords is slowed down, but does not lock out the owner of the account.
import { expect, onTestFinished, test } from 'vitest';
import {
  type Browser,
  createBrowser,
  formOf,
  password,
  startWebService,
  type WebService,
} from '../../../support/service/webService.ts';

async function ownService(): Promise<WebService> {
  const service = await startWebService();
  onTestFinished(() => service.close());
  await service.addAccount();
  return service;
}

type Attempt = { email?: string; password?: string };

/** Signs in from an address, which a proxy reports. Returns the status of the page that follows. */
async function signInFrom(
  browser: Browser,
  { url }: WebService,
  address: string,
  { email = 'ann@example.com', ...attempt }: Attempt = {},
): Promise<number> {
  const { hidden } = formOf(await browser.get('/sign-in'), '/sign-in');
  const fields = { ...hidden, email, password: attempt.password ?? password };
  return (await browser.post('/sign-in', fields, { origin: url, 'x-forwarded-for': address })).status;
}

/** Guesses Ann's password from many addresses until her e-mail address must wait. */
async function lockOut(service: WebService): Promise<void> {
  for (let guess = 1; guess <= 5; guess += 1) {
    const status = await signInFrom(createBrowser(service.url), service, `198.51.100.${guess}`, {
      password: 'a guess',
    });
    expect(status).toBe(401);
  }
  expect(await signInFrom(createBrowser(service.url), service, '198.51.100.99')).toBe(429);
}

test('does not count attempts against an e-mail address while their own address must wait', async () => {
  const service = await ownService();
  const attacker = createBrowser(service.url);
  const attack = (email: string) => signInFrom(attacker, service, '198.51.100.1', { email, password: 'a guess' });
  for (let guess = 0; guess < 20; guess += 1) expect(await attack(`user${guess}@example.com`)).toBe(401);
  for (let guess = 0; guess < 10; guess += 1) expect(await attack('ann@example.com')).toBe(429);
  expect(await signInFrom(createBrowser(service.url), service, '203.0.113.5')).toBe(200);
});

test('lets a browser in that has signed in before, while others must wait', async () => {
  const service = await ownService();
  const known = createBrowser(service.url);
  const page = await known.signIn();
  await known.submit(page, {}, '/sign-out');
  await lockOut(service);
  expect(await signInFrom(known, service, '203.0.113.5')).toBe(200);
});

test('lets a known browser in whose address must wait', async () => {
  const service = await ownService();
  const known = createBrowser(service.url);
  await known.submit(await known.signIn(), {}, '/sign-out');
  const attacker = createBrowser(service.url);
  for (let guess = 0; guess < 21; guess += 1)
    await signInFrom(attacker, service, '203.0.113.5', { email: `user${guess}@example.com`, password: 'a guess' });
  expect(await signInFrom(createBrowser(service.url), service, '203.0.113.5')).toBe(429);
  expect(await signInFrom(known, service, '203.0.113.5')).toBe(200);
});

test('limits the guesses of a known browser too', async () => {
  const service = await ownService();
  const known = createBrowser(service.url);
  await known.submit(await known.signIn(), {}, '/sign-out');
  const statuses = [];
  for (let guess = 0; guess < 7; guess += 1)
    statuses.push(await signInFrom(known, service, `203.0.113.${guess}`, { password: 'a guess' }));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  // They do not count against other browsers.
  expect(await signInFrom(createBrowser(service.url), service, '203.0.113.99')).toBe(200);
});

test('knows a browser by a cookie that is signed for one account', async () => {
  const service = await ownService();
  await service.addAccount('bob@example.com');
  const cookiesOf = async (email: string) => {
    const browser = createBrowser(service.url);
    await browser.signIn(email);
    return [...browser.cookies].filter(([name]) => name.startsWith('framework_browser_'));
  };
  const [[name = '', value = ''] = []] = await cookiesOf('ann@example.com');
  const [[bobName = '', bobValue = ''] = []] = await cookiesOf('bob@example.com');
  expect(name).not.toBe(bobName);
  await lockOut(service);
  const signInWith = async (cookie: string) => {
    const page = await fetch(`${service.url}/sign-in`);
    const visitor = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const form_token = /name="form_token" value="([^"]*)"/.exec(await page.text())?.[1] ?? '';
    const response = await fetch(`${service.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `${visitor}; ${cookie}`, origin: service.url, 'x-forwarded-for': '203.0.113.5' },
      body: new URLSearchParams({ form_token, email: 'ann@example.com', password }),
    });
    const kept = response.headers.getSetCookie().find((line) => line.startsWith(name));
    return { status: response.status, kept };
  };
  for (const cookie of [`${name}=${bobValue}`, `${bobName}=${value}`, `${name}=${value.slice(0, -2)}xx`, `${name}=`])
    expect([cookie, (await signInWith(cookie)).status]).toEqual([cookie, 429]);
  const { status, kept } = await signInWith(`${name}=${value}`);
  expect(status).toBe(303);
  // It keeps its count, so that signing in does not give more guesses.
  expect(kept).toBe(`${name}=${value}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`);
});

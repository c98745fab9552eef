// The device flow: signing in a device without a browser.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram, ownProgram } from '../../../support/service/oauthProgram.ts';
import { startWebService, type WebService } from '../../../support/service/webService.ts';

let shared: WebService;
beforeAll(async () => {
  shared = await startWebService();
});
afterAll(() => shared.close());

test('issues tokens after the code of a device was approved in a browser', async () => {
  const program = await createProgram(shared);
  const device = await program.beginDevice();
  expect(device).toMatchObject({ verification_uri: `${program.service.url}/device`, expires_in: 600 });
  expect(device.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
  expect(await program.pollDevice(device)).toBe('authorization_pending');
  await program.browser.signIn(program.email);
  const confirm = await program.browser.submit(await program.browser.get('/device'), {
    user_code: device.user_code.toLowerCase().replace('-', ' '),
  });
  expect(confirm.text).toContain(device.user_code);
  const done = await program.browser.submit(confirm, { answer: 'allow' });
  expect(done.text).toContain('Your device is signed in');
  const tokens = await program.pollDevice(device);
  if (typeof tokens === 'string') throw new Error(tokens);
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
  const next = await program.refresh(tokens.refresh_token);
  expect(await program.service.accountOf(next.access_token)).toBe(program.accountId);
  expect(await program.pollDevice(device)).toBe('invalid_grant');
  expect(await program.service.accountOf(next.access_token)).toBeUndefined();
});

test('reports a denied device, whose code cannot be used again', async () => {
  const program = await createProgram(shared);
  const device = await program.beginDevice();
  await program.browser.signIn(program.email);
  const confirm = await program.browser.submit(await program.browser.get(`/device?user_code=${device.user_code}`), {
    user_code: device.user_code,
  });
  await program.browser.submit(confirm, { answer: 'deny' });
  expect(await program.pollDevice(device)).toBe('access_denied');
  const again = await program.browser.submit(await program.browser.get('/device'), {
    user_code: device.user_code,
    answer: 'allow',
  });
  expect(again.status).toBe(422);
});

test('asks for approval when a link contains the code', async () => {
  const program = await createProgram(shared);
  const device = await program.beginDevice();
  await program.browser.signIn(program.email);
  await program.browser.get(`/device?user_code=${device.user_code}`);
  expect(await program.pollDevice(device)).toBe('authorization_pending');
});

test('rejects an expired device code', async () => {
  const program = await ownProgram();
  const device = await program.beginDevice();
  await program.browser.signIn(program.email);
  program.service.wait(601);
  const page = await program.browser.submit(await program.browser.get('/device'), {
    user_code: device.user_code,
    answer: 'allow',
  });
  expect(page.text).toContain('The code is wrong or has expired');
});

test('throttles guessing of device codes', async () => {
  const program = await ownProgram();
  await program.browser.signIn(program.email);
  const form = await program.browser.get('/device');
  const pages = [];
  for (let guess = 0; guess < 15; guess += 1)
    pages.push(await program.browser.submit(form, { user_code: `BCDF-GH${guess}` }));
  expect(pages[0]?.status).toBe(422);
  expect(pages.at(-1)?.status).toBe(429);
  expect(Number(pages.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('answers a device that polls too often with slow_down, and asks it to wait longer each time', async () => {
  const program = await ownProgram();
  const device = await program.beginDevice();
  const after = (seconds: number) => {
    program.service.wait(seconds);
    return program.pollDevice(device);
  };
  expect(await after(0)).toBe('authorization_pending');
  expect(await after(5)).toBe('authorization_pending');
  expect(await after(3)).toBe('slow_down');
  // The interval is now 10 seconds, then 15.
  expect(await after(5)).toBe('slow_down');
  expect(await after(15)).toBe('authorization_pending');
  expect(await program.pollDevice(await program.beginDevice())).toBe('authorization_pending');
});

test('does not count polls of a pending device as guesses', async () => {
  const program = await ownProgram();
  const device = await program.beginDevice();
  const results = [];
  for (let poll = 0; poll < 30; poll += 1) results.push(await program.pollDevice(device));
  expect([results[0], ...new Set(results.slice(1))]).toEqual(['authorization_pending', 'slow_down']);
  const guess = { grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: 'guess' };
  expect((await program.tokenRequest(guess)).status).toBe(400);
});

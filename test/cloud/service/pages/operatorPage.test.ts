// The operator page: who sees it, and what it shows.
import { expect, onTestFinished, test } from 'vitest';
import { suspendAccount } from '../../../../cloud/service/operator/accountCommands.ts';
import { ageText, bytesText } from '../../../../cloud/service/pages/operatorPage.ts';
import { addRender } from '../../../support/service/renderRows.ts';
import {
  createBrowser,
  type Page,
  password,
  startWebService,
  type WebService,
} from '../../../support/service/webService.ts';

async function serviceWith(operators: string[]): Promise<WebService> {
  const service = await startWebService({ operators });
  onTestFinished(() => service.close());
  await service.addAccount('ann@example.com');
  await service.addAccount('bob@example.com');
  return service;
}

async function operatorPage(service: WebService, email: string): Promise<Page> {
  const browser = createBrowser(service.url);
  await browser.signIn(email);
  return browser.get('/operator');
}

const textOf = ({ text }: Page) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('exists only for the accounts that the settings name', async () => {
  const service = await serviceWith(['ann@example.com']);
  expect((await createBrowser(service.url).get('/operator')).url).toContain('/sign-in?next=%2Foperator');
  expect((await operatorPage(service, 'bob@example.com')).status).toBe(404);
  expect((await operatorPage(service, 'ann@example.com')).status).toBe(200);
  const links = async (email: string) => {
    const browser = createBrowser(service.url);
    await browser.signIn(email);
    return (await browser.get('/account')).text.includes('href="/operator"');
  };
  expect([await links('ann@example.com'), await links('bob@example.com')]).toEqual([true, false]);
});

test('is disabled by default', async () => {
  const service = await serviceWith([]);
  expect((await operatorPage(service, 'ann@example.com')).status).toBe(404);
});

test('shows accounts, queue, workers, disk, and failures by code', async () => {
  const service = await serviceWith(['ann@example.com']);
  const { context } = service;
  const now = context.now();
  const bob = 'bob@example.com';
  await addRender(service, bob, { created_at: now - 600_000 });
  await addRender(service, bob, {});
  await addRender(service, bob, { status: 'rendering', lease_owner: 'host-1-ab/one' });
  await addRender(service, bob, { status: 'rendering', lease_owner: 'host-1-ab/two' });
  for (const failure_code of ['asset_missing', 'asset_missing', 'internal_error'])
    await addRender(service, bob, { status: 'failed', failure_code, completed_at: now });
  await addRender(service, bob, { status: 'failed', failure_code: 'old_failure', completed_at: now - 8 * 86_400_000 });
  await addRender(service, bob, { status: 'completed', video_key: 'videos/one.mp4', video_bytes: 3 * 1024 * 1024 });
  const account = await context.database
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', bob)
    .executeTakeFirstOrThrow();
  await suspendAccount(context, account);
  const text = textOf(await operatorPage(service, 'ann@example.com'));
  expect(text).toContain('Queued 2 oldest for 10 minutes Rendering 2 ');
  expect(text).toContain('This instance has 0 workers. Instance Rendering host-1-ab 2 ');
  expect(text).toMatch(/Free [\d.]+ [TGM]B of [\d.]+ [TGM]B, at the data folder Stored 3\.0 MB of projects and videos/);
  expect(text).toContain('Failures in the last seven days Code Renders asset_missing 2 internal_error 1 Accounts 2 ');
  // Both were created in the same millisecond, so either may be first.
  expect(text).toMatch(/bob@example\.com Suspended [^@]* 9 100 (?:ann|To)/);
  expect(text).toMatch(/ann@example\.com [^@]* 0 100 (?:bob|To)/);
  expect(text).not.toContain('old_failure');
});

test('does not let anyone sign up with the address of an operator', async () => {
  const service = await serviceWith(['root@example.com']);
  const browser = createBrowser(service.url);
  const fields = { email: 'Root@example.com', password, name: '' };
  const refused = await browser.submit(await browser.get('/sign-up'), fields, '/sign-up');
  expect([refused.status, refused.text.includes('This address is reserved')]).toEqual([403, true]);
  expect((await browser.get('/keys')).url).toContain('/sign-in');
});

test('shows sizes and ages in common units', () => {
  expect([bytesText(0), bytesText(1024 ** 2), bytesText(1.5 * 1024 ** 3)]).toEqual(['0.0 kB', '1.0 MB', '1.5 GB']);
  expect([ageText(0), ageText(60_000), ageText(119 * 60_000), ageText(120 * 60_000), ageText(48 * 3_600_000)]).toEqual([
    '0 minutes',
    '1 minute',
    '119 minutes',
    '2 hours',
    '2 days',
  ]);
});

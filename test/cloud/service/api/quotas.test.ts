// Quotas as clients see them: in responses, in the account, and on the account page.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { submitRender } from '../../../../cloud/service/api/renderRequests.ts';
import { newId } from '../../../../cloud/service/storage/ids.ts';
import type { RenderRow } from '../../../../cloud/service/storage/tables.ts';
import { makeZip } from '../../../support/makeZip.ts';
import { assetForm, projectZip, testQuotas, testService, testUser, upload } from '../../../support/service/service.ts';
import { renderRow } from '../../../support/service/serviceDatabase.ts';
import { createBrowser, startWebService } from '../../../support/service/webService.ts';

const largeZip = makeZip([{ name: 'index.html', data: Buffer.alloc(3_000_000), method: 0 }]);

test('shows what an account uses', async () => {
  const quotas = { storedBytes: 1_000_000_000, uploads: 4, renders: 200 };
  const { app, context } = await testService({ quotas });
  const { headers } = await testUser(context);
  const used = async () => (await (await app.request('/v3/users/me', { headers })).json()).data.quotas;
  expect(await used()).toEqual({
    stored_bytes: { used: 0, limit: 1_000_000_000 },
    uploads: { used: 0, limit: 4 },
    renders: { used: 0, limit: 200 },
  });
  const asset = await (await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() })).json();
  const project = { type: 'asset_id', asset_id: asset.data.asset_id };
  await app.request('/v3/framework/renders', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project }),
  });
  expect(await used()).toMatchObject({ stored_bytes: { used: projectZip.length }, renders: { used: 1 } });
});

test('rejects renders for an hour after 20 have failed without a charge', async () => {
  const { context, clock } = await testService();
  const { accountId } = await testUser(context);
  const order = { project: { type: 'url', url: 'https://example.com/p.zip' } } as const;
  const submit = () => submitRender(context, { accountId, order, key: undefined });
  const fail = (count: number, row: Partial<RenderRow>) => {
    const facts = { account_id: accountId, status: 'failed', completed_at: clock.now, ...row } as const;
    const rows = Array.from({ length: count }, () => renderRow(newId('rnd'), facts));
    return context.database.insertInto('renders').values(rows).execute();
  };
  await fail(30, { failure_code: 'render_deleted' });
  await fail(30, { failure_code: 'insufficient_credits' });
  await fail(30, { failure_code: 'render_timeout', credits: 2 });
  await fail(19, { failure_code: 'internal_error' });
  clock.now += 90_000;
  await submit();
  await fail(1, { failure_code: 'framework_project_invalid' });
  await expect(submit()).rejects.toMatchObject({
    code: 'quota_exceeded',
    retryAfter: 3510,
    message:
      '20 renders of this account have failed within an hour without a charge. Find the mistake with framework render on your own machine, and try again in 59 min.',
  });
  clock.now += 3_510_000;
  await submit();
});

test('rejects an upload beyond the quota, and accepts it after an asset was deleted', async () => {
  // Without a declared length, an upload may have 200 MB.
  const quotas = { ...testQuotas, storedBytes: 200 * 1024 * 1024 };
  const { app, context } = await testService({ quotas });
  const { headers } = await testUser(context);
  const send = async () => {
    const response = await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...(await response.json()) };
  };
  const { data } = await send();
  expect(await send()).toEqual({
    status: 429,
    retryAfter: null,
    error: {
      code: 'quota_exceeded',
      message:
        'The account stores 1 MB of at most 200 MB, and this upload may have 200 MB. Delete renders with DELETE /v3/framework/renders/{id}, or projects with DELETE /v3/assets/{id}.',
    },
  });
  const path = `/v3/assets/${data.asset_id}`;
  const deleted = await app.request(path, { method: 'DELETE', headers });
  expect([deleted.status, await deleted.json()]).toEqual([200, { data: { asset_id: data.asset_id, deleted: true } }]);
  expect(readdirSync(join(context.settings.dataDir, 'objects/assets'))).toEqual([]);
  const again = await app.request(path, { method: 'DELETE', headers });
  expect([again.status, (await again.json()).error]).toEqual([
    404,
    { code: 'not_found', message: `Asset ${data.asset_id} does not exist.` },
  ]);
  expect(await send()).toMatchObject({ status: 200 });
});

test('answers 507 while the disk is almost full', async () => {
  const { app, context } = await testService({ reservedDiskBytes: 2 ** 60 });
  const { headers } = await testUser(context);
  const response = await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() });
  expect([response.status, await response.json()]).toEqual([
    507,
    {
      error: {
        code: 'insufficient_storage',
        message: 'The disk of the service is almost full. Its operator must free space; try again later.',
      },
    },
  ]);
});

test('deletes the video of a deleted render at once, so that its signed URL leads nowhere', async () => {
  const { app, context } = await testService();
  const { headers, accountId } = await testUser(context);
  const order = { project: { type: 'url', url: 'https://example.com/p.zip' } };
  const submitted = await app.request('/v3/framework/renders', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  const { render_id: id } = (await submitted.json()).data;
  const [video_key, thumbnail_key] = [`videos/${id}.mp4`, `thumbnails/${id}.jpg`];
  for (const key of [video_key, thumbnail_key])
    await context.objects.put(key, Readable.from(['bytes']), { contentType: 'video/mp4' });
  const completed = { status: 'completed', completed_at: 5, video_key, thumbnail_key, video_bytes: 5 } as const;
  await context.database.updateTable('renders').set(completed).execute();
  await context.database.updateTable('accounts').set({ stored_bytes: 5 }).execute();
  const { data } = await (await app.request(`/v3/framework/renders/${id}`, { headers })).json();
  const urls = [data.video_url, data.thumbnail_url];
  for (const url of urls) expect((await app.request(url)).status).toBe(200);
  await app.request(`/v3/framework/renders/${id}`, { method: 'DELETE', headers });
  for (const url of urls) expect((await app.request(url)).status).toBe(404);
  const account = await context.database
    .selectFrom('accounts')
    .select('stored_bytes')
    .where('id', '=', accountId)
    .executeTakeFirst();
  expect(account).toEqual({ stored_bytes: 0 });
});

test('shows the quotas on the account page, and deletes projects', async () => {
  const service = await startWebService({ quotas: { storedBytes: 10_737_418_240, uploads: 4, renders: 200 } });
  onTestFinished(() => service.close());
  const account = await service.addAccount();
  const { database } = service.context;
  const small = (await upload(service.context, account.id)).result.asset_id;
  const large = (await upload(service.context, account.id, largeZip)).result.asset_id;
  const order = { project: { type: 'asset_id' as const, asset_id: small } };
  const { render_id } = (await submitRender(service.context, { accountId: account.id, order, key: undefined })).result;
  await database.updateTable('accounts').set({ stored_bytes: 5_000_000_000 }).where('id', '=', account.id).execute();
  const browser = createBrowser(service.url);
  await browser.signIn();
  const page = await browser.get('/account');
  const { text } = page;
  expect(text).toContain('<dt>Stored projects and videos</dt><dd>4,769 of 10,240 MB</dd>');
  expect(text).toContain('<dt>Queued and running renders</dt><dd>1 of 200</dd>');
  expect(text).toContain('<dt>Uploads in progress</dt><dd>0 of 4</dd>');
  const listed = (html: string) => [...html.matchAll(/<td><code>(ast_[\w-]+)<\/code>/g)].map(([, id]) => id);
  expect(listed(text)).toEqual([large, small]);
  const inUse = await browser.submit(page, { project: small }, '/account/projects');
  expect([inUse.status, inUse.text]).toEqual([409, expect.stringContaining(`needed by the render ${render_id}`)]);
  const deleted = await browser.submit(page, { project: large }, '/account/projects');
  expect([deleted.status, listed(deleted.text)]).toEqual([200, [small]]);
  expect((await browser.submit(page, { project: large }, '/account/projects')).status).toBe(404);
});

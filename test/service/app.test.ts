// What every request gets, whatever it asks: the envelope, the headers, and the ends of paths and methods.
import { expect, test } from 'vitest';
import { assetForm, testService, testUser } from '../support/service.ts';

test('from upload to deletion', async () => {
  const { app, context } = await testService();
  const { headers } = await testUser(context);
  const asset = await (await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() })).json();
  expect(asset).toEqual({
    data: {
      asset_id: expect.stringMatching(/^ast_/),
      size_bytes: 22,
      sha256: '8739c76e681f900923b900c9df0ef75cf421d39cabb54650c4b9ad19b6a76d85',
    },
  });
  const submitted = await app.request('/v3/framework/renders', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project: { type: 'asset_id', asset_id: asset.data.asset_id }, fps: 29.97, title: 'One' }),
  });
  expect(submitted.status).toBe(200);
  const { data: ticket } = await submitted.json();
  expect(ticket).toEqual({ render_id: expect.stringMatching(/^rnd_/), status: 'queued' });
  const path = `/v3/framework/renders/${ticket.render_id}`;
  const record = {
    render_id: ticket.render_id,
    status: 'queued',
    progress: 0,
    title: 'One',
    callback_id: null,
    video_url: null,
    thumbnail_url: null,
    duration: null,
    fps: 29.97,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    aspect_ratio: null,
    composition: 'index.html',
    created_at: 1_800_000_000,
    completed_at: null,
    credits: null,
    failure_code: null,
    failure_message: null,
  };
  expect(await (await app.request(path, { headers })).json()).toEqual({ data: record });
  const list = await app.request('/v3/framework/renders', { headers });
  expect(await list.json()).toEqual({ data: [record], has_more: false, next_token: null });
  const deleted = await app.request(path, { method: 'DELETE', headers });
  expect(await deleted.json()).toEqual({ data: { render_id: ticket.render_id, deleted: true } });
  for (const method of ['GET', 'DELETE']) {
    const gone = await app.request(path, { method, headers });
    expect([gone.status, (await gone.json()).error.code]).toEqual([404, 'framework_render_not_found']);
  }
  expect((await (await app.request('/v3/framework/renders', { headers })).json()).data).toEqual([]);
});

// Lists, one render, and deleting, against a service that is really listening.
import { expect, test } from 'vitest';
import {
  allCloudRenders,
  deleteCloudRender,
  getCloudRender,
  listCloudRenders,
} from '../../renderer-core/cloud/renders.ts';
import { newRecord, startCloudService } from '../support/cloudService.ts';

async function start(count: number) {
  const service = await startCloudService();
  for (let at = 0; at < count; at++) {
    const record = newRecord({ title: `render ${at}` });
    service.renders.set(record.render_id, record);
  }
  return service;
}

test('a page, and the next', async () => {
  const { client, seen } = await start(12);
  const first = await listCloudRenders(client);
  expect(first.data.map(({ title }) => title)).toEqual(Array.from({ length: 10 }, (_, at) => `render ${11 - at}`));
  const second = await listCloudRenders(client, { limit: 5, token: first.next_token ?? '' });
  expect(second).toMatchObject({ data: [{ title: 'render 1' }, { title: 'render 0' }], has_more: false });
  expect(seen.map(({ url }) => url)).toEqual(['/v3/framework/renders', '/v3/framework/renders?limit=5&token=10']);
});

test('all of them', async () => {
  const { client, seen } = await start(7);
  const titles: (string | null)[] = [];
  for await (const { title } of allCloudRenders(client, { limit: 3 })) titles.push(title);
  expect(titles).toEqual(Array.from({ length: 7 }, (_, at) => `render ${6 - at}`));
  expect(seen).toHaveLength(3);
});

test('a service that goes round in circles is left', async () => {
  const record = newRecord();
  const client = { send: async <T>() => ({ data: [record], has_more: true, next_token: 'same' }) as T };
  const titles: string[] = [];
  await expect(
    (async () => {
      for await (const { render_id: id } of allCloudRenders(client)) titles.push(id);
    })(),
  ).rejects.toMatchObject({ code: 'service_answer_invalid' });
  expect(titles).toHaveLength(2);
});

test.each([0, 101, 1.5, Number.NaN])('a limit of %s', async (limit) => {
  const { client, seen } = await start(0);
  await expect(listCloudRenders(client, { limit })).rejects.toMatchObject({ code: 'usage' });
  expect(seen).toEqual([]);
});

test('one, and deleting it', async () => {
  const { client, renders } = await start(1);
  const [id = ''] = renders.keys();
  expect(await getCloudRender(client, id)).toMatchObject({ render_id: id, video_url: expect.stringMatching('http') });
  await deleteCloudRender(client, id);
  const gone = { code: 'framework_render_not_found', message: `There is no render ${id}` };
  await expect(getCloudRender(client, id)).rejects.toMatchObject(gone);
  await expect(deleteCloudRender(client, id)).rejects.toMatchObject(gone);
});

test('an id stays one part of the path', async () => {
  const { client, seen } = await start(0);
  await expect(getCloudRender(client, '../users/me?a=1#b')).rejects.toMatchObject({
    code: 'framework_render_not_found',
  });
  expect(seen[0]?.url).toBe('/v3/framework/renders/..%2Fusers%2Fme%3Fa%3D1%23b');
});

// Listing, getting and deleting renders, against a running service.
import { expect, test } from 'vitest';
import {
  allCloudRenders,
  deleteCloudRender,
  getCloudRender,
  listCloudRenders,
} from '../../../cloud/client/accountRenders.ts';
import { newRecord, startCloudService } from '../../support/service/cloudService.ts';

async function start(count: number) {
  const service = await startCloudService();
  for (let at = 0; at < count; at++) {
    const record = newRecord({ title: `render ${at}` });
    service.renders.set(record.render_id, record);
  }
  return service;
}

test('lists a page and the next one', async () => {
  const { client, seen } = await start(12);
  const first = await listCloudRenders(client);
  expect(first.data.map(({ title }) => title)).toEqual(Array.from({ length: 10 }, (_, at) => `render ${11 - at}`));
  const second = await listCloudRenders(client, { limit: 5, token: first.next_token ?? '' });
  expect(second).toMatchObject({ data: [{ title: 'render 1' }, { title: 'render 0' }], has_more: false });
  expect(seen.map(({ url }) => url)).toEqual(['/v3/framework/renders', '/v3/framework/renders?limit=5&token=10']);
});

test('lists all renders', async () => {
  const { client, seen } = await start(7);
  const titles: (string | null)[] = [];
  for await (const { title } of allCloudRenders(client, { limit: 3 })) titles.push(title);
  expect(titles).toEqual(Array.from({ length: 7 }, (_, at) => `render ${6 - at}`));
  expect(seen).toHaveLength(3);
});

test('stops when the service returns the same page again', async () => {
  const record = newRecord();
  const client = {
    clock: { now: () => 0, random: () => 0 },
    checkCredential: async () => undefined,
    send: async <T>() => ({ data: [record], has_more: true, next_token: 'same' }) as T,
  };
  const titles: string[] = [];
  await expect(
    (async () => {
      for await (const { render_id: id } of allCloudRenders(client)) titles.push(id);
    })(),
  ).rejects.toMatchObject({ code: 'service_answer_invalid' });
  expect(titles).toHaveLength(2);
});

test.each([0, 101, 1.5, Number.NaN])('rejects a limit of %s', async (limit) => {
  const { client, seen } = await start(0);
  await expect(listCloudRenders(client, { limit })).rejects.toMatchObject({ code: 'usage' });
  expect(seen).toEqual([]);
});

test('gets a render and deletes it', async () => {
  const { client, renders } = await start(1);
  const [id = ''] = renders.keys();
  expect(await getCloudRender(client, id)).toMatchObject({ render_id: id, video_url: expect.stringMatching('http') });
  await deleteCloudRender(client, id);
  const gone = { code: 'framework_render_not_found', message: `The render ${id} does not exist in this account` };
  await expect(getCloudRender(client, id)).rejects.toMatchObject(gone);
  await expect(deleteCloudRender(client, id)).rejects.toMatchObject(gone);
});

test('encodes an id as one segment of the path', async () => {
  const { client, seen } = await start(0);
  await expect(getCloudRender(client, '../users/me?a=1#b')).rejects.toMatchObject({
    code: 'framework_render_not_found',
  });
  expect(seen[0]?.url).toBe('/v3/framework/renders/..%2Fusers%2Fme%3Fa%3D1%23b');
});

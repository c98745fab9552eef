// A folder as the store of a job.
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../../serverless/jobs/folderStore.ts';
import { parseAddress } from '../../../serverless/jobs/openJob.ts';
import { temporaryFolder } from '../../support/project.ts';

const open = () => {
  const root = temporaryFolder();
  return { root, store: openFolder(root) };
};

test('keeps JSON, bytes and files', async () => {
  const { root, store } = open();
  const from = join(temporaryFolder(), 'a.txt');
  writeFileSync(from, 'hello');
  await store.putJson('a/one.json', { one: 1 });
  await store.put('a/two.bin', Buffer.of(1, 2), 'application/octet-stream');
  await store.upload('a/b/three.txt', from, 'text/plain');
  await store.download('a/b/three.txt', join(root, 'copies/three.txt'));
  expect(await store.getJson('a/one.json')).toEqual({ one: 1 });
  expect(await store.size('a/two.bin')).toBe(2);
  expect(readFileSync(join(root, 'copies/three.txt'), 'utf8')).toBe('hello');
  const keys = async (...args: Parameters<typeof store.list>) => (await store.list(...args)).map(({ key }) => key);
  expect(await keys('a/')).toEqual(['a/b/three.txt', 'a/one.json', 'a/two.bin']);
  expect(await keys('a/', { deep: false })).toEqual(['a/one.json', 'a/two.bin']);
  expect(await keys('a/t')).toEqual(['a/two.bin']);
});

test('replaces an object at once, so that a reader has all of the old one or of the new one', async () => {
  const { root, store } = open();
  await store.put('a', Buffer.from('old'), 'text/plain');
  const reader = openSync(join(root, 'a'), 'r');
  await store.put('a', Buffer.from('new'), 'text/plain');
  expect(readFileSync(reader, 'utf8')).toBe('old');
  closeSync(reader);
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
});

test('has no object that was never written', async () => {
  const { store, root } = open();
  expect(await store.size('a')).toBeUndefined();
  expect(await store.getJson('a')).toBeUndefined();
  expect(await store.list('a/')).toEqual([]);
  await expect(store.download('a', join(root, 'b'))).rejects.toThrow('ENOENT');
  expect(readdirSync(root)).toEqual([]);
});

test('shows an object of parts when it is complete', async () => {
  const { store, root } = open();
  const parts = await store.startParts('a.mp4', 'video/mp4');
  await parts.send(2, Buffer.from('b'));
  await parts.send(1, Buffer.from('a'));
  await parts.send(3, Buffer.from('too much'));
  expect(await store.list('')).toEqual([]);
  await parts.complete(2);
  expect(readFileSync(join(root, 'a.mp4'), 'utf8')).toBe('ab');
  const aborted = await store.startParts('b.mp4', 'video/mp4');
  await aborted.send(1, Buffer.from('a'));
  await aborted.abort();
  expect(readdirSync(root)).toEqual(['a.mp4']);
});

test.each(['../a', 'a/../../b', '/../a'])('refuses the key %s, which leads out of the folder', async (key) => {
  const outer = temporaryFolder();
  await expect(openFolder(join(outer, 'job')).putJson(key, 1)).rejects.toThrow('leads out of');
  expect(readdirSync(outer)).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'says where nothing can be created, instead of trying without end',
  async () =>
    await expect(openFolder('/proc/job').putJson('a', 1)).rejects.toMatchObject({ code: 'output_unwritable' }),
);

test.each([
  ['s3://renders/job', { bucket: 'renders', prefix: 'job/' }],
  ['s3://renders/a/b/', { bucket: 'renders', prefix: 'a/b/' }],
])('reads the address %s', (address, expected) => expect(parseAddress(address)).toEqual(expected));

test.each(['s3://renders', 's3://renders/', 's3://Re nders/a', 'gs://renders/a'])('rejects the address %s', (address) =>
  expect(() => parseAddress(address)).toThrow(`${address} is not the address of a job`));

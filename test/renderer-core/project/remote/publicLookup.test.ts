// Host names of untrusted compositions resolve to public addresses only, without blocking other work.
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notPublic } from '../../../../renderer-core/project/remote/publicAddress.ts';
import { publicLookup } from '../../../../renderer-core/project/remote/publicLookup.ts';
import { type Answers, startNameServer } from '../../../support/servers/nameServer.ts';

const look = (name: string, all: boolean) =>
  new Promise<unknown>((resolve) => publicLookup(name, { all }, (error, ...found) => resolve(error ?? found)));

async function nameServer(answers: Answers) {
  const server = await startNameServer(answers);
  onTestFinished(server.close);
  return server;
}

describe('publicLookup', () => {
  test.each([true, false])('rejects localhost without a DNS query (all: %s)', async (all) => {
    const { questions } = await nameServer(() => ['93.184.216.34']);
    const error = (await look('localhost', all)) as NodeJS.ErrnoException;
    expect(error.code).toBe(notPublic);
    expect(error.message).toBe('localhost is not an address of the public internet');
    expect(questions).toEqual([]);
  });

  test('returns a literal address in the requested form', async () => {
    expect(await look('1.1.1.1', true)).toEqual([[{ address: '1.1.1.1', family: 4 }]]);
    expect(await look('1.1.1.1', false)).toEqual(['1.1.1.1', 4]);
  });

  test('returns only public addresses', async () => {
    await nameServer((type) => (type === 'A' ? ['10.0.0.1', '93.184.216.34', '127.0.0.1'] : []));
    expect(await look('mixed.example', true)).toEqual([[{ address: '93.184.216.34', family: 4 }]]);
    expect(await look('mixed.example', false)).toEqual(['93.184.216.34', 4]);
  });

  test('rejects a name of the local network', async () => {
    await nameServer((type) => (type === 'A' ? ['10.0.0.1'] : []));
    expect(await look('inside.example', true)).toMatchObject({ code: notPublic });
  });

  test('reports a name that does not exist', async () => {
    await nameServer(() => []);
    expect(await look('gone.example', true)).toMatchObject({ code: 'ENODATA' });
  });
});

test('does not block file reads while name servers do not respond', async () => {
  const { questions } = await nameServer(() => undefined);
  const names = Array.from({ length: 32 }, (_, index) => `slow${index}.example`);
  let answered = 0;
  const all = names.map(async (name) => {
    const result = await look(name, true);
    answered++;
    return result;
  });
  await readFile(import.meta.filename);
  expect(answered).toBe(0);
  for (const error of await Promise.all(all))
    expect(['ETIMEOUT', 'ECANCELLED']).toContain((error as { code: string }).code);
  expect(new Set(questions).size).toBe(64);
});

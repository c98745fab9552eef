// Names of strangers lead to the public internet or nowhere, and hold up nobody while they are looked up.
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notPublic } from '../../renderer-core/project/publicAddress.ts';
import { publicLookup } from '../../renderer-core/project/publicLookup.ts';
import { type Answers, startNameServer } from '../support/nameServer.ts';

const look = (name: string, all: boolean) =>
  new Promise<unknown>((resolve) => publicLookup(name, { all }, (error, ...found) => resolve(error ?? found)));

async function nameServer(answers: Answers) {
  const server = await startNameServer(answers);
  onTestFinished(server.close);
  return server;
}

describe('a name', () => {
  test.each([true, false])('of this machine is refused, and nobody is asked (all: %s)', async (all) => {
    const { questions } = await nameServer(() => ['93.184.216.34']);
    const error = (await look('localhost', all)) as NodeJS.ErrnoException;
    expect(error.code).toBe(notPublic);
    expect(error.message).toBe('localhost is not an address of the public internet');
    expect(questions).toEqual([]);
  });

  test('that is an address is given in the form that was asked for', async () => {
    expect(await look('1.1.1.1', true)).toEqual([[{ address: '1.1.1.1', family: 4 }]]);
    expect(await look('1.1.1.1', false)).toEqual(['1.1.1.1', 4]);
  });

  test('leads to its public addresses alone', async () => {
    await nameServer((type) => (type === 'A' ? ['10.0.0.1', '93.184.216.34', '127.0.0.1'] : []));
    expect(await look('mixed.example', true)).toEqual([[{ address: '93.184.216.34', family: 4 }]]);
    expect(await look('mixed.example', false)).toEqual(['93.184.216.34', 4]);
  });

  test('that leads to this network is refused', async () => {
    await nameServer((type) => (type === 'A' ? ['10.0.0.1'] : []));
    expect(await look('inside.example', true)).toMatchObject({ code: notPublic });
  });

  test('that is not there is told as such', async () => {
    await nameServer(() => []);
    expect(await look('gone.example', true)).toMatchObject({ code: 'ENODATA' });
  });
});

test('files are read while name servers of strangers do not answer', async () => {
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

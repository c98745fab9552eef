// Which variables the service knows of an uploaded project, and what hostile projects can do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProjectVariables } from '../../../../cloud/service/storage/projectVariables.ts';
import { makeZip } from '../../../support/makeZip.ts';
import { temporaryFolder } from '../../../support/project.ts';

const declaring = (json: string) =>
  `<!doctype html><html data-composition-variables='${json}'><div data-composition-id="a"></div></html>`;
const title = { id: 'title', type: 'string' };

function read(files: Record<string, string>, limitMs?: number, most?: number) {
  const archive = join(temporaryFolder(), 'project.zip');
  writeFileSync(archive, makeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  return readProjectVariables(archive, limitMs, most);
}

test('reads the declarations of all compositions', async () => {
  const options = [{ value: 'warm', label: 'Warm' }];
  const look = { id: 'look', type: 'enum', label: 'Look', default: 'warm', options };
  const files = {
    'index.html': declaring(JSON.stringify([{ ...title, label: 'Title', default: 'Hello' }, look])),
    'parts/card.htm': declaring(JSON.stringify([title, { id: 'size', type: 'inch' }])),
    'notes.txt': declaring(JSON.stringify([title])),
  };
  expect(await read(files)).toEqual({
    'index.html': { declarations: [title, { id: 'look', type: 'enum', options }], invalid: [] },
    'parts/card.htm': { declarations: [title], invalid: ['size'] },
  });
});

test('reads paths relative to the only folder of an archive', async () => {
  const files = { 'my-video/index.html': declaring(JSON.stringify([title])), '__MACOSX/index.html': '' };
  expect(await read(files)).toMatchObject({ 'index.html': { declarations: [title] } });
});

test('leaves out files that are too large', async () => {
  const large = declaring(JSON.stringify([title])) + ' '.repeat(513 * 1024);
  expect(await read({ 'index.html': large, 'other.html': declaring('[]') })).toEqual({
    'other.html': { declarations: [], invalid: [] },
  });
});

test('knows nothing of a project that takes too long', async () => {
  const slow = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}.html`, '<a><p>'.repeat(80_000)]));
  const heartbeats: number[] = [];
  const timer = setInterval(() => heartbeats.push(1), 100);
  expect(await read(slow, 2_000)).toBeUndefined();
  clearInterval(timer);
  // Other requests are served meanwhile.
  expect(heartbeats.length).toBeGreaterThan(5);
});

test('knows nothing of a project if too many others wait', async () => {
  const small = { 'index.html': declaring('[]') };
  const found = await Promise.all(Array.from({ length: 6 }, () => read(small, 60_000, 3)));
  expect(found.map((one) => one !== undefined)).toEqual([true, true, true, true, false, false]);
});

test('knows nothing of a damaged archive', async () => {
  const archive = join(temporaryFolder(), 'project.zip');
  writeFileSync(archive, 'PK');
  expect(await readProjectVariables(archive)).toBeUndefined();
});

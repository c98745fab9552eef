// The check of an uploaded project: which variables the service knows of it, and what hostile projects can do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CheckLimits, checkProject } from '../../../../cloud/service/storage/projectCheck.ts';
import { makeZip } from '../../../support/makeZip.ts';
import { temporaryFolder } from '../../../support/project.ts';

const declaring = (json: string) =>
  `<!doctype html><html data-composition-variables='${json}'><div data-composition-id="a"></div></html>`;
const title = { id: 'title', type: 'string' };

function archiveOf(files: Record<string, string>): string {
  const archive = join(temporaryFolder(), 'project.zip');
  writeFileSync(archive, makeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  return archive;
}

const check = (files: Record<string, string>, limits?: Partial<CheckLimits>) => checkProject(archiveOf(files), limits);
const read = async (files: Record<string, string>) => (await check(files)).variables;

/** Takes more than two seconds to parse. */
const slow = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}.html`, '<a><p>'.repeat(80_000)]));

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

test('knows no variables of a project that takes too long', async () => {
  const heartbeats: number[] = [];
  const timer = setInterval(() => heartbeats.push(1), 100);
  expect(await check(slow, { variablesMs: 2_000 })).toEqual({ entries: 8 });
  clearInterval(timer);
  // Other requests are served meanwhile.
  expect(heartbeats.length).toBeGreaterThan(5);
});

test('checks no archive for longer than its limit', async () => {
  const entries = Array.from({ length: 20_000 }, (_, at) => ({ name: `${at}.txt`, method: 0 }));
  const archive = join(temporaryFolder(), 'project.zip');
  writeFileSync(archive, makeZip(entries));
  await expect(checkProject(archive, { archiveMs: 1 })).rejects.toThrow('could not be checked in time');
});

test('refuses projects if too many others wait', async () => {
  const archive = archiveOf({ 'index.html': declaring('[]') });
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => checkProject(archive, { waiting: 3 })));
  const refused = { code: 'service_unavailable', retryAfter: 10 };
  expect(results).toMatchObject([
    ...Array.from({ length: 4 }, () => ({ value: { entries: 1 } })),
    ...Array.from({ length: 2 }, () => ({ reason: refused })),
  ]);
});

test('says why an archive is refused, and how many entries it has', async () => {
  expect(await check({ 'index.html': '', '../b.html': '' })).toEqual({
    entries: 2,
    refusal: '"../b.html" in the zip archive is outside the project.',
  });
  const archive = join(temporaryFolder(), 'project.zip');
  writeFileSync(archive, 'PK');
  expect(await checkProject(archive)).toEqual({
    entries: 0,
    refusal: 'This is not a zip archive, or its end is missing.',
  });
});

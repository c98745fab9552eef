// Objects of the service in a backup: links, or copies where links are not possible.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkOrCopy } from '../../../../cloud/service/backup/backupFiles.ts';
import { folderOnOtherDisk } from '../../../support/otherDisk.ts';
import { temporaryFolder } from '../../../support/project.ts';

async function backUp(folder: string) {
  const from = join(temporaryFolder(), 'object');
  const to = join(folder, 'object');
  writeFileSync(from, 'video');
  const isThere = await linkOrCopy(from, to);
  return { isThere, text: readFileSync(to, 'utf8'), names: statSync(from).nlink };
}

test('links an object on the same disk', async () =>
  expect(await backUp(temporaryFolder())).toEqual({ isThere: true, text: 'video', names: 2 }));

test('copies an object to another disk', async (context) =>
  expect(await backUp(folderOnOtherDisk(context))).toEqual({ isThere: true, text: 'video', names: 1 }));

test('returns false for an object that was deleted', async () =>
  expect(await linkOrCopy('/missing/object', join(temporaryFolder(), 'object'))).toBe(false));

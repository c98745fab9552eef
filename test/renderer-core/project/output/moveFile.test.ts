// Files that move to another folder or another disk.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveFile } from '../../../../renderer-core/project/output/moveFile.ts';
import { folderOnOtherDisk } from '../../../support/otherDisk.ts';
import { temporaryFolder } from '../../../support/project.ts';

async function moveTo(folder: string) {
  const from = join(temporaryFolder(), 'segment.mp4');
  writeFileSync(from, 'frames');
  await moveFile(from, join(folder, 'chunk.mp4'));
  const text = readFileSync(join(folder, 'chunk.mp4'), 'utf8');
  return { names: readdirSync(folder), text, isLeft: existsSync(from) };
}

const moved = { names: ['chunk.mp4'], text: 'frames', isLeft: false };

test('moves a file to another folder', async () => expect(await moveTo(temporaryFolder())).toEqual(moved));

test('moves a file to another disk', async (context) =>
  expect(await moveTo(folderOnOtherDisk(context))).toEqual(moved));

test('rejects a missing file', () => expect(moveFile('/missing/a', '/missing/b')).rejects.toThrow('ENOENT'));

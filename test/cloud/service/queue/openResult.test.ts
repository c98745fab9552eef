// A worker that a page has taken control of cannot make the service read its own files.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openResult } from '../../../../cloud/service/queue/openResult.ts';
import { temporaryFolder } from '../../../support/project.ts';

test('opens files, and no links and folders', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'video.mp4'), 'video');
  symlinkSync(join(folder, 'video.mp4'), join(folder, 'link.mp4'));
  symlinkSync(folder, join(folder, 'segments'));
  mkdirSync(join(folder, 'folder.mp4'));
  const file = await openResult(folder, 'video.mp4');
  expect(await file.readFile('utf8')).toBe('video');
  await file.close();
  await expect(openResult(folder, 'link.mp4')).rejects.toThrow('ELOOP');
  await expect(openResult(folder, 'folder.mp4')).rejects.toThrow("the worker's folder.mp4 is not a file");
  await expect(openResult(join(folder, 'segments'), 'video.mp4')).rejects.toThrow('is a link');
});

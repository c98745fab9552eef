// A render that fills the disk.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchDisk } from '../../../../cloud/service/queue/diskWatch.ts';
import type { RenderFailure } from '../../../../cloud/service/queue/renderFailure.ts';
import { temporaryFolder } from '../../../support/project.ts';

test('ends a render with too many empty folders', async () => {
  const folder = temporaryFolder();
  for (let at = 0; at < 300; at++) mkdirSync(join(folder, `${at}`));
  const failure = await new Promise<RenderFailure>((resolve) => void watchDisk(folder, 1024 ** 2, resolve));
  expect(failure).toEqual({
    code: 'framework_project_invalid',
    message: 'The render stored more than 1 MB of temporary files, the limit for every render.',
  });
});

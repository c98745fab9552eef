import { chmod, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserBuilt } from '../../../renderer-core/capture/browserAge.ts';
import { temporaryFolder } from '../../support/project.ts';

const day = (text: string) => new Date(text);

test('the age of a browser is that of its program, also if a script starts it', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'chromium-program');
  const script = join(folder, 'chromium');
  const link = join(folder, 'browser');
  await writeFile(program, Buffer.alloc(100_000));
  await writeFile(script, `#!/bin/sh -e\n\n${program} "$@"\n`);
  await chmod(script, 0o755);
  await symlink(script, link);
  await utimes(program, day('2026-11-22'), day('2026-11-22'));
  await utimes(script, day('2026-10-11'), day('2026-10-11'));
  for (const path of [program, script, link])
    expect(await browserBuilt({ path, source: 'installed' })).toBe(Date.parse('2026-11-22'));
});

test('the age of the pinned browser is not that of its unpacked files', async () => {
  expect(await browserBuilt({ path: process.execPath, source: 'embedded' })).toBe(Date.parse('2026-09-11'));
});

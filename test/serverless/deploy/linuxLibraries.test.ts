// The libraries of FFmpeg for Linux on a machine whose npm has not installed them.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '../../../renderer-core/project/packageFolder.ts';
import { linuxPackages } from '../../../serverless/deploy/linuxLibraries.ts';
import { temporaryFolder } from '../../support/project.ts';
import { startMirror } from '../../support/servers/mirror.ts';

const libraries = '@seydx/node-av-linux-x64';

/** Like npm on macOS and Windows: without the libraries for Linux. */
const elsewhere: typeof findPackage = async (name, ...from) =>
  name === libraries ? undefined : findPackage(name, ...from);

const search = (env: NodeJS.ProcessEnv) => linuxPackages({ installed: elsewhere, env, now: Date.now });

test('uses those that an earlier deployment has downloaded', async () => {
  const programs = temporaryFolder();
  const folder = join(programs, 'ffmpeg-linux-x64-node-av-6.1.1');
  mkdirSync(folder);
  writeFileSync(join(folder, 'node-av.node'), 'the libraries');
  chmodSync(join(folder, 'node-av.node'), 0o755);
  const env = { PATH: process.env.PATH, FRAMEWORK_PROGRAMS_DIR: programs };
  expect(await search(env)(libraries)).toEqual({ folder, version: '6.1.1' });
});

test('downloads them with npm, and refuses an archive with another checksum', async () => {
  const registry = await startMirror();
  try {
    const dist = { tarball: `${registry.url}/package.tgz` };
    const document = { name: libraries, versions: { '6.1.1': { name: libraries, version: '6.1.1', dist } } };
    registry.files.set('/@seydx%2fnode-av-linux-x64', { content: Buffer.from(JSON.stringify(document)) });
    registry.files.set('/package.tgz', { content: Buffer.from('something else') });
    const env = { ...process.env, npm_config_registry: registry.url, FRAMEWORK_PROGRAMS_DIR: temporaryFolder() };
    await expect(search(env)(libraries)).rejects.toMatchObject({
      code: 'download_failed',
      message: expect.stringContaining('@seydx/node-av-linux-x64@6.1.1'),
    });
    expect(registry.asked).toContain('/package.tgz');
  } finally {
    registry.close();
  }
});

test('finds nothing without npm, and all other packages where they are installed', async () => {
  const env = { PATH: '', FRAMEWORK_PROGRAMS_DIR: temporaryFolder() };
  expect(await search(env)(libraries)).toBeUndefined();
  expect(await search(env)('@sparticuz/chromium')).toEqual(await findPackage('@sparticuz/chromium'));
});

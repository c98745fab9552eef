// A data folder is used by one service at a time, and is unlocked when that service ends in any way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { lockData } from '../../../../cloud/service/storage/dataLock.ts';
import { temporaryFolder } from '../../../support/project.ts';

const lock = lockData;

test('locks a data folder once', async () => {
  const folder = temporaryFolder();
  const unlock = await lock(folder);
  await expect(lock(folder)).rejects.toThrow(`Another service is already using ${folder}`);
  unlock();
  (await lock(folder))();
});

test('unlocks it when its holder was killed', async () => {
  const folder = temporaryFolder();
  const path = new URL('../../../../cloud/service/storage/dataLock.ts', import.meta.url).href;
  const script = `const { lockData } = await import('${path}');
    await lockData(process.argv[1]);
    console.log('held'); setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script, folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await expect(lock(folder)).rejects.toThrow('Another service');
  child.kill('SIGKILL');
  await once(child, 'exit');
  (await lock(folder))();
});

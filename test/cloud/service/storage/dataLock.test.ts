// A data folder serves one service at a time, and is free again when that has gone, however it went.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { lockData } from '../../renderer-core/service/dataLock.ts';
import { temporaryFolder } from '../support/project.ts';

const lock = lockData;

test('is held by one', async () => {
  const folder = temporaryFolder();
  const unlock = await lock(folder);
  await expect(lock(folder)).rejects.toThrow(`Another service runs on ${folder}`);
  unlock();
  (await lock(folder))();
});

test('is free when its holder was killed', async () => {
  const folder = temporaryFolder();
  const path = new URL('../../renderer-core/service/dataLock.ts', import.meta.url).href;
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

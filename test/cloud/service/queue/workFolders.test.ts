// Folders of renders belong to one instance of the service, also if several share a data folder and have the same process ID.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkFolders } from '../../../../cloud/service/queue/workFolders.ts';
import { temporaryFolder } from '../../../support/project.ts';
import { renderFolders } from '../../../support/service/workFolders.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const open = (dataDir: string) => openWorkFolders(dataDir, () => noon);

test('keeps the folders of another instance that is running, even with the same process ID', async () => {
  const dataDir = temporaryFolder();
  const first = await open(dataDir);
  const render = await first.create();
  writeFileSync(join(render, 'project.zip'), 'zip');
  const second = await open(dataDir);
  await second.create();
  expect(existsSync(join(render, 'project.zip'))).toBe(true);
  expect(renderFolders(dataDir)).toHaveLength(2);
  await second.close();
  expect(existsSync(join(render, 'project.zip'))).toBe(true);
  await first.close();
  expect(readdirSync(join(dataDir, 'work'))).toEqual([]);
});

test('removes the folders of an instance that was killed', async () => {
  const dataDir = temporaryFolder();
  const path = new URL('../../../../cloud/service/queue/workFolders.ts', import.meta.url).href;
  const script = `const { openWorkFolders } = await import('${path}');
    const folders = await openWorkFolders(process.argv[1], Date.now);
    console.log(await folders.create()); setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(renderFolders(dataDir)).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = await open(dataDir);
  expect(renderFolders(dataDir)).toEqual([]);
  await next.close();
});

test('removes folders of versions without locks when they are a day old', async () => {
  const dataDir = temporaryFolder();
  for (const [name, age] of [
    ['7-young', 1],
    ['7-old', 25],
  ] as const) {
    const folder = join(dataDir, 'work', name);
    mkdirSync(folder, { recursive: true });
    const time = noon / 1000 - age * 60 * 60;
    utimesSync(folder, time, time);
  }
  const folders = await open(dataDir);
  await folders.close();
  expect(readdirSync(join(dataDir, 'work'))).toEqual(['7-young']);
});

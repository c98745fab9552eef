// Backups of SQLite with real processes: a service that runs and writes, commands, and kills.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { filesIn } from '../../../support/backup/backupData.ts';
import { backupKillTests } from '../../../support/backup/backupKillTests.ts';
import { runProgram } from '../../../support/program.ts';
import { addKey, operate, type ServedProgram, serveProgram } from '../../../support/service/serveProgram.ts';
import { assetForm, testFolder } from '../../../support/service/service.ts';

backupKillTests(() => undefined);

type Headers = Record<string, string>;

async function serve(dataDir: string): Promise<ServedProgram> {
  const service = await serveProgram(dataDir, ['--workers', '0']);
  onTestFinished(() => service.end());
  return service;
}

async function upload(url: string, headers: Headers): Promise<string> {
  const response = await fetch(`${url}/v3/assets`, { method: 'POST', headers, body: assetForm() });
  expect(response.status).toBe(200);
  return (await response.json()).data.asset_id;
}

/** Submits a render of the project, and returns the status. */
async function submit(url: string, headers: Headers, asset_id: string): Promise<number> {
  const response = await fetch(`${url}/v3/framework/renders`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project: { type: 'asset_id', asset_id } }),
  });
  return response.status;
}

test('backs up a service that is running and writing, restores it, and undoes the restore', async () => {
  const dataDir = await testFolder();
  const folder = await testFolder();
  const headers = { 'x-api-key': await addKey(dataDir, 'ann@example.com') };
  const service = await serve(dataDir);
  const first = await upload(service.url, headers);
  let isDone = false;
  let uploads = 0;
  const use = async (): Promise<void> => {
    while (!isDone) {
      expect(await submit(service.url, headers, await upload(service.url, headers))).toBe(200);
      uploads++;
    }
  };
  const users = [use(), use()];
  const commands = [];
  for (const name of ['one', 'two']) {
    await vi.waitUntil(() => uploads > 5, { timeout: 60_000 });
    commands.push(await runProgram(['serve', 'backup', join(folder, name), '--data', dataDir, '--json']));
    uploads = 0;
  }
  isDone = true;
  await Promise.all(users);
  for (const { status, stdout, stderr } of commands) {
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ database: 'sqlite', missing: [] });
  }
  const last = await upload(service.url, headers);
  const restoring = ['serve', 'restore', join(folder, 'two'), '--data', dataDir, '--no-confirm'];
  const refused = await runProgram(restoring);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    `error: Another service is already using ${dataDir}\nhint: Stop the service, then restore the backup.\n`,
  ]);
  // Its log is not in the database file yet.
  await service.end('SIGKILL');
  expect(existsSync(join(dataDir, 'service.sqlite-wal'))).toBe(true);
  const restored = await runProgram([...restoring, '--json']);
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  const again = await serve(dataDir);
  expect(await submit(again.url, headers, first)).toBe(200);
  expect(await submit(again.url, headers, last)).toBe(400);
  const shown = filesIn(join(dataDir, 'objects'));
  expect(shown).toEqual({ ...filesIn(join(folder, 'two', 'objects')) });
  await again.end('SIGTERM');

  const undo = join(folder, 'undo');
  await runProgram(['serve', 'backup', undo, '--data', JSON.parse(restored.stdout).previous]);
  await operate(dataDir, ['restore', undo, '--no-confirm']);
  expect(readdirSync(join(dataDir, 'objects', 'assets'))).toContain(`${last}.zip`);
  const old = await serve(dataDir);
  expect(await submit(old.url, headers, last)).toBe(200);
});

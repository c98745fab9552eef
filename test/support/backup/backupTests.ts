// Tests of backups that SQLite and PostgreSQL share.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { balanceOf } from '../../../cloud/service/auth/accounts.ts';
import { completeRender } from '../../../cloud/service/queue/completeRender.ts';
import { holdCredits } from '../../../cloud/service/queue/credits.ts';
import { expiredLeases, leaseNextRender, leaseTerms, requeue } from '../../../cloud/service/queue/leases.ts';
import { type DatabaseLocation, openUnmigrated } from '../../../cloud/service/storage/database.ts';
import { type TestService, testFolder, testService, testUser } from '../service/service.ts';
import {
  everything,
  filesIn,
  fillService,
  locationOf,
  outcome,
  restore,
  uploadAsset,
  writeBackup,
} from './backupData.ts';

/** `newDatabaseUrl` creates an empty database; it returns undefined for SQLite. */
export function backupTests(kind: 'sqlite' | 'postgresql', newDatabaseUrl: () => string | undefined): void {
  const open = (): Promise<TestService> => testService({ databaseUrl: newDatabaseUrl() });
  const emptyLocation = async (): Promise<DatabaseLocation> => ({
    dataDir: await testFolder(),
    databaseUrl: newDatabaseUrl(),
  });
  const databaseFile = kind === 'sqlite' ? 'service.sqlite' : 'service.dump';

  test('restores everything that a running service has stored', async () => {
    const service = await open();
    const { headers, completed, running, asset } = await fillService(service);
    const target = join(await testFolder(), 'backup');
    const shown = await service.app.request(`/v3/framework/renders/${completed}`, { headers });
    const { video_url } = (await shown.json()).data;
    const manifest = await writeBackup(locationOf(service), target);
    expect(manifest).toMatchObject({ version: '1.2.3', created_at: '2026-11-23T10:20:30.000Z', missing: [] });
    expect(manifest.files.map(({ path }) => path)).toEqual([
      databaseFile,
      `objects/assets/${asset}.zip`,
      `objects/segments/${running}-0-ab.mp4`,
      `objects/thumbnails/${completed}.jpg`,
      `objects/videos/${completed}.mp4`,
    ]);
    const before = await everything(locationOf(service));
    const location = await emptyLocation();
    expect(await restore(location, target)).toEqual({ manifest, previous: null });
    const after = await everything(location);
    expect(after.rows).toEqual(before.rows);
    expect(before.files).toMatchObject(after.files);
    // Files of the deleted render are not in the backup.
    expect([Object.keys(before.files).length, Object.keys(after.files).length]).toEqual([6, 4]);
    const restored = await testService(location);
    const me = await restored.app.request('/v3/users/me', { headers });
    expect((await me.json()).data).toMatchObject({ billing: { credits_remaining: 85 } });
    const video = await restored.app.request(video_url);
    expect([video.status, await video.text()]).toEqual([200, `video of ${completed}`]);
  });

  test('can only be read by its owner', async () => {
    const service = await open();
    await fillService(service);
    const target = join(await testFolder(), 'backup');
    await writeBackup(locationOf(service), target);
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const found = readdirSync(target, { recursive: true, withFileTypes: true });
    expect(new Set([target, ...found.filter((one) => one.isDirectory()).map(pathOf)].map(modeOf))).toEqual(
      new Set(['700']),
    );
    expect(
      new Set(
        found
          .filter((one) => one.isFile())
          .map(pathOf)
          .map(modeOf),
      ),
    ).toEqual(new Set(['600']));
  });

  test('charges a render once that was running during the backup', async () => {
    const service = await open();
    const { running, accountId } = await fillService(service);
    const target = join(await testFolder(), 'backup');
    await writeBackup(locationOf(service), target);
    // The old service completes it after the backup.
    const [lease] = await expiredLeases(service.context.database, Number.MAX_SAFE_INTEGER);
    if (lease)
      await completeRender(
        service.context.database,
        lease,
        { ...outcome, video_key: 'videos/x.mp4', thumbnail_key: null },
        1,
      );
    const location = await emptyLocation();
    await restore(location, target);
    const { context, clock } = await testService(location);
    const { database } = context;
    clock.now += leaseTerms.leaseMs + 1;
    const [expired, ...others] = await expiredLeases(database, clock.now);
    expect([expired?.render.id, others]).toEqual([running, []]);
    if (expired === undefined) throw new Error('its lease has not expired');
    expect(await requeue(database, expired, 'interrupted', clock.now)).toBe(true);
    const again = await leaseNextRender(database, 'new', clock.now, leaseTerms);
    if (again === undefined) throw new Error('the render is not in the queue');
    expect(await holdCredits(database, again, 5, clock.now)).toEqual({ kind: 'held' });
    const done = { ...outcome, video_key: 'videos/x.mp4', thumbnail_key: null };
    expect(await completeRender(database, again, done, clock.now)).toBe(true);
    const entries = await database.selectFrom('ledger').selectAll().where('render_id', '=', running).execute();
    expect(entries).toMatchObject([{ kind: 'charge', amount: -5 }]);
    expect(await balanceOf(database, accountId)).toBe(85);
  });

  test('has every file of its rows while projects are uploaded and deleted', async () => {
    const service = await open();
    const user = await testUser(service.context);
    let isDone = false;
    let uploads = 0;
    const use = async (): Promise<void> => {
      const kept: string[] = [];
      while (!isDone) {
        kept.push(await uploadAsset(service, user));
        uploads++;
        const old = kept.length > 8 ? kept.shift() : undefined;
        if (old !== undefined)
          await service.app.request(`/v3/assets/${old}`, { method: 'DELETE', headers: user.headers });
      }
    };
    const users = [use(), use(), use()];
    const folder = await testFolder();
    for (const name of ['one', 'two', 'three']) {
      const since = uploads;
      while (uploads < since + 10) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await writeBackup(locationOf(service), join(folder, name))).toMatchObject({ missing: [] });
    }
    isDone = true;
    await Promise.all(users);
    for (const name of ['one', 'two', 'three']) {
      const location = await emptyLocation();
      await restore(location, join(folder, name));
      const database = await openUnmigrated(location);
      const assets = await database.selectFrom('assets').selectAll().where('deleted_at', 'is', null).execute();
      await database.destroy();
      expect(assets.length).toBeGreaterThan(8);
      expect(Object.keys(filesIn(join(location.dataDir, 'objects'))).sort()).toEqual(
        assets.map(({ object_key }) => object_key).sort(),
      );
    }
  });

  test('has a file that is stored after the first files were copied', async () => {
    const service = await open();
    const user = await testUser(service.context);
    const target = join(await testFolder(), 'backup');
    let asset = '';
    const { files } = await writeBackup(locationOf(service), target, {}, (source) => ({
      copyTo: async (path) => {
        asset = await uploadAsset(service, user);
        return source.copyTo(path);
      },
    }));
    expect(files.map(({ path }) => path)).toEqual([databaseFile, `objects/assets/${asset}.zip`]);
  });

  test('keeps a file that is deleted after the database was copied', async () => {
    const service = await open();
    const user = await testUser(service.context);
    const asset = await uploadAsset(service, user);
    const target = join(await testFolder(), 'backup');
    const { files, missing } = await writeBackup(locationOf(service), target, {}, (source) => ({
      copyTo: async (path) => {
        const names = await source.copyTo(path);
        await service.app.request(`/v3/assets/${asset}`, { method: 'DELETE', headers: user.headers });
        return names;
      },
    }));
    expect([files.length, missing]).toEqual([2, []]);
  });

  test('leaves out a file that is deleted before the database was copied', async () => {
    const service = await open();
    const user = await testUser(service.context);
    const asset = await uploadAsset(service, user);
    const target = join(await testFolder(), 'backup');
    await writeBackup(locationOf(service), target, {}, (source) => ({
      copyTo: async (path) => {
        await service.app.request(`/v3/assets/${asset}`, { method: 'DELETE', headers: user.headers });
        return source.copyTo(path);
      },
    }));
    expect(Object.keys(filesIn(target)).sort()).toEqual(['manifest.json', databaseFile]);
  });

  test('copies the database again if a file was stored and deleted meanwhile', async () => {
    const service = await open();
    const user = await testUser(service.context);
    const target = join(await testFolder(), 'backup');
    let copies = 0;
    const { files, missing } = await writeBackup(locationOf(service), target, {}, (source) => ({
      copyTo: async (path) => {
        if (copies++ > 0) return source.copyTo(path);
        const asset = await uploadAsset(service, user);
        const names = await source.copyTo(path);
        await service.app.request(`/v3/assets/${asset}`, { method: 'DELETE', headers: user.headers });
        return names;
      },
    }));
    expect([copies, files.length, missing]).toEqual([2, 1, []]);
  });

  test('reports files that the service had already lost', async () => {
    const service = await open();
    const { asset } = await fillService(service);
    rmSync(join(service.context.settings.dataDir, 'objects', 'assets', `${asset}.zip`));
    const target = join(await testFolder(), 'backup');
    const { files, missing } = await writeBackup(locationOf(service), target);
    expect([files.length, missing]).toEqual([4, [`assets/${asset}.zip`]]);
  });

  test('does not replace a file or folder', async () => {
    const service = await open();
    const target = join(await testFolder(), 'backup');
    await writeBackup(locationOf(service), target);
    const before = filesIn(target);
    await expect(writeBackup(locationOf(service), target)).rejects.toMatchObject({
      code: 'output_unwritable',
      message: `${target} already exists`,
    });
    expect(filesIn(target)).toEqual(before);
    expect(readdirSync(join(target, '..'))).toEqual(['backup']);
  });

  test('names every damaged file, and changes nothing', async () => {
    const service = await open();
    const { asset, completed } = await fillService(service);
    const backup = join(await testFolder(), 'backup');
    const { files } = await writeBackup(locationOf(service), backup);
    const [{ bytes } = { bytes: 0 }] = files;
    // A new file: the one in the backup can be the same as that of the service.
    const replace = (path: string, content: string) => {
      rmSync(join(backup, path));
      writeFileSync(join(backup, path), content);
    };
    replace(`objects/videos/${completed}.mp4`, `video of ${completed.toUpperCase()}`);
    replace(databaseFile, 'short');
    rmSync(join(backup, `objects/assets/${asset}.zip`));
    const location = await emptyLocation();
    await expect(restore(location, backup)).rejects.toMatchObject({
      code: 'backup_invalid',
      message: [
        `${backup} is damaged:`,
        `${databaseFile} has 5 instead of ${bytes} bytes`,
        `objects/assets/${asset}.zip is missing`,
        `objects/videos/${completed}.mp4 has other contents`,
      ].join('\n'),
    });
    expect(filesIn(join(location.dataDir, 'objects'))).toEqual({});
  });

  test.each([
    ['was written by a newer version', { schema: '999-later' }, 'disk'],
    ['SERVICE_S3_BUCKET is set', {}, 's3'],
    ['SERVICE_S3_BUCKET is not set', { objects: 'bucket' }, 'disk'],
    ['DATABASE_URL', { database: kind === 'sqlite' ? 'postgresql' : 'sqlite' }, 'disk'],
    ['is damaged, or was written by another version', { format: 2 }, 'disk'],
    ['is damaged', { files: [{ path: 'objects/../../x', bytes: 1, sha256: 'a'.repeat(64) }] }, 'disk'],
  ] as const)('refuses a backup: %s', async (message, changes, objects) => {
    const service = await open();
    const backup = join(await testFolder(), 'backup');
    const manifest = await writeBackup(locationOf(service), backup);
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }));
    await expect(restore(await emptyLocation(), backup, { objects })).rejects.toThrow(message);
  });
}

const pathOf = ({ parentPath, name }: { parentPath: string; name: string }): string => join(parentPath, name);

// The context of a render queue in a data folder: SQLite, a folder of objects, and the real clock.
import { join } from 'node:path';
import type { ServiceContext } from '../../../cloud/service/context.ts';
import { createMetrics } from '../../../cloud/service/metrics.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import { createDiskObjects } from '../../../cloud/service/storage/diskObjects.ts';
import { memoryCounts } from '../../../cloud/service/storage/limitCounts.ts';
import { testSettings } from './serviceSettings.ts';

export async function queueContext(
  dataDir: string,
  settings: Partial<ServiceSettings> = {},
  log: ServiceContext['log'] = () => {},
): Promise<ServiceContext> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  const freeBytes = async () => 1e12;
  const urlKey = Buffer.alloc(32);
  return {
    settings: testSettings(dataDir, { workers: 1, maxRunningRenders: 10, ...settings }),
    database,
    metrics: createMetrics({ database, workers: 1, freeBytes, now: Date.now }),
    freeBytes,
    openCounts: memoryCounts,
    objects: createDiskObjects({
      folder: join(dataDir, 'objects'),
      publicUrl: 'http://127.0.0.1',
      urlKey,
      now: Date.now,
    }),
    secrets: { urlKey, cookieKeys: [], jwks: { keys: [] } },
    now: Date.now,
    random: Math.random,
    env: process.env,
    log,
    instance: `test-${process.pid}`,
  };
}

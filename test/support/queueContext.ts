// The context of a render queue in a data folder: SQLite, a folder of objects, and the real clock.
import { join } from 'node:path';
import type { ServiceContext } from '../../cloud/service/context.ts';
import { createMetrics } from '../../cloud/service/metrics.ts';
import type { ServiceSettings } from '../../cloud/service/settings.ts';
import { openDatabase } from '../../cloud/service/storage/database.ts';
import { memoryCounts } from '../../cloud/service/storage/limitCounts.ts';
import { folderStore } from './folderStore.ts';

export async function queueContext(
  dataDir: string,
  settings: Partial<ServiceSettings> = {},
  log: ServiceContext['log'] = () => {},
): Promise<ServiceContext> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  const freeBytes = async () => 1e12;
  return {
    settings: {
      dataDir,
      host: '127.0.0.1',
      port: 0,
      publicUrl: 'http://127.0.0.1',
      databaseUrl: undefined,
      objects: { kind: 'disk' },
      workers: 1,
      maxRunningRenders: 10,
      maxFrameSeconds: 60,
      maxRenderDiskBytes: 1e9,
      drainSeconds: 0,
      engine: 'local',
      stackName: undefined,
      allowPrivateTargets: false,
      openSignUp: false,
      operators: [],
      initialCredits: 0,
      requestsPerMinute: 100,
      retentionDays: 1,
      quotas: { storedBytes: 1e9, uploads: 10, renders: 1000 },
      reservedDiskBytes: 0,
      maxConnections: 100,
      uploadPace: { bytesPerSecond: 1, windowMs: 60_000 },
      urlLifetime: 60,
      browserPath: undefined,
      ffmpegPath: undefined,
      ...settings,
    },
    database,
    metrics: createMetrics({ database, workers: 1, freeBytes, now: Date.now }),
    freeBytes,
    openCounts: memoryCounts,
    objects: folderStore(join(dataDir, 'objects')),
    secrets: { urlKey: Buffer.alloc(32), cookieKeys: [], jwks: { keys: [] } },
    now: Date.now,
    random: Math.random,
    env: process.env,
    log,
    instance: `test-${process.pid}`,
  };
}

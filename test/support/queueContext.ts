// The context of a render queue in a data folder: SQLite, a folder of objects, and the real clock.
import { join } from 'node:path';
import type { ServiceContext } from '../../cloud/service/context.ts';
import type { ServiceSettings } from '../../cloud/service/settings.ts';
import { openDatabase } from '../../cloud/service/storage/database.ts';
import { folderStore } from './folderStore.ts';

export async function queueContext(
  dataDir: string,
  settings: Partial<ServiceSettings> = {},
  log: ServiceContext['log'] = () => {},
): Promise<ServiceContext> {
  return {
    settings: {
      dataDir,
      host: '127.0.0.1',
      port: 0,
      publicUrl: 'http://127.0.0.1',
      databaseUrl: undefined,
      objects: { kind: 'disk' },
      workers: 1,
      engine: 'local',
      stackName: undefined,
      allowPrivateTargets: false,
      openSignUp: false,
      initialCredits: 0,
      requestsPerMinute: 100,
      retentionDays: 1,
      urlLifetime: 60,
      browserPath: undefined,
      ffmpegPath: undefined,
      ...settings,
    },
    database: await openDatabase({ dataDir, databaseUrl: undefined }),
    objects: folderStore(join(dataDir, 'objects')),
    secrets: { urlKey: Buffer.alloc(32), cookieKeys: [], jwks: { keys: [] } },
    now: Date.now,
    random: Math.random,
    env: process.env,
    log,
    instance: `test-${process.pid}`,
  };
}

// The settings of a service that no test reaches. Processes of tests use them too, so nothing here is of vitest.
import type { Quotas, ServiceSettings } from '../../../cloud/service/settings.ts';

/** Tests do not reach them. */
export const testQuotas: Quotas = { storedBytes: 100_000_000_000, uploads: 1000, renders: 10_000 };

export function testSettings(dataDir: string, given: Partial<ServiceSettings> = {}): ServiceSettings {
  return {
    dataDir,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://127.0.0.1:8787',
    databaseUrl: undefined,
    objects: { kind: 'disk' },
    // Rendering is disabled: renders stay in their submitted state.
    workers: 0,
    maxRunningRenders: 2,
    maxFrameSeconds: 60,
    maxRenderDiskBytes: 1e9,
    drainSeconds: 0,
    engine: 'local',
    stackName: undefined,
    allowPrivateTargets: false,
    openSignUp: false,
    operators: [],
    initialCredits: 100,
    requestsPerMinute: 100_000,
    retentionDays: 30,
    quotas: testQuotas,
    reservedDiskBytes: 0,
    maxConnections: 1000,
    uploadPace: { bytesPerSecond: 1, windowMs: 60_000 },
    urlLifetime: 3600,
    browserPath: undefined,
    ffmpegPath: undefined,
    ...given,
  };
}

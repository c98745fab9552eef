// The hosted service in a temporary folder, with accounts and keys, for tests that send requests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { type AssetRequest, createAsset } from '../../cloud/service/api/assets.ts';
import { createAccount, newAccount } from '../../cloud/service/auth/accounts.ts';
import { createApiKey } from '../../cloud/service/auth/apiKeys.ts';
import type { ServiceContext } from '../../cloud/service/context.ts';
import { createService, type Service, type ServiceIo } from '../../cloud/service/service.ts';
import type { Quotas, ServiceSettings } from '../../cloud/service/settings.ts';

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

export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export type TestService = Service & {
  /** The time that all parts see, in Unix milliseconds. Tests may change it. */
  clock: { now: number };
  logged: Record<string, unknown>[];
};

/** Closed when the test ends. Its clock does not advance. `start`: the time of files, where it matters. */
export async function testService(
  given: Partial<ServiceSettings> = {},
  { start = 1_800_000_000_000, ...io }: Pick<ServiceIo, 'freeBytes'> & { start?: number } = {},
): Promise<TestService> {
  const settings = testSettings(given.dataDir ?? (await testFolder()), given);
  const clock = { now: start };
  const logged: Record<string, unknown>[] = [];
  const log = (level: string, message: string, facts?: object) => {
    logged.push({ level, message, ...facts });
  };
  const service = await createService(settings, { log, now: () => clock.now, ...io });
  onTestFinished(() => service.close());
  return { ...service, clock, logged };
}

export type TestUser = { accountId: string; key: string; headers: Record<string, string> };

let users = 0;

export async function testUser(context: ServiceContext, credits = 100): Promise<TestUser> {
  const email = `user${++users}@example.com`;
  const password = 'correct horse';
  const account = await createAccount(context.database, await newAccount({ email, password, credits }), context.now());
  const { key } = await createApiKey(context.database, { accountId: account.id, name: 'test' }, context.now());
  return { accountId: account.id, key, headers: { 'x-api-key': key } };
}

/** An uncompressed ZIP archive of one page. */
export const projectZip = zipOf('index.html', '<!doctype html><title>A project</title>');

function zipOf(name: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(bytes.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), bytes]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

export function assetForm(content: Uint8Array = projectZip, name = 'file'): FormData {
  const form = new FormData();
  form.set(name, new Blob([content as Uint8Array<ArrayBuffer>], { type: 'application/zip' }), 'project.zip');
  return form;
}

/** The body of an upload and its headers, as the API reads them from a request. */
export function uploadForm(content: Uint8Array = projectZip): Pick<AssetRequest, 'headers'> & { bytes: Buffer } {
  const boundary = 'cut-here';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="p.zip"\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return { bytes, headers: { contentType, contentLength: String(bytes.length) } };
}

/** Uploads an archive without an HTTP server. */
export function upload(context: ServiceContext, accountId: string, content?: Uint8Array, key?: string) {
  const { bytes, headers } = uploadForm(content);
  return createAsset(context, { accountId, key, headers, body: Readable.from([bytes]) });
}

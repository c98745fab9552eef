// The hosted service in a temporary folder, with accounts and keys, for tests that send requests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type AssetRequest, createAsset } from '../../../cloud/service/api/assets.ts';
import { createAccount, newAccount } from '../../../cloud/service/auth/accounts.ts';
import { createApiKey } from '../../../cloud/service/auth/apiKeys.ts';
import type { ServiceContext } from '../../../cloud/service/context.ts';
import { createService, type Service, type ServiceIo } from '../../../cloud/service/service.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import { makeZip } from '../makeZip.ts';
import { testSettings } from './serviceSettings.ts';

export { testQuotas, testSettings } from './serviceSettings.ts';

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
export const projectZip = makeZip([
  { name: 'index.html', data: '<!doctype html><title>A project</title>', mode: 0, method: 0 },
]);

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

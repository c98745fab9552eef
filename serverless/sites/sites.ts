// Uploads projects as sites. Site and files are named by their content, so that only changed files are uploaded.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import mime from 'mime';
import pLimit from 'p-limit';
import { insidePath, listUploadFiles, type UploadFile } from '../../renderer-core/project/uploadFiles.ts';
import { withAws } from '../awsErrors.ts';
import type { Bucket } from '../bucket.ts';
import { keys } from '../keys.ts';
import type { SiteEvent, SiteUpload } from '../renders/reports.ts';
import type { Store } from '../store.ts';
import type { SiteFile } from './siteFiles.ts';

const maxConcurrentUploads = 16;
const maxConcurrentHashes = 4;

export type Site = { siteId: string; files: SiteFile[]; sent: UploadFile[]; warnings: string[] };

/**
 * Lists and hashes the files; uploads nothing. `outputs`: paths that the command writes, which do not belong to the project even if
 * they are in its folder. Throws UserError as `listUploadFiles` does.
 */
export async function readSite(
  projectDir: string,
  { signal, outputs = [] }: { signal?: AbortSignal; outputs?: readonly string[] } = {},
): Promise<Site> {
  const { files: sent, warnings } = await listUploadFiles(projectDir, {
    except: outputs.flatMap((output) => insidePath(projectDir, output)),
    ...(signal === undefined ? {} : { signal }),
  });
  const limit = pLimit(maxConcurrentHashes);
  const files = await Promise.all(
    sent.map(({ path, real, size }) => limit(async () => ({ path, sha256: await sha256(real), bytes: size }))),
  );
  return { siteId: siteIdOf(files), files, sent, warnings };
}

/** The first 16 hex digits of a hash of the sorted paths and content hashes. */
export function siteIdOf(files: readonly Pick<SiteFile, 'path' | 'sha256'>[]): string {
  const sorted = files.map(({ path, sha256 }) => [path, sha256]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

type SendOptions = { signal?: AbortSignal; outputs?: readonly string[]; onEvent?: (event: SiteEvent) => void };

/** Reads the project and uploads it. */
export async function uploadSite(bucket: Bucket, projectDir: string, options: SendOptions = {}): Promise<SiteUpload> {
  const site = await withAws('Reading the project', () => readSite(projectDir, options));
  const sent = await withAws('Uploading the project', () => sendSite(bucket, site, options));
  return { ...sent, bucketName: bucket.name };
}

/** Uploads the files that are not in the store. The list of files is written last, when all files exist. */
export async function sendSite(
  store: Store,
  { siteId, files, sent, warnings }: Site,
  options: SendOptions,
): Promise<Omit<SiteUpload, 'bucketName'>> {
  const handle = { siteId, files: files.length, bytes: sum(files), warnings };
  if ((await store.size(keys.site(siteId))) !== undefined) return { ...handle, uploadedFiles: 0, uploadedBytes: 0 };
  const missing = await missingFiles(store, files);
  const total = sum(missing.map(({ file }) => file));
  let done = 0;
  const limit = pLimit(maxConcurrentUploads);
  await Promise.all(
    missing.map(({ file, index }) =>
      limit(async () => {
        const type = mime.getType(file.path) ?? 'application/octet-stream';
        await store.upload(keys.siteFile(file.sha256), sent[index]?.real ?? '', type);
        done += file.bytes;
        options.onEvent?.({ type: 'upload', done, total, bytes: file.bytes });
      }),
    ),
  );
  await store.putJson(keys.site(siteId), files);
  return { ...handle, uploadedFiles: missing.length, uploadedBytes: total };
}

/** One file per distinct content that is not in the store. */
async function missingFiles(store: Store, files: readonly SiteFile[]): Promise<{ file: SiteFile; index: number }[]> {
  const first = new Map(files.map((file, index) => [file.sha256, { file, index }] as const).reverse());
  const limit = pLimit(maxConcurrentUploads);
  const found = await Promise.all(
    [...first.values()].map((one) =>
      limit(async () => ((await store.size(keys.siteFile(one.file.sha256))) === undefined ? [one] : [])),
    ),
  );
  return found.flat();
}

const sum = (files: readonly { bytes: number }[]): number => files.reduce((all, { bytes }) => all + bytes, 0);

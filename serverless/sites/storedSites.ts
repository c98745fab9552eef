// Lists and deletes the sites of a bucket. Sites share files that have the same content.
import { DescribeExecutionCommand, type SFNClient } from '@aws-sdk/client-sfn';
import pLimit from 'p-limit';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';
import type { Bucket } from '../bucket.ts';
import { keys, sitesPrefix } from '../keys.ts';
import type { ExecutionInput } from '../renders/execution.ts';
import type { ListedSite } from '../renders/reports.ts';
import { listRunning } from '../renders/runningRenders.ts';
import type { SiteFile } from './siteFiles.ts';

const maxConcurrentRequests = 16;

type StoredSite = { siteId: string; files: SiteFile[]; uploadedAt: Date };

/** Newest first. */
export async function listSites(bucket: Bucket): Promise<ListedSite[]> {
  const sites = await withAws('Listing the sites', () => readSites(bucket));
  return sites
    .sort((a, b) => b.uploadedAt.getTime() - a.uploadedAt.getTime())
    .map(({ siteId, files, uploadedAt }) => ({
      siteId,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      uploadedAt: uploadedAt.toISOString(),
    }));
}

async function readSites(bucket: Bucket): Promise<StoredSite[]> {
  const limit = pLimit(maxConcurrentRequests);
  const found = await Promise.all(
    (await bucket.list(sitesPrefix, { deep: false })).map(({ key, modifiedAt }) =>
      limit(async () => {
        const files = await bucket.getJson<SiteFile[]>(key);
        const siteId = key.slice(sitesPrefix.length).replace(/\.json$/, '');
        return files ? [{ siteId, files, uploadedAt: modifiedAt }] : [];
      }),
    ),
  );
  return found.flat();
}

/**
 * Deletes a site, and its files that no other site uses. Throws UserError `site_not_found`, or `site_in_use` while renders of the
 * site run.
 */
export async function deleteSite(
  bucket: Bucket,
  siteId: string,
  { client, stateMachineArn }: { client: SFNClient; stateMachineArn: string },
): Promise<{ deletedFiles: number; deletedBytes: number }> {
  const own = await withAws('Reading the site', () => bucket.getJson<SiteFile[]>(keys.site(siteId)));
  if (!own) {
    throw new UserError('site_not_found', `The site ${siteId} does not exist in the bucket ${bucket.name}`, {
      hint: 'framework serverless sites list prints the sites.',
    });
  }
  const users = await rendersOf(siteId, client, stateMachineArn);
  if (users.length > 0) {
    throw new UserError('site_in_use', `${users.length} running renders use the site ${siteId}: ${users.join(', ')}`, {
      hint: 'Wait until they have ended, or cancel them with framework serverless cancel.',
    });
  }
  return withAws('Deleting the site', async () => {
    // First the list: without it, no render and no upload takes the files for complete.
    await bucket.remove(keys.site(siteId));
    const used = new Set((await readSites(bucket)).flatMap(({ files }) => files.map(({ sha256 }) => sha256)));
    const unused = [...new Map(own.map((file) => [file.sha256, file])).values()].filter(
      ({ sha256 }) => !used.has(sha256),
    );
    const limit = pLimit(maxConcurrentRequests);
    await Promise.all(unused.map(({ sha256 }) => limit(() => bucket.remove(keys.siteFile(sha256)))));
    return { deletedFiles: unused.length, deletedBytes: unused.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

/** The ids of the running renders of a site. */
async function rendersOf(siteId: string, client: SFNClient, stateMachineArn: string): Promise<string[]> {
  const limit = pLimit(maxConcurrentRequests);
  const running = await listRunning(client, stateMachineArn);
  const inputs = await withAws('Reading the running renders', () =>
    Promise.all(
      [...running].map((executionArn) =>
        limit(async () => {
          const { input = '{}' } = await client.send(new DescribeExecutionCommand({ executionArn }));
          return JSON.parse(input) as ExecutionInput;
        }),
      ),
    ),
  );
  return inputs.filter((input) => input.siteId === siteId).map(({ renderId }) => renderId);
}

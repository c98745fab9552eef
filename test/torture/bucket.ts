// A bucket on a real S3 server for the instances of a torture run.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CreateBucketCommand, GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { cephMissing, createCephAccount, startCeph } from '../support/servers/ceph.ts';

export type Bucket = {
  env: Record<string, string>;
  /** Copies all files to a folder, where the checks read them. */
  copyTo(folder: string): Promise<void>;
  stop(): Promise<void>;
};

const name = 'renders';

export async function startBucket(): Promise<Bucket> {
  const missing = cephMissing();
  if (missing !== undefined) throw new Error(`${missing} Use --store disk.`);
  const ceph = await startCeph();
  const { endpoint, accessKeyId, secretAccessKey } = await createCephAccount(ceph);
  const client = new S3Client({
    ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return {
    env: {
      ...{ SERVICE_S3_BUCKET: name, SERVICE_S3_ENDPOINT: endpoint, SERVICE_S3_PATH_STYLE: 'true' },
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: 'us-east-1' },
    },
    async copyTo(folder) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: name }))
        for (const { Key = '' } of Contents) {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key }));
          await mkdir(dirname(join(folder, Key)), { recursive: true });
          await pipeline(Body as Readable, createWriteStream(join(folder, Key)));
        }
    },
    async stop() {
      client.destroy();
      await ceph.stop();
    },
  };
}

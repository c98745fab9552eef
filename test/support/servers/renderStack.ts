// The render stack on the AWS doubles, with a small function instead of the renderer's 90 MB.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { ZipFile } from 'yazl';
import { openBucket } from '../../../serverless/bucket.ts';
import { type Deployed, deployStack } from '../../../serverless/deploy/deploy.ts';
import type { PlanResult, TaskInput } from '../../../serverless/renders/execution.ts';
import type { Aws } from '../../aws/endpoint.ts';

/** What the plan step of a function that renders nothing returns. */
export const planOf = (task: TaskInput, planKey: string, chunkCount: number): PlanResult => ({
  ...{ task, planKey, chunkCount, chunksKey: 'chunks.json' },
  chunks: Array.from({ length: chunkCount }, (_, index) => ({ index })),
});

/** Deploys the real template with `handler` as the function's `handler.mjs`, and `files` of the build. */
export async function deployHandler(
  aws: Aws,
  handler: string,
  concurrency = 0,
  files: string[] = [],
): Promise<Deployed> {
  const folder = await mkdtemp(join(tmpdir(), 'function-'));
  const path = join(folder, 'function.zip');
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(handler), 'handler.mjs');
  for (const file of files) zip.addFile(file, basename(file));
  zip.end();
  await pipeline(zip.outputStream as Readable, createWriteStream(path));
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const client = new CloudFormationClient({
    region: 'us-east-1',
    endpoint: String(aws.env.AWS_ENDPOINT_URL_CLOUDFORMATION),
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const s3 = new S3Client({
    region: 'us-east-1',
    endpoint: String(aws.env.AWS_ENDPOINT_URL_S3),
    forcePathStyle: true,
    credentials: aws.s3.config.credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  try {
    return await deployStack({
      client,
      openBucket: (name) => openBucket(s3, name),
      stackName: 'framework-render',
      code: { path, sha256, bytes: (await stat(path)).size, unpackedBytes: handler.length },
      memory: 2048,
      concurrency,
      webhooks: files.length > 0,
      quotas: async () => ({ concurrency: 1000, unreserved: 1000, memoryMb: 10_240 }),
      confirm: async () => true,
      onEvent: () => undefined,
      now: Date.now,
      pollMs: 20,
    });
  } finally {
    client.destroy();
    s3.destroy();
    await rm(folder, { recursive: true });
  }
}

// Twelve processes render the chunks of a job in a bucket. Some are killed, and others continue.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { renderVideo } from '../../../sdk/renders.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const chunks = 12;
const moving = `<style>@keyframes go { to { translate: 200px } }</style><p style="animation:go 4s linear">a</p>`;

describe.skipIf(missing !== undefined)('a job in a bucket', () => {
  test('has the bytes of a local render although processes were killed', async () => {
    const { endpoint, accessKeyId, secretAccessKey } = await openCeph();
    const credentials = { accessKeyId, secretAccessKey };
    const s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    await s3.send(new CreateBucketCommand({ Bucket: 'jobs' }));
    s3.destroy();
    const env = {
      ...{ AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: 'us-east-1', FRAMEWORK_S3_PATH_STYLE: '1' },
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    };
    const projectDir = project({ 'index.html': composition(moving, { duration: 4 }) });
    const job = 's3://jobs/one/video';
    const framework = (...args: string[]) => runProgram(['chunks', ...args], env);
    expect(await framework('plan', projectDir, '--to', job, '--chunks', String(chunks))).toMatchObject({ status: 0 });
    const started = Array.from({ length: chunks }, (_, index) =>
      startProgram(['chunks', 'render', job, '--index', String(index)], env),
    );
    await sleep(3000);
    for (const { child } of started.slice(0, 4)) child.kill('SIGKILL');
    await Promise.all(started.map(({ done }) => done));
    const status = async () => JSON.parse((await framework('status', job, '--json')).stdout);
    const states = (await status()).chunks as { index: number; state: string }[];
    for (const { index, state } of states)
      if (state !== 'done')
        expect(await framework('render', job, '--index', String(index))).toMatchObject({ status: 0 });
    expect(await status()).toMatchObject({ done: chunks, total: chunks, framesDone: 120 });
    const [joined, local] = ['joined.mp4', 'local.mp4'].map((name) => join(temporaryFolder(), name));
    expect(await framework('join', job, '-o', joined as string)).toMatchObject({ status: 0 });
    await renderVideo({ projectDir, output: local as string, chunkFrames: 10 });
    expect(readFileSync(joined as string).equals(readFileSync(local as string))).toBe(true);
  });
});

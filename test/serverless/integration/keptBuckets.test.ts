// Deploying after `destroy`: the bucket that was kept is adopted, also after an interruption.
import { CreateBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { instantLambda, succeeded } from '../../aws/instantLambda.ts';
import { ServiceFault } from '../../aws/stepFunctions.ts';
import { runProgram } from '../../support/program.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('on AWS', () => {
  let ceph: CephAccount;
  let aws: Aws;
  let failing: string | undefined;

  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({
      s3: ceph,
      lambda: instantLambda(() => succeeded({})),
      trouble: ({ action }, { ChangeSetType }) =>
        action === 'cloudformation:CreateChangeSet' && ChangeSetType === failing
          ? new ServiceFault('ValidationError', 'not now')
          : undefined,
    });
  });
  afterAll(async () => {
    await aws?.close();
  });

  const framework = (...args: string[]) => runProgram(['serverless', ...args, '--yes'], aws.env);
  const bucketOf = ({ stdout }: { stdout: string }) => /RenderBucketName {2}(\S+)/.exec(stdout)?.[1];

  test('an adoption that was interrupted is continued', async () => {
    const first = bucketOf(await framework('deploy', '--no-canary'));
    await framework('destroy');
    failing = 'UPDATE';
    expect(await framework('deploy', '--no-canary')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Adopting the bucket'),
    });
    failing = undefined;
    const again = await framework('deploy', '--no-canary');
    expect({ status: again.status, bucket: bucketOf(again) }).toEqual({ status: 0, bucket: first });
  });

  test('a bucket that AWS does not import is left, and another one is created', async () => {
    await framework('destroy');
    const { Buckets: [kept] = [] } = await aws.s3.send(new ListBucketsCommand());
    failing = 'IMPORT';
    const deployed = await framework('deploy', '--no-canary');
    failing = undefined;
    expect(deployed).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/The bucket framework-render-renderbucket-\S+ cannot be adopted, .*not now/),
    });
    expect(bucketOf(deployed)).not.toBe(kept?.Name);
    await framework('destroy', '--all');
  });

  test('of several buckets, the newest is adopted and the others are named', async () => {
    const { Buckets: [older] = [] } = await aws.s3.send(new ListBucketsCommand());
    // Creation times are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const newer = 'framework-render-renderbucket-newer';
    await aws.s3.send(new CreateBucketCommand({ Bucket: newer }));
    await aws.s3.send(new CreateBucketCommand({ Bucket: 'framework-renderbucket-of-another-stack' }));
    const deployed = await framework('deploy', '--no-canary');
    expect(bucketOf(deployed)).toBe(newer);
    expect(deployed.stderr).toContain(`The bucket ${older?.Name} of an earlier stack is left as it is`);
    expect(deployed.stderr).not.toContain('of-another-stack');
  });
});

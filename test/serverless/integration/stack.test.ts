// The life of a stack whose function renders nothing: failed deployments, permissions, interrupted commands, deletion.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deploySite, getRenderProgress, renderToServerless } from '../../../sdk/index.ts';
import type { Deployed } from '../../../serverless/deploy/deploy.ts';
import { iamPolicies } from '../../../serverless/deploy/policies.ts';
import type { ResourceProvider } from '../../aws/cloudFormation.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { isAllowed } from '../../aws/identity.ts';
import type { AwsRequest } from '../../aws/recorder.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import { composition, project } from '../../support/project.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { deployHandler } from '../../support/servers/renderStack.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const handler = `export const handler = async () => {
  throw Object.assign(new Error('nothing is rendered here'), { name: 'Framework.Refused' });
};`;

type Rights = Record<string, unknown>[];
const both = (): Rights => Object.values(iamPolicies());

describe.skipIf(missing !== undefined)('the stack', () => {
  let ceph: CephAccount;
  let aws: Aws;
  let deployed: Deployed;
  let failing: string | undefined;
  let isBusy = false;
  let hold: (request: AwsRequest) => Promise<void> | undefined = () => undefined;
  let rights: Rights = [];
  const asked: { policy: 'deploy' | 'render'; requests: AwsRequest[] }[] = [];

  /** Does what the service does, or nothing. */
  const fails = (type: string): ResourceProvider => ({
    async put(id, _properties) {
      if (failing === type) throw new Error(`no more of ${type} in this account`);
      return { ref: id, attributes: { Arn: `arn:aws:iam::000000000000:role/${id}` } };
    },
  });

  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({
      s3: ceph,
      retryWaitMs: 500,
      disturb: () => (isBusy ? 'throttle' : undefined),
      hold: (request) => hold(request),
      rights: () => rights,
      providers: { 'AWS::IAM::Role': fails('AWS::IAM::Role') },
    });
  });
  afterAll(async () => {
    await aws?.close();
  });
  beforeEach(() => {
    failing = undefined;
    isBusy = false;
    hold = () => undefined;
  });

  const noted = async <T>(policy: 'deploy' | 'render', work: () => Promise<T>): Promise<T> => {
    const from = aws.requests.length;
    const result = await work();
    asked.push({ policy, requests: aws.requests.slice(from) });
    return result;
  };
  const deploy = () =>
    noted('deploy', async () => {
      deployed = await deployHandler(aws, handler);
    });
  const framework = (args: string[], onStart?: (child: ChildProcess) => void) =>
    noted(args[0] === 'destroy' ? 'deploy' : 'render', () => {
      const { child, done } = startProgram(['serverless', ...args], aws.env);
      onStart?.(child);
      return done;
    });

  test('names the resource that failed, and can be deployed again', async () => {
    failing = 'AWS::IAM::Role';
    await expect(deploy()).rejects.toThrow(
      /ended with the status UPDATE_ROLLBACK_COMPLETE: Render\w+Role \(AWS::IAM::Role\): no more of AWS::IAM::Role in this account/,
    );
    failing = undefined;
    await deploy();
    expect(deployed.stateMachineArn).toMatch(/:stateMachine:RenderStateMachine-/);
  });

  test('keeps the code of this deployment and of the one before', async () => {
    const code = async () => {
      const listed = await aws.s3.send(new ListObjectsV2Command({ Bucket: deployed.bucketName, Prefix: 'code/' }));
      return (listed.Contents ?? []).map(({ Key }) => Key);
    };
    const [first = ''] = await code();
    const changed = await noted('deploy', () => deployHandler(aws, `${handler}\n// changed`));
    expect(changed.isChanged).toBe(true);
    const [second = ''] = (await code()).filter((key) => key !== first);
    expect(await code()).toHaveLength(2);
    await noted('deploy', () => deployHandler(aws, `${handler}\n// changed again`));
    expect(await code()).not.toContain(first);
    expect(await code()).toContain(second);
    expect(await code()).toHaveLength(2);
    await deploy();
  });

  test('must be deleted when its creation failed', async () => {
    const stack = aws.cloudFormation.stacks.get('framework-render');
    const status = stack?.status ?? '';
    if (stack) stack.status = 'ROLLBACK_COMPLETE';
    await expect(deploy()).rejects.toMatchObject({
      code: 'deploy_failed',
      message: 'The stack framework-render cannot be updated in the state ROLLBACK_COMPLETE',
      hint: expect.stringContaining('framework serverless destroy --stack-name framework-render'),
    });
    if (stack) stack.status = status;
  });

  test('is used by the SDK with the printed outputs', async () => {
    for (const [name, value] of Object.entries(aws.env)) process.env[name] = value;
    const { bucketName, stateMachineArn } = deployed;
    const projectDir = project(composition('<p>Hello</p>'));
    await noted('render', async () => {
      const siteHandle = await deploySite({ projectDir, bucketName });
      const config = { fps: 30, format: 'mp4', variables: { title: 'Hello' } };
      const outputKey = 'videos/hello.mp4';
      const handle = await renderToServerless({ siteHandle, bucketName, stateMachineArn, config, outputKey });
      expect(handle).toMatchObject({ bucketName, outputKey });
      await expect
        .poll(() => getRenderProgress({ executionArn: handle.executionArn }), { timeout: 30_000 })
        .toMatchObject({
          status: 'FAILED',
          errors: [{ state: 'Plan', error: 'Framework.Refused', cause: 'nothing is rendered here' }],
        });
    });
  });

  test('continues a render when the command stops waiting', async () => {
    isBusy = true;
    const folder = project(composition('<p>Hello</p>'));
    const { status, stderr } = await framework(['render', folder, '--wait'], (child) =>
      child.stderr?.on('data', (text: Buffer) => {
        if (text.includes('planning')) child.kill('SIGINT');
      }),
    );
    const { arn, status: state } = aws.stepFunctions.executions.at(-1) ?? {};
    expect({ status, state }).toEqual({ status: 130, state: 'RUNNING' });
    expect(stderr).toContain(`continues. To see its progress: framework serverless progress ${arn}`);
    const progress = await framework(['progress', String(arn?.split(':').at(-1)), '--json']);
    expect(JSON.parse(progress.stdout)).toMatchObject({ status: 'RUNNING', overallProgress: 0, totalFrames: null });
  });

  test('cancels and resumes it, but not without its site', async () => {
    isBusy = true;
    const { name = '', input = '{}' } = aws.stepFunctions.executions.at(-1) ?? {};
    const { siteId } = JSON.parse(input) as { siteId: string };
    expect(await framework(['cancel', name])).toMatchObject({ status: 0 });
    expect(await framework(['resume', name])).toMatchObject({ status: 0 });
    expect(aws.stepFunctions.executions.at(-1)?.status).toBe('RUNNING');
    expect(await framework(['cancel', name])).toMatchObject({ status: 0 });
    expect(await framework(['sites', 'delete', siteId])).toMatchObject({ status: 0 });
    const { status, stdout } = await framework(['resume', name, '--json']);
    expect({ status, error: JSON.parse(stdout).error }).toMatchObject({
      status: 1,
      error: {
        code: 'render_not_resumable',
        message: `The render ${name} cannot be resumed: its site ${siteId} was deleted`,
      },
    });
  });

  test('has no site whose upload was interrupted', async () => {
    const folder = project({ 'index.html': composition('<p>other</p>'), 'a.txt': 'only here' });
    let child: ChildProcess | undefined;
    hold = ({ action }) => {
      if (action !== 's3:PutObject') return undefined;
      const ended = new Promise<void>((resolve) => child?.once('close', () => resolve()));
      child?.kill('SIGINT');
      return ended;
    };
    const lists = async () => {
      const listed = await aws.s3.send(new ListObjectsV2Command({ Bucket: deployed.bucketName, Prefix: 'sites/' }));
      return (listed.Contents ?? []).filter(({ Key = '' }) => /^sites\/[^/]*\.json$/.test(Key)).length;
    };
    const before = await lists();
    const { status, stderr } = await framework(['sites', 'create', folder], (started) => {
      child = started;
    });
    expect({ status, stderr }).toEqual({ status: 130, stderr: expect.stringContaining('cancelled') });
    expect(await lists()).toBe(before);
  });

  test('needs exactly the permissions of the printed policies', async () => {
    rights = both();
    const check = await runProgram(['serverless', 'policies', '--check', '--json'], aws.env);
    expect({ status: check.status, denied: JSON.parse(check.stdout).denied }).toEqual({ status: 0, denied: [] });
    rights = [iamPolicies().render];
    const { status, stdout } = await runProgram(['serverless', 'policies', '--check'], aws.env);
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringContaining('cloudformation:CreateChangeSet'),
    });
    const folder = project(composition('<p>Hello</p>'));
    await framework(['sites', 'create', folder]);
    // More lines than may run at the same time.
    const rows = join(folder, 'rows.jsonl');
    writeFileSync(rows, '{"outputKey":"a.mp4"}\n{"outputKey":"b.mp4"}');
    await framework(['render-batch', folder, '--batch', rows, '--max-concurrent', '1']);
    const names = iamPolicies();
    for (const { policy, requests } of asked)
      for (const { action, resource } of requests)
        expect({
          policy,
          action,
          resource,
          isAllowed: await isAllowed(action, resource, [names[policy]]),
        }).toMatchObject({
          isAllowed: true,
        });
    const actions = new Set(asked.flatMap(({ requests }) => requests.map(({ action }) => action)));
    // Only large files are uploaded in parts that must be aborted; manyChunks.test.ts has the failure of one of many chunks.
    const unused = ['s3:AbortMultipartUpload', 'states:ListMapRuns'];
    for (const action of names.render.Statement.flatMap(({ Action }) => Action))
      if (!unused.includes(action)) expect(actions).toContain(action);
    const elsewhere: [string, string][] = [
      ['s3:GetObject', 'arn:aws:s3:::other/a.txt'],
      ['s3:DeleteObject', 'arn:aws:s3:::other/a.mp4'],
      ['s3:DeleteBucket', 'arn:aws:s3:::other'],
      ['iam:CreateUser', 'arn:aws:iam::000000000000:user/other'],
      ['iam:AttachRolePolicy', 'arn:aws:iam::000000000000:role/framework-render-RenderFunctionRole-1'],
      ['iam:PassRole', 'arn:aws:iam::000000000000:role/admin'],
      ['lambda:UpdateFunctionCode', 'arn:aws:lambda:us-east-1:000000000000:function:other'],
      ['states:StartExecution', 'arn:aws:states:us-east-1:000000000000:stateMachine:other'],
    ];
    const video = `arn:aws:s3:::${deployed.bucketName}/renders/a.mp4`;
    expect(await isAllowed('s3:DeleteObject', video, [names.render])).toBe(false);
    for (const [action, resource] of elsewhere)
      expect({ action, resource, isAllowed: await isAllowed(action, resource, both()) }).toMatchObject({
        isAllowed: false,
      });
  });

  test('is deleted, but the bucket and its objects are kept', async () => {
    const { status, stdout } = await framework(['destroy', '--yes', '--json']);
    expect({ status, result: JSON.parse(stdout) }).toEqual({
      status: 0,
      result: {
        stackName: 'framework-render',
        destroyed: true,
        keptBucket: deployed.bucketName,
        deletedObjects: 0,
      },
    });
    const { KeyCount } = await aws.s3.send(new ListObjectsV2Command({ Bucket: deployed.bucketName, Prefix: 'sites/' }));
    expect(KeyCount).toBeGreaterThan(0);
    const { requests = [] } = asked.at(-1) ?? {};
    for (const { action, resource } of requests)
      expect(await isAllowed(action, resource, [iamPolicies().deploy])).toBe(true);
  });
});

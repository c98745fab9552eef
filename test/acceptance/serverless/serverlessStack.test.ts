// `serverless deploy`, `sites`, `policies` and `destroy`, and one real render, on the AWS doubles with the renderer's function.
// It is longer than 400 lines because all rows share one deployed stack, which takes half a minute to deploy.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, HeadBucketCommand, ListBucketsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { stackProtocol } from '../../../serverless/deploy/template.ts';
import type { StoredPlan } from '../../../serverless/renders/storedRender.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { composition } from '../../support/project.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';
import { accept, type Check, type Command } from '../acceptance.ts';
import { video } from '../pictures.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

let ceph: CephAccount;
let aws: Aws;
const stack = (name = 'framework-render') => aws.cloudFormation.stacks.get(name);
const resource = (name: string) => stack()?.resources.get(name)?.properties;

/** The function of the stack has these properties. */
const functionHas =
  (expected: object): Check =>
  () =>
    expect(resource('RenderFunction')).toMatchObject(expected);

/** Makes the stack look as if another version had deployed it. */
const hasProtocol =
  (RenderProtocol: string): Check =>
  () => {
    Object.assign(stack()?.outputs ?? {}, { RenderProtocol });
  };

const objects = async (prefix: string): Promise<string[]> => {
  const Bucket = stack()?.outputs.RenderBucketName;
  const { Contents = [] } = await aws.s3.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
  return Contents.map(({ Key = '' }) => Key);
};

/** Without its programs in the PATH: the commands need no other tool. */
const alone: Check = ({ env }) => {
  env.PATH = '';
};

/** In the second chunk, elements appear that painting would not sort by depth. */
const lateCards = `<script>setTimeout(() => { cards.style.display = 'block' }, 250)</script>
<div id="cards" style="display:none;position:absolute;inset:0;transform-style:preserve-3d">
  <i style="position:absolute;inset:0;background:red;transform:rotateY(45deg)"></i>
  <i style="position:absolute;inset:0;background:blue;transform:rotateY(-45deg)"></i>
</div>`;

const card = (text: string): string => composition(`<p>${text}</p>`);

/** The first 16 digits of the SHA-256 of `[["a.txt", sha256 of its content], …]`, computed with another program. */
const site: Record<string, string> = { 'index.html': '<p>one</p>', 'a.txt': 'a', 'b/c.txt': 'a' };
const siteId = 'a9eb64254e139949';

const writes =
  (path: string, content: string): Check =>
  ({ folder }) =>
    writeFileSync(join(folder, path), content);

/** No key and region in the environment, but in a profile of `~/.aws`. */
const onlyProfile: Check = ({ env }) => {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, HOME = '' } = env;
  mkdirSync(join(HOME, '.aws'));
  writeFileSync(
    join(HOME, '.aws/credentials'),
    `[other]\naws_access_key_id = ${id}\naws_secret_access_key = ${secret}\nregion = us-east-1\n`,
  );
  const unset = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_REGION: undefined };
  Object.assign(env, unset, { AWS_EC2_METADATA_DISABLED: 'true' });
};

const uploads = (files: number, uploadedFiles: number, id?: string): Command => ({
  run: 'serverless sites create --json',
  json: { files, uploadedFiles, ...(id === undefined ? {} : { siteId: id }) },
});

describe.skipIf(missing !== undefined)('on AWS', () => {
  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({ s3: ceph, retryWaitMs: 500 });
    // The first time, this compiles the runtime client of Lambda.
  }, 400_000);
  afterAll(async () => {
    await aws?.close();
  });

  // The rows share one stack: the first row deploys it, and the last one deletes it.
  accept(
    [
      {
        sentence:
          'framework serverless deploy deploys the render stack; prints RenderBucketName and RenderStateMachineArn; nothing else need be installed',
        steps: [
          alone,
          {
            run: 'serverless deploy --yes',
            prints: [
              /^The test video works: [\d.]+ frames\/s per worker at 1920x1080, [\d.]+ s until the first frame of a new worker$/m,
              /^RenderBucketName {2}framework-render-renderbucket-\d+$/m,
              /^RenderStateMachineArn {2}arn:aws:states:us-east-1:000000000000:stateMachine:RenderStateMachine-\d+$/m,
            ],
          },
        ],
      },
      {
        sentence:
          'Provider: one CloudFormation stack with an S3 bucket, one Lambda function and one Step Functions Standard state machine',
        steps: [
          () => {
            const types = [...(stack()?.resources.values() ?? [])].map(({ type }) => type);
            expect([...aws.cloudFormation.stacks.keys()]).toEqual(['framework-render']);
            for (const type of ['AWS::S3::Bucket', 'AWS::Lambda::Function', 'AWS::StepFunctions::StateMachine'])
              expect(types.filter((one) => one === type)).toHaveLength(1);
            expect(resource('RenderStateMachine')?.StateMachineType).toBe('STANDARD');
          },
        ],
      },
      {
        sentence: 'A chunk worker runs for at most 15 minutes',
        steps: [functionHas({ Timeout: 900 })],
      },
      {
        sentence: 'Worker memory is 4096 MB by default, or what the account allows; 10240 MB is the maximum',
        steps: [
          functionHas({ MemorySize: '4096' }),
          {
            run: 'serverless deploy --memory 10241 --yes',
            exit: 2,
            prints: ['--memory must be at most 10240 (got 10241)'],
          },
        ],
      },
      {
        sentence: 'deploy --concurrency sets the reserved concurrency, and --memory the memory of a worker',
        steps: [
          () => expect(resource('RenderFunction')).not.toHaveProperty('ReservedConcurrentExecutions'),
          {
            run: 'serverless deploy --concurrency 4 --memory 3008 --no-canary --yes --json',
            json: { changed: true, memoryMb: 3008, reservedConcurrency: 4, chunksAtOnce: 4 },
          },
          functionHas({ MemorySize: '3008', ReservedConcurrentExecutions: '4' }),
        ],
      },
      {
        sentence: 'deploy --concurrency none removes the reservation',
        steps: [
          {
            run: 'serverless deploy --concurrency none --no-canary --yes --json',
            json: { reservedConcurrency: null, chunksAtOnce: 200 },
          },
          () => expect(resource('RenderFunction')).not.toHaveProperty('ReservedConcurrentExecutions'),
          {
            run: 'serverless deploy --concurrency all --yes',
            exit: 2,
            prints: ['--concurrency must be a whole number from 1, or none'],
          },
          { run: 'serverless deploy --concurrency 4 --memory 4096 --no-canary --yes --json', json: { memoryMb: 4096 } },
        ],
      },
      {
        sentence: 'Before anything is uploaded, deploy rejects a reservation that the account does not allow',
        steps: [
          {
            run: 'serverless deploy --concurrency 2000 --yes',
            exit: 2,
            prints: ['must remain unreserved', 'serverless quotas'],
          },
        ],
      },
      {
        sentence: 'deploy --webhooks adds what sends webhooks at the end of an execution, and --no-webhooks removes it',
        steps: [
          { run: 'serverless deploy --webhooks --no-canary --yes --json', json: { changed: true, webhooks: true } },
          { run: 'serverless webhook-secret', prints: [/^whsec_[0-9A-Za-z]{32}$/m] },
          { run: 'serverless deploy --no-canary --yes --json', json: { changed: false, webhooks: true } },
          { run: 'serverless deploy --no-webhooks --no-canary --yes --json', json: { changed: true, webhooks: false } },
          { run: 'serverless webhook-secret', exit: 2, prints: ['sends no webhooks'] },
          { run: 'serverless deploy --webhooks --no-webhooks --yes', exit: 2, prints: ['cannot be combined'] },
        ],
      },
      {
        sentence: 'serverless quotas shows the quotas of the account, and requests increases',
        steps: [
          { run: 'serverless quotas', prints: ['1,000 at the same time', 'up to 10,240 MB', '--request 1000'] },
          { run: 'serverless quotas --request 500', exit: 2, prints: ['already has 1000 concurrent workers'] },
          {
            run: 'serverless quotas --request 2000 --json',
            json: { concurrency: 1000, request: { concurrency: 2000, status: 'PENDING' } },
          },
          () => expect(aws.quotas.requested).toEqual([2000]),
          { run: 'serverless quotas', prints: ['2,000 workers', 'pending'] },
        ],
      },
      {
        sentence:
          'The function is published as a version with an alias, named in the outputs of the stack, so that a deploy never ends running renders',
        steps: [
          () => {
            const { RenderFunctionAlias, RenderFunctionName } = stack()?.outputs ?? {};
            expect(RenderFunctionAlias).toBe(
              `arn:aws:lambda:us-east-1:000000000000:function:${RenderFunctionName}:live`,
            );
            const { DefinitionSubstitutions } = resource('RenderStateMachine') as { DefinitionSubstitutions: object };
            expect(JSON.stringify(DefinitionSubstitutions)).toMatch(
              /:function:framework-render-RenderFunction-\d+:\d+"/,
            );
          },
        ],
      },
      {
        sentence: 'An incompatible command line and stack are reported before anything starts',
        files: { 'video/index.html': card('video') },
        steps: [
          hasProtocol('1'),
          {
            run: 'serverless render video',
            exit: 1,
            prints: ['was deployed by another version of framework', 'framework serverless deploy'],
          },
          hasProtocol(stackProtocol),
        ],
      },
      {
        sentence: 'The stack is deployed once per account and region',
        steps: [
          { run: 'serverless deploy --no-canary --yes', prints: ['The stack is up to date', 'RenderBucketName  '] },
          functionHas({ MemorySize: '4096', ReservedConcurrentExecutions: '4' }),
        ],
      },
      {
        sentence: 'sites create <dir> uploads a project and prints its siteId',
        files: { 'video/index.html': card('video') },
        steps: [
          { run: 'serverless sites create video', prints: [/^[0-9a-f]{16}$/m] },
          { run: 'serverless sites create video --json', json: { siteId: expect.stringMatching(/^[0-9a-f]{16}$/) } },
        ],
      },
      {
        sentence: 'A site is content-addressed by the sorted list of (path, sha256); siteId = first 16 hex digits',
        files: site,
        steps: [
          uploads(3, 2, siteId),
          async () => expect(await objects(`sites/${siteId}`)).toEqual([`sites/${siteId}.json`]),
        ],
      },
      {
        sentence: 'Files of sites are stored once per content, so a changed file uploads alone',
        files: { 'index.html': card('first'), 'a.txt': 'same', 'b.txt': 'same', 'c.txt': 'other' },
        steps: [
          uploads(4, 3),
          { run: 'serverless sites create --json', json: { uploadedFiles: 0, uploadedBytes: 0 } },
          writes('c.txt', 'changed'),
          { run: 'serverless sites create --json', json: { uploadedFiles: 1, uploadedBytes: 7 } },
        ],
      },
      {
        sentence: 'A project is uploaded once',
        files: { 'index.html': card('once') },
        steps: [
          uploads(1, 1),
          { run: 'serverless render --json', keep: { site: 'siteId' } },
          { run: 'serverless sites create --json', json: { uploadedFiles: 0 } },
        ],
      },
      {
        sentence: 'A site has the same ignore rules as the cloud zip',
        files: {
          'index.html': card('ignored'),
          '.git/config': 'x',
          'node_modules/a/index.js': 'x',
          'dist/out.js': 'x',
          '.env': 'SECRET=1',
          'notes.txt': 'kept',
        },
        steps: [uploads(2, 2)],
      },
      {
        sentence:
          'One serverless render is a workflow execution that produces the video; chunks differ in length by at most one frame',
        files: {
          'index.html': composition('<div style="height:48px;background:var(--tint)"></div>', {
            variables: [{ id: 'tint', type: 'color', label: 'Tint', default: '#ff0000' }],
          }),
        },
        steps: [
          {
            run: `serverless render --width 32 --fps 31 --target-chunk-frames 16 --output-key videos/blue.mp4 --variables '{"tint":"#0000ff"}' -o blue.mp4 --progress none --json`,
            creates: ['blue.mp4'],
            json: {
              status: 'SUCCEEDED',
              overallProgress: 1,
              framesRendered: 31,
              totalFrames: 31,
              chunks: { done: 2, total: 2 },
              workersInvoked: 4,
              costs: { usd: expect.any(Number), estimated: true },
              outputFile: {
                s3Uri: expect.stringMatching(/^s3:\/\/framework-render-renderbucket-\d+\/videos\/blue\.mp4$/),
              },
              errors: [],
            },
            keep: { id: 'renderId', usd: 'costs.usd' },
          },
          video('blue.mp4', '32x24', {
            frames: 31,
            duration: '00:00:01.00',
            first: { '16,12': '#0000ff' },
            last: { '16,12': '#0000ff' },
          }),
          ({ kept }) => expect(Number(kept.get('usd'))).toBeGreaterThan(0),
          {
            run: 'serverless progress <id> --timings',
            prints: [/^chunks +frames +[\d.]+ s +[\d.]+ s$/m, /^assemble +join /m],
          },
          { run: 'serverless progress <id> --url --json', keep: { url: 'outputFile.url' } },
          async ({ kept, folder }) => {
            const answer = await fetch(kept.get('url') ?? '');
            expect(Buffer.from(await answer.arrayBuffer())).toEqual(readFileSync(join(folder, 'blue.mp4')));
          },
          async ({ kept }) => {
            const Bucket = stack()?.outputs.RenderBucketName;
            const { Body } = await aws.s3.send(
              new GetObjectCommand({ Bucket, Key: `intermediate/${kept.get('id')}/plan.json` }),
            );
            const { plan } = JSON.parse((await Body?.transformToString()) ?? '') as StoredPlan;
            expect(plan.chunks).toMatchObject([
              { start: 0, end: 15 },
              { start: 15, end: 31 },
            ]);
          },
        ],
      },
      {
        sentence:
          'Capture path: decided once per video in the plan step, and reported by progress; chunks do not decide individually',
        files: { 'index.html': composition(lateCards, { duration: 0.4, attributes: 'data-fps="10"' }) },
        steps: [
          {
            run: 'serverless render --wait --progress none --chunk-size 2 --json',
            json: { chunks: { total: 2 }, capture: { path: 'screenshot', reason: expect.any(String) } },
            keep: { id: 'renderId', reason: 'capture.reason' },
          },
          { run: 'serverless progress <id>', prints: ['capture   screenshot: <reason>'] },
        ],
      },
      {
        sentence: 'serverless policies prints the IAM actions that the commands need',
        steps: [
          {
            run: 'serverless policies',
            prints: [
              '"cloudformation:CreateChangeSet"',
              '"lambda:UpdateFunctionCode"',
              '"s3:PutObject"',
              '"states:StartExecution"',
              '"states:DescribeExecution"',
            ],
          },
        ],
      },
      {
        sentence: "Credentials and region: the AWS SDK's default chain, --profile, --region, --stack-name",
        files: { 'index.html': card('chain') },
        steps: [
          { run: 'serverless sites create', prints: [/^[0-9a-f]{16}$/m] },
          {
            run: 'serverless render --stack-name other',
            exit: 1,
            prints: ['The stack other is not deployed in this account and region'],
          },
          onlyProfile,
          { run: 'serverless sites create', exit: 2, prints: ['the AWS region is missing'] },
          {
            run: 'serverless sites create --region us-east-1',
            exit: 1,
            prints: ['AWS credentials are missing or invalid'],
          },
          { run: 'serverless sites create --profile other', prints: [/^[0-9a-f]{16}$/m] },
        ],
      },
      {
        sentence: 'serverless sites list lists the uploaded sites',
        files: { 'index.html': card('listed') },
        steps: [
          { run: 'serverless sites create --json', keep: { site: 'siteId' } },
          {
            run: 'serverless sites list',
            prints: [/^SITE +FILES +SIZE +UPLOADED$/m, /^[0-9a-f]{16} +1 +\d+ B +\S+Z$/m],
          },
          { run: 'serverless sites list --json', prints: ['"siteId":"<site>","files":1,'] },
        ],
      },
      {
        sentence: 'serverless sites delete deletes a site',
        files: {
          'one/index.html': card('one'),
          'one/same.txt': 'in both projects',
          'two/index.html': card('two'),
          'two/same.txt': 'in both projects',
        },
        steps: [
          { run: 'serverless sites create one --json', keep: { one: 'siteId' } },
          { run: 'serverless sites create two --json', keep: { two: 'siteId' } },
          // The file that the other project uses is kept.
          { run: 'serverless sites delete <one> --json', json: { deletedFiles: 1 } },
          { run: 'serverless sites delete <two> --json', json: { deletedFiles: 2 } },
          { run: 'serverless sites delete <two>', exit: 1, prints: ['framework serverless sites list'] },
        ],
      },
      {
        sentence: 'serverless destroy deletes the stack',
        files: { 'index.html': card('gone') },
        steps: [
          { run: 'serverless destroy --yes --json', json: { stackName: 'framework-render', destroyed: true } },
          () => expect(stack()?.status).toBe('DELETE_COMPLETE'),
          {
            run: 'serverless render',
            exit: 1,
            prints: ['The stack framework-render is not deployed', 'framework serverless deploy'],
          },
        ],
      },
      {
        sentence: 'Orphaned buckets are detected and adopted, with the projects and videos in them',
        steps: [
          {
            run: 'serverless deploy --no-canary --yes',
            prints: [
              '↻ RenderBucket framework-render-renderbucket-',
              'Adopting the bucket framework-render-renderbucket-',
            ],
          },
          { run: 'serverless sites list --json', json: expect.arrayContaining([expect.anything()]) },
          async () => {
            const { Buckets = [] } = await aws.s3.send(new ListBucketsCommand());
            expect(Buckets).toHaveLength(1);
            expect(stack()?.outputs.RenderBucketName).toBe(Buckets[0]?.Name);
          },
          { run: 'serverless deploy --no-canary --yes --json', json: { changed: false } },
          { run: 'serverless destroy --all --yes --json', json: { keptBucket: null } },
        ],
      },
      {
        sentence: 'serverless destroy --all also deletes the bucket with everything in it',
        files: { 'index.html': card('all') },
        steps: [
          { run: 'serverless deploy --no-canary --yes --json', keep: { bucket: 'RenderBucketName' } },
          { run: 'serverless sites create' },
          {
            run: 'serverless destroy --all',
            exit: 2,
            prints: ['framework serverless destroy --stack-name framework-render --all --yes'],
          },
          // The site with its file, and the code.
          {
            run: 'serverless destroy --all --yes --json',
            json: { destroyed: true, keptBucket: null, deletedObjects: 3 },
          },
          () => expect(stack()?.status).toBe('DELETE_COMPLETE'),
          async ({ kept }) => {
            const found = aws.s3.send(new HeadBucketCommand({ Bucket: kept.get('bucket') }));
            await expect(found).rejects.toMatchObject({ name: 'NotFound' });
          },
        ],
      },
      {
        sentence: 'Account-level worker concurrency is commonly about 1000 per region',
        notRun: 'A quota of AWS.',
      },
    ],
    () => ({ ...aws.env }),
  );
});

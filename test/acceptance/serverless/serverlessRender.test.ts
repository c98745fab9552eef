// `serverless render` and `progress`: what they check, what they start and what they report.
// It is longer than 400 lines because all rows share one deployed stack.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { composition } from '../../support/project.ts';
import { accept, type Check } from '../acceptance.ts';
import { missing, renderStack } from './renderStack.ts';

const { sendsNothing, starts, sends, ...stack } = renderStack();

const hello = {
  'index.html': composition('<p>Hello</p>', {
    variables: [{ id: 'title', type: 'string', label: 'Title', default: 'Hi' }],
  }),
};

/** The longest payload of the first state that the names of AWS allow for a render with the variable `a`. */
const longestPayload = (a: string): string => {
  const input = {
    version: 1,
    renderId: 'r'.repeat(38),
    bucket: 'b'.repeat(63),
    siteId: 's'.repeat(16),
    outputKey: `renders/${'r'.repeat(38)}.mp4`,
    config: { variables: { a } },
    chunks: {},
  };
  const FunctionName = `arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:${'f'.repeat(64)}:1000000`;
  return JSON.stringify({ FunctionName, Payload: { step: 'plan', input } });
};
const room = 262_144 - longestPayload('').length;

/** The steps of the last execution's render that the function got, in any order. */
const invokes =
  (...steps: string[]): Check =>
  () => {
    const { renderId } = JSON.parse(stack.aws().stepFunctions.executions.at(-1)?.input ?? '{}');
    const own = stack
      .aws()
      .lambda.invocations.filter(({ payload }) => (payload.input as { renderId: string }).renderId === renderId);
    expect(own.map(({ payload }) => [payload.step, payload.index].join(' ').trim()).sort()).toEqual(steps);
  };

/** Two of the three chunks of a running render have written their progress. */
const chunksReport: Check = async ({ kept }) => {
  const put = (key: string, value: unknown) =>
    stack.aws().s3.send(
      new PutObjectCommand({
        Bucket: stack.bucket(),
        Key: `intermediate/${kept.get('id')}/${key}`,
        Body: JSON.stringify(value),
      }),
    );
  const chunk = { startedAt: 0, updatedAt: 4000, attempts: 1, billedMs: 4000, memoryMb: 2048, error: null };
  await put('plan.json', { plan: { frames: 90, chunks: [{}, {}, {}] }, warnings: [] });
  await put('progress/00000.json', { ...chunk, index: 0, frames: 30, framesDone: 30, endedAt: 4000 });
  await put('progress/00001.json', { ...chunk, index: 1, frames: 30, framesDone: 15, endedAt: null });
};

/** The render that was started last has ended. */
const ends: Check = () => stack.aws().stepFunctions.executions.at(-1)?.done;

/** It ends in a state that the double of AWS does not reach by itself. */
const endsAs =
  (status: 'TIMED_OUT' | 'ABORTED'): Check =>
  () => {
    const execution = stack.aws().stepFunctions.executions.at(-1);
    if (execution) execution.status = status;
  };

describe.skipIf(missing !== undefined)('on AWS', () => {
  accept(
    [
      {
        sentence: 'Each render is one Standard workflow execution that fans out to chunk workers',
        files: hello,
        steps: [
          { run: 'serverless render' },
          ends,
          invokes('assemble', 'plan', 'renderChunk 0', 'renderChunk 1'),
          starts({ version: 1 }),
          () => {
            const [found] = stack.aws().cloudFormation.stacks.values();
            expect(found?.resources.get('RenderStateMachine')?.properties.StateMachineType).toBe('STANDARD');
          },
        ],
      },
      {
        sentence: 'Without --wait, render returns at once',
        files: hello,
        steps: [
          { run: 'serverless render --output-key stuck/a.mp4', prints: [/^r-[0-9a-f-]{36}$/m] },
          { run: 'serverless render --output-key stuck/b.mp4 --json', keep: { arn: 'executionArn' } },
          { run: 'serverless progress <arn> --json', json: { status: 'RUNNING', endedAt: null } },
        ],
      },
      {
        sentence: 'render <dir>: one render of the project in the folder',
        files: { 'video/index.html': hello['index.html'] },
        steps: [
          { run: 'serverless render video --json', keep: { site: 'siteId' } },
          starts({ config: {}, chunks: {} }),
          { run: 'serverless sites create video', prints: ['<site>'] },
          { run: 'serverless render', exit: 1, prints: ['index.html'] },
        ],
      },
      {
        sentence: '--site-id renders an uploaded site, without an upload',
        files: hello,
        steps: [
          { run: 'serverless sites create --json', keep: { site: 'siteId' } },
          starts(),
          { run: 'serverless render --site-id <site> --json', json: { renderId: expect.stringMatching(/^r-/) } },
          sends('s3:PutObject', /./, 0),
          { run: 'serverless render --site-id 0123456789abcdef --json', json: { siteId: '0123456789abcdef' } },
          sends('s3:PutObject', /./, 0),
        ],
      },
      {
        sentence: '--width and --height give the size; with one of them, the other follows from the aspect ratio',
        files: hello,
        steps: [
          { run: 'serverless render --width 128 --height 96' },
          starts({ config: { width: 128, height: 96 } }),
          { run: 'serverless render --width 128' },
          starts({ config: { width: 128 } }),
          { run: 'serverless render --height 24' },
          starts({ config: { height: 24 } }),
          {
            run: 'serverless render --width 128 --height 128',
            exit: 2,
            prints: ['another aspect ratio than the composition'],
          },
          sendsNothing,
        ],
      },
      {
        sentence: 'The other options of the size exist for serverless renders too',
        files: hello,
        steps: [
          { run: 'serverless render --resolution 4k --aspect-ratio 1:1 --fit cover --background #ffffff' },
          starts({ config: { resolution: '4k', aspectRatio: '1:1', fit: 'cover', background: '#ffffff' } }),
        ],
      },
      {
        sentence: '--variables gives values, which are checked against the declarations',
        files: hello,
        steps: [
          { run: `serverless render --variables '{"title":"Hello"}'`, hides: ['warning'] },
          starts({ config: { variables: { title: 'Hello' } } }),
          {
            run: `serverless render --variables '{"title":7}'`,
            prints: ['warning: ', 'Variable "title" must be a string (got 7)'],
          },
          starts({ config: { variables: { title: 7 } } }),
          {
            run: `serverless render --strict-variables --variables '{"title":7}'`,
            exit: 1,
            prints: ['Variable "title" must be a string (got 7)'],
          },
          sendsNothing,
        ],
      },
      {
        sentence: '--output-key is the object key of the result',
        files: hello,
        steps: [
          { run: 'serverless render --output-key videos/hello.mp4 --json', json: { outputKey: 'videos/hello.mp4' } },
          starts({ outputKey: 'videos/hello.mp4' }),
          {
            run: 'serverless render --format webm --json',
            json: { outputKey: expect.stringMatching(/^renders\/r-[0-9a-f-]{36}\.webm$/) },
          },
          {
            run: 'serverless render --output-key sites/a.mp4',
            exit: 2,
            prints: ['must not start with code/, intermediate/ or sites/'],
          },
        ],
      },
      {
        sentence:
          '--wait waits for the end of the render; when it ends in failure, the exit status is 1, the same with --json',
        files: hello,
        steps: [
          { run: 'serverless render --wait --output-key videos/wait.mp4', prints: [`/videos/wait.mp4`] },
          {
            run: 'serverless render --wait --output-key refused/a.mp4',
            exit: 1,
            prints: ['this page cannot be rendered'],
          },
          {
            run: 'serverless render --wait --output-key refused/b.mp4 --progress none --json',
            exit: 1,
            json: { status: 'FAILED', outputFile: null },
          },
        ],
      },
      {
        sentence: '--max-parallel-chunks, --target-chunk-frames and --chunk-size reach the plan step',
        files: hello,
        steps: [
          { run: 'serverless render --max-parallel-chunks 4 --target-chunk-frames 20' },
          starts({ chunks: { maxParallelChunks: 4, targetChunkFrames: 20 } }),
          { run: 'serverless render --chunk-size 60' },
          starts({ chunks: { chunkSize: 60 } }),
        ],
      },
      {
        sentence: 'progress <render_id or execution identifier>: progress query',
        files: hello,
        steps: [
          { run: 'serverless render --output-key stuck/p.mp4 --json', keep: { id: 'renderId', arn: 'executionArn' } },
          { run: 'serverless progress <id> --json', json: { status: 'RUNNING' }, keep: { one: 'executionArn' } },
          { run: 'serverless progress <arn> --json', json: { status: 'RUNNING' }, keep: { other: 'executionArn' } },
          ({ kept }) => expect([kept.get('one'), kept.get('other')]).toEqual([kept.get('arn'), kept.get('arn')]),
          { run: 'serverless progress <id>', prints: [/^render +r-/m, /^status +RUNNING/m] },
          { run: 'serverless progress r-unknown', exit: 1, prints: ['does not exist'] },
        ],
      },
      {
        sentence:
          'progress: status, overallProgress 0..1, framesRendered, totalFrames, chunks {done, total}, workersInvoked, costs {usd, estimated}, outputFile or null, errors, startedAt, endedAt',
        files: hello,
        steps: [
          { run: 'serverless render --output-key stuck/shape.mp4 --json', keep: { id: 'renderId' } },
          {
            run: 'serverless progress <id> --json',
            json: {
              status: 'RUNNING',
              overallProgress: 0,
              framesRendered: 0,
              totalFrames: null,
              chunks: { done: 0, total: null },
              workersInvoked: 0,
              costs: { usd: expect.any(Number), estimated: true },
              outputFile: null,
              errors: [],
              startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
              endedAt: null,
            },
          },
          chunksReport,
          {
            run: 'serverless progress <id> --json',
            json: {
              overallProgress: 0.02 + 0.95 * 0.5,
              framesRendered: 45,
              totalFrames: 90,
              chunks: { done: 1, total: 3 },
              workersInvoked: 3,
            },
          },
        ],
      },
      {
        sentence:
          'The status of a render that has ended: SUCCEEDED, FAILED, TIMED_OUT or ABORTED; errors have state, error and cause',
        files: hello,
        steps: [
          { run: 'serverless render --output-key videos/ended.mp4 --json', keep: { id: 'renderId' } },
          ends,
          {
            run: 'serverless progress <id> --json',
            json: {
              status: 'SUCCEEDED',
              overallProgress: 1,
              outputFile: { s3Uri: expect.stringMatching(/^s3:\/\/[^/]+\/videos\/ended\.mp4$/), bytes: 1234 },
              errors: [],
              endedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            },
          },
          { run: 'serverless render --output-key refused/c.mp4 --json', keep: { id: 'renderId' } },
          ends,
          {
            run: 'serverless progress <id> --json',
            exit: 1,
            json: {
              status: 'FAILED',
              outputFile: null,
              errors: [
                { state: 'Plan', error: 'Framework.Refused', cause: 'index.html:3: this page cannot be rendered' },
              ],
            },
          },
          { run: 'serverless render --output-key stuck/t.mp4 --json', keep: { arn: 'executionArn' } },
          endsAs('TIMED_OUT'),
          { run: 'serverless progress <arn> --json', exit: 1, json: { status: 'TIMED_OUT' } },
          { run: 'serverless render --output-key stuck/x.mp4 --json', keep: { arn: 'executionArn' } },
          endsAs('ABORTED'),
          { run: 'serverless progress <arn> --json', exit: 1, json: { status: 'ABORTED' } },
        ],
      },
      {
        sentence:
          'A webhook at the end of an execution goes to an https URL; others are refused before anything is sent',
        files: hello,
        steps: [
          { run: 'serverless render --callback-url http://example.com/', exit: 2, prints: ['must be an https URL'] },
          { run: 'serverless render --callback-id order-7', exit: 2, prints: ['--callback-id needs --callback-url'] },
          sendsNothing,
          {
            run: 'serverless render --callback-url https://example.com/ --json',
            exit: 2,
            prints: ['sends no webhooks', 'framework serverless deploy --webhooks'],
          },
          { run: 'serverless webhook-secret', exit: 2, prints: ['framework serverless deploy --webhooks'] },
          starts(),
        ],
      },
      {
        sentence: 'Distributed renders of HDR mp4 are rejected before any provider call; such output is local only',
        files: hello,
        steps: [
          { run: 'serverless render --hdr', exit: 2, prints: ['HDR video can only be rendered on one machine'] },
          { run: 'serverless render --hdr --site-id 0123456789abcdef --json', exit: 2 },
          sendsNothing,
        ],
      },
      {
        sentence:
          'Serverless execution input over 262144 bytes is rejected before any provider call, the upload included; the message starts with [validateConfig] config: and states the byte size and the limit',
        files: { ...hello, 'large.json': JSON.stringify({ a: 'x'.repeat(room + 1) }) },
        steps: [
          {
            run: 'serverless render --variables-file large.json --json',
            exit: 2,
            json: {
              error: {
                message: expect.stringMatching(/^\[validateConfig\] config: .* at most 262144 bytes \(got 262145\)$/),
              },
            },
          },
          sendsNothing,
        ],
      },
      {
        sentence:
          'The 262144 bytes are the whole serialised input, as the first state passes it on, with the longest values it can take',
        files: {
          ...hello,
          'fits.json': JSON.stringify({ a: 'x'.repeat(room) }),
          'bytes.json': JSON.stringify({ a: 'ä'.repeat(Math.floor(room / 2) + 1) }),
        },
        steps: [
          { run: 'serverless render --variables-file fits.json --dry-run' },
          {
            run: 'serverless render --variables-file fits.json --dry-run --output-key videos/a/key/that/is/longer/than/the/default/key/of/a/render.mp4',
            prints: ['[validateConfig]'],
            exit: 2,
          },
          { run: 'serverless render --variables-file bytes.json --dry-run', exit: 2, prints: ['262144 bytes'] },
          sendsNothing,
        ],
      },
      {
        sentence: '--dry-run of render starts nothing and sends nothing',
        files: hello,
        steps: [{ run: 'serverless render --dry-run --json', json: { frames: 30, chunks: 1 } }, starts(), sendsNothing],
      },
      {
        sentence: 'framework serverless list lists renders',
        files: hello,
        steps: [
          { run: 'serverless render --output-key listed.mp4 --json', keep: { first: 'renderId' } },
          ends,
          { run: 'serverless render --output-key stuck/listed.mp4 --json', keep: { second: 'renderId' } },
          {
            run: 'serverless list --limit 2',
            prints: [/^RENDER .*STATUS .*STARTED .*TIME\nr-\S+ +running .*\nr-\S+ +succeeded .* s$/m],
          },
          {
            run: 'serverless list --status running --limit 1 --json',
            json: [{ status: 'RUNNING', startedAt: expect.stringMatching(/Z$/), endedAt: null }],
          },
          {
            run: 'serverless list --status broken',
            exit: 2,
            prints: ['running, succeeded, failed, timed-out or aborted'],
          },
          { run: 'serverless cancel <second>' },
        ],
      },
      {
        sentence: 'framework serverless cancel ends a running render',
        files: hello,
        steps: [
          {
            run: 'serverless render --output-key stuck/cancel.mp4 --json',
            keep: { id: 'renderId', site: 'siteId' },
          },
          { run: 'serverless sites delete <site>', exit: 1, prints: ['running renders use the site <site>', '<id>'] },
          {
            run: 'serverless cancel <id>',
            prints: [/^r-\S+$/m, /^Cancelled\. To continue the render: framework serverless resume r-\S+$/m],
          },
          { run: 'serverless progress <id> --json', exit: 1, json: { status: 'ABORTED' } },
          { run: 'serverless cancel <id>', exit: 1, prints: ['has already ended with the status ABORTED'] },
          { run: 'serverless cancel r-unknown', exit: 1, prints: ['r-unknown does not exist'] },
          { run: 'serverless cancel', exit: 2, prints: ['framework serverless cancel <render id or execution ARN>'] },
        ],
      },
      {
        sentence: 'framework serverless resume continues a failed render',
        files: hello,
        steps: [
          { run: 'serverless render --output-key refused/resume.mp4 --json', keep: { id: 'renderId' } },
          ends,
          { run: 'serverless resume <id>', prints: [/^r-\S+$/m] },
          ends,
          {
            run: 'serverless resume <id> --wait',
            exit: 1,
            prints: [/^Render r-\S+$/m, 'index.html:3: this page cannot be rendered'],
          },
          { run: 'serverless render --output-key done.mp4 --wait --json', keep: { done: 'renderId' } },
          {
            run: 'serverless resume <done> --json',
            exit: 1,
            json: { error: { code: 'render_not_resumable', message: expect.stringContaining('status SUCCEEDED') } },
          },
        ],
      },
      {
        sentence:
          'Local rendering is faster under about 30 seconds; distributed rendering pays off above about 60 seconds or for batches',
        notRun: 'Guidance about the speed of machines of AWS.',
      },
    ],
    stack.env,
  );
});

// `serverless render-batch`: the file, the manifest, the options, and what is started.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { ServiceFault } from '../../aws/stepFunctions.ts';
import { composition } from '../../support/project.ts';
import { accept, type Check, framework } from '../acceptance.ts';
import { missing, renderStack } from './renderStack.ts';

const { sendsNothing, starts, sends, ...stack } = renderStack(({ outputKey }) =>
  outputKey.startsWith('rejected')
    ? new ServiceFault('StateMachineDeleting', 'State Machine is being deleted')
    : undefined,
);

const page = composition('<p>Hello</p>', {
  variables: [{ id: 'title', type: 'string', label: 'Title', default: 'Hi' }],
});
const lines = (...rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const batch = (...rows: unknown[]) => ({ 'index.html': page, 'rows.jsonl': lines(...rows) });

const two = batch(
  { outputKey: 'a.mp4', variables: { title: 'Ada' } },
  { outputKey: 'b.mp4', variables: { title: 'Bob' } },
);
const run = 'serverless render-batch --batch rows.jsonl';
const arn = /^arn:aws:states:us-east-1:000000000000:execution:RenderStateMachine-\d+:r-[0-9a-f-]{36}$/;
const started = (line: number, outputKey: string) => ({
  line,
  outputKey,
  status: 'started',
  executionArn: expect.stringMatching(arn),
});

/** Starts a batch of 60 lines; AWS gets this number of starts at the same time, and no more. */
const startsAtOnce =
  (options: string[], expected: number): Check =>
  async (place) => {
    const address = new URL(stack.env().AWS_ENDPOINT_URL_SFN ?? '');
    let open = 0;
    let most = 0;
    const slow = createServer(async (request, response) => {
      most = Math.max(most, ++open);
      await sleep(300);
      const { method, url: path, headers } = request;
      // Each request has its own connection: the server could be about to close one that was used before.
      const target = { host: address.hostname, port: address.port, agent: false };
      const passed = send({ ...target, method, path, headers }, (answer) => {
        open--;
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const env = { ...place.env, AWS_ENDPOINT_URL_SFN: url };
    const { status } = await framework([...run.split(' '), ...options], { ...place, env });
    slow.closeAllConnections();
    slow.close();
    expect({ status, most }).toEqual({ status: 0, most: expected });
  };

describe.skipIf(missing !== undefined)('on AWS', () => {
  accept(
    [
      {
        sentence:
          'The batch file is JSONL, one object per line with outputKey (object key of the result) and variables (JSON object)',
        files: two,
        steps: [
          { run, prints: ['2 started, 0 failed-to-start'] },
          starts(
            { outputKey: 'a.mp4', config: { variables: { title: 'Ada' } } },
            { outputKey: 'b.mp4', config: { variables: { title: 'Bob' } } },
          ),
        ],
      },
      {
        sentence:
          'The manifest has one row per input line: line number, outputKey, status, and an executionArn for started rows',
        files: batch({ outputKey: 'a.mp4' }, { outputKey: 'rejected.mp4' }),
        steps: [
          {
            run: `${run} --manifest manifest.json --json`,
            exit: 1,
            creates: ['manifest.json'],
            json: [
              started(1, 'a.mp4'),
              {
                line: 2,
                outputKey: 'rejected.mp4',
                status: 'failed-to-start',
                error: { message: expect.stringContaining('State Machine is being deleted') },
              },
            ],
          },
          {
            run,
            exit: 1,
            prints: [/^1\tstarted\ta\.mp4\tarn:aws:states:\S+$/m, /^2\tfailed-to-start\trejected\.mp4\t/m],
          },
        ],
      },
      {
        sentence: 'A summary line reports the counts of started and failed-to-start entries',
        files: batch({ outputKey: 'a.mp4' }, { outputKey: 'b.mp4' }, { outputKey: 'rejected.mp4' }),
        steps: [{ run, exit: 1, prints: [/^2 started, 1 failed-to-start$/m] }],
      },
      {
        sentence: 'With --json the output is an array of row objects with at least status and executionArn',
        files: two,
        steps: [{ run: `${run} --json`, json: [started(1, 'a.mp4'), started(2, 'b.mp4')] }],
      },
      {
        sentence:
          'A batch entry that fails to start has the status failed-to-start; the exit status is 1, the same with --json',
        files: batch({ outputKey: 'rejected.mp4' }),
        steps: [
          { run, exit: 1, prints: ['failed-to-start', '0 started, 1 failed-to-start'] },
          { run: `${run} --json`, exit: 1, json: [{ status: 'failed-to-start' }] },
        ],
      },
      {
        sentence: '--dry-run starts no execution and marks every entry would-invoke',
        files: two,
        steps: [
          {
            run: `${run} --dry-run --json`,
            json: [
              { line: 1, outputKey: 'a.mp4', status: 'would-invoke' },
              { line: 2, outputKey: 'b.mp4', status: 'would-invoke' },
            ],
          },
          { run: `${run} --dry-run`, prints: ['1\twould-invoke\ta.mp4', '2 would-invoke'] },
          starts(),
          sendsNothing,
        ],
      },
      {
        sentence: 'render-batch starts the site deployment once, then invokes one render per row',
        files: { ...two, 'once.txt': 'uploaded once' },
        steps: [
          { run: `${run} --json` },
          sends('s3:PutObject', /\/sites\/[0-9a-f]{16}\.json$/, 1),
          sends('states:StartExecution', /./, 2),
        ],
      },
      {
        sentence:
          'render-batch --wait -o waits for the videos and downloads them, and --resume starts only failed lines again',
        files: batch({ outputKey: 'videos/a.mp4' }, { outputKey: 'refused/b.mp4' }),
        steps: [
          // The function of this stack renders nothing.
          async () => {
            const object = { Bucket: stack.bucket(), Key: 'videos/a.mp4', Body: 'the video' };
            await stack.aws().s3.send(new PutObjectCommand(object));
          },
          {
            run: `${run} -o out --manifest m.json --json`,
            exit: 1,
            json: [
              { status: 'succeeded', output: expect.stringMatching(/out\/videos\/a\.mp4$/) },
              {
                status: 'failed',
                error: { code: 'Framework.Refused', message: 'index.html:3: this page cannot be rendered' },
              },
            ],
          },
          ({ folder }) => {
            expect(readFileSync(join(folder, 'out/videos/a.mp4'), 'utf8')).toBe('the video');
            expect(readdirSync(join(folder, 'out'))).toEqual(['videos']);
            const rows = JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8')) as { status: string }[];
            expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
          },
          ({ folder }) => rmSync(join(folder, 'out'), { recursive: true }),
          {
            run: `${run} -o out --manifest m.json --resume`,
            exit: 1,
            prints: [
              '1 line of 2 started before',
              /^1\tsucceeded\tvideos\/a\.mp4\t.*a\.mp4$/m,
              '1 succeeded, 1 failed',
            ],
          },
          starts({ outputKey: 'refused/b.mp4' }, { outputKey: 'refused/b.mp4' }, { outputKey: 'videos/a.mp4' }),
          ({ folder }) => expect(readFileSync(join(folder, 'out/videos/a.mp4'), 'utf8')).toBe('the video'),
        ],
      },
      {
        sentence: '--resume starts no line again if the manifest is in the project folder',
        files: two,
        steps: [
          { run: `${run} --manifest m.json`, creates: ['m.json'] },
          { run: `${run} --manifest m.json --resume`, prints: ['2 lines of 2 started before'] },
          starts({ outputKey: 'a.mp4' }, { outputKey: 'b.mp4' }),
        ],
      },
      {
        sentence: 'callback_url per batch line: each wrong line is an error, and nothing is started',
        files: batch({ outputKey: 'a.mp4', callback_url: 'http://a' }, { outputKey: 'b.mp4', callback_id: 'b' }),
        steps: [
          {
            run: `${run}`,
            exit: 1,
            prints: [
              'rows.jsonl:1',
              'callback_url must be an https URL',
              'rows.jsonl:2',
              'callback_id needs callback_url',
            ],
          },
          starts(),
        ],
      },
      {
        sentence: 'executionName names the execution of a line; the same render is not started twice under a name',
        files: {
          ...batch({ outputKey: 'a.mp4', executionName: 'ann' }),
          'other.jsonl': lines({ outputKey: 'other.mp4', executionName: 'ann' }),
        },
        steps: [
          { run: `${run} --wait --json`, json: [{ status: 'succeeded', renderId: 'ann' }] },
          { run: `${run} --json`, json: [{ status: 'started', renderId: 'ann' }] },
          {
            run: 'serverless render-batch --batch other.jsonl --json',
            exit: 1,
            json: [{ status: 'failed-to-start', error: { code: 'render_ended' } }],
          },
          { run: 'serverless progress ann --json', json: { status: 'SUCCEEDED', renderId: 'ann' } },
          starts({ outputKey: 'a.mp4', renderId: 'ann' }),
        ],
      },
      {
        sentence: 'With --site-id, render-batch deploys no site',
        files: two,
        steps: [
          { run: `${run} --site-id 0123456789abcdef` },
          sends('s3:PutObject', /./, 0),
          starts({ siteId: '0123456789abcdef' }, { siteId: '0123456789abcdef' }),
        ],
      },
      {
        sentence: 'Variables travel inline in each row; --variables-file is a usage error',
        files: { ...two, 'values.json': '{"title":"Cy"}' },
        steps: [
          { run: `${run} --variables-file values.json`, exit: 2, prints: ['--variables-file'] },
          { run: `${run} --variables-file values.json --dry-run --json`, exit: 2 },
          sendsNothing,
        ],
      },
      {
        sentence: 'render-batch <dir> --batch <jsonl>: the project and the file',
        files: {
          'video/index.html': page,
          'video/rows.jsonl': 'not this file',
          'rows.jsonl': lines({ outputKey: 'a.mp4' }),
        },
        steps: [
          { run: 'serverless render-batch video --batch rows.jsonl --dry-run --json', json: [{ outputKey: 'a.mp4' }] },
          { run: 'serverless render-batch video', exit: 2, prints: ['--batch is missing'] },
          { run: 'serverless render-batch video --batch none.jsonl', exit: 1, prints: ['none.jsonl'] },
        ],
      },
      {
        sentence: '--width and --height of render-batch apply to every row',
        files: two,
        steps: [
          { run: `${run} --width 128 --height 96` },
          starts({ config: { width: 128, height: 96 } }, { config: { width: 128, height: 96 } }),
        ],
      },
      {
        sentence: '--max-concurrent <n>: the number of concurrent workflow starts',
        files: batch(...Array.from({ length: 8 }, (_, index) => ({ outputKey: `${index}.mp4` }))),
        steps: [startsAtOnce(['--max-concurrent', '2'], 2), { run: `${run} --max-concurrent 0`, exit: 2 }],
      },
      {
        sentence: 'The default of concurrent workflow starts is 50',
        files: batch(...Array.from({ length: 60 }, (_, index) => ({ outputKey: `${index}.mp4` }))),
        steps: [startsAtOnce([], 50)],
      },
      {
        sentence: 'Blank lines of the batch file are skipped',
        files: { 'index.html': page, 'rows.jsonl': '\n{"outputKey":"a.mp4"}\n  \n{"outputKey":"b.mp4"}\n\n' },
        steps: [
          {
            run: `${run} --dry-run --json`,
            json: [
              { line: 2, outputKey: 'a.mp4' },
              { line: 4, outputKey: 'b.mp4' },
            ],
          },
        ],
      },
      {
        sentence:
          'Every malformed line, missing outputKey, repeated outputKey and variable issue is listed with its line number before anything starts',
        files: {
          'index.html': page,
          'rows.jsonl': [
            '{"outputKey":"a.mp4"}',
            'a.mp4',
            '["b.mp4"]',
            '{"variables":{}}',
            '{"outputKey":"a.mp4"}',
            '{"outputKey":"c.mp4","variables":[]}',
            '{"outputKey":"d.mp4","variables":{"title":7}}',
            '{"outputKey":"e.mp4","variables":{"subtitle":"x"}}',
          ].join('\n'),
        },
        steps: [
          {
            run: `${run} --strict-variables`,
            exit: 1,
            prints: [
              '7 problems in rows.jsonl; nothing was started',
              'rows.jsonl:2: the line must be JSON',
              'rows.jsonl:3: the line must be a JSON object',
              'rows.jsonl:4: outputKey is missing',
              'rows.jsonl:5: outputKey "a.mp4" is already used in line 1',
              'rows.jsonl:6: variables must be a JSON object',
              'rows.jsonl:7: Variable "title" must be a string (got 7)',
              'rows.jsonl:8: Variable "subtitle" is not declared',
            ],
          },
          sendsNothing,
        ],
      },
      {
        sentence: 'Without --strict-variables, a variable issue of a row is a warning with its line number',
        files: batch({ outputKey: 'a.mp4' }, { outputKey: 'b.mp4', variables: { title: 7 } }),
        steps: [{ run, prints: ['warning: rows.jsonl:2: Variable "title" must be a string (got 7)', '2 started'] }],
      },
      {
        sentence: 'A row whose execution input exceeds 262144 bytes is rejected before any provider call',
        files: batch({ outputKey: 'a.mp4' }, { outputKey: 'b.mp4', variables: { title: 'x'.repeat(262_144) } }),
        steps: [
          {
            run,
            exit: 1,
            prints: [/rows\.jsonl:2: \[validateConfig\] config: .* at most 262144 bytes \(got 262[56]\d\d\)/],
          },
          sendsNothing,
        ],
      },
      {
        sentence: 'Batches of HDR video are rejected before any provider call',
        files: two,
        steps: [
          { run: `${run} --hdr`, exit: 2, prints: ['HDR video can only be rendered on one machine'] },
          sendsNothing,
        ],
      },
      {
        sentence:
          'A starting value for --max-concurrent on large batches is floor(reservedConcurrency / maxParallelChunks)',
        notRun: 'Guidance; nothing enforces it.',
      },
    ],
    stack.env,
  );
});

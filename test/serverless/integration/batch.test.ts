// Batches against a service that throttles, rejects and loses responses: every line has the reported result, and none runs twice.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionInput } from '../../../serverless/renders/execution.ts';
import type { EntryResult } from '../../../serverless/renders/reports.ts';
import { type Aws, startAws, type Trouble } from '../../aws/endpoint.ts';
import { ServiceFault } from '../../aws/stepFunctions.ts';
import { runProgram } from '../../support/program.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { deployHandler } from '../../support/servers/renderStack.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

/** Ends every render at once: the test is about starts. */
const handler = `export const handler = async () => {
  throw Object.assign(new Error('nothing is rendered here'), { name: 'Framework.Refused' });
};`;

describe.skipIf(missing !== undefined)('a batch', () => {
  let ceph: CephAccount;
  let aws: Aws;
  let throttle: () => boolean = () => false;
  let troubleWith: (input: ExecutionInput) => Trouble | undefined = () => undefined;

  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({
      s3: ceph,
      startBucket: { size: 50, perSecond: 60 },
      retryWaitMs: 1000,
      disturb: () => (throttle() ? 'throttle' : undefined),
      trouble: ({ action }, { input }) =>
        action === 'states:StartExecution' ? troubleWith(JSON.parse(String(input)) as ExecutionInput) : undefined,
    });
    await deployHandler(aws, handler, 2);
  });
  afterAll(async () => {
    await aws?.close();
  });
  beforeEach(() => {
    troubleWith = () => undefined;
    throttle = () => false;
  });

  const batch = (text: string, ...args: string[]) => {
    const folder = project(
      composition('<p>Hello</p>', { variables: [{ id: 'title', type: 'string', label: 'Title', default: '' }] }),
    );
    const file = join(temporaryFolder(), 'rows.jsonl');
    writeFileSync(file, text);
    return runProgram(['serverless', 'render-batch', folder, '--batch', file, ...args], aws.env);
  };
  const lines = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => JSON.stringify({ outputKey: `${prefix}/${index}.mp4` })).join('\n');
  /** The number of starts of each key with the prefix. */
  const started = (prefix: string): Map<string, number> => {
    const keys = aws.stepFunctions.executions
      .map(({ input }) => (JSON.parse(input) as ExecutionInput).outputKey)
      .filter((key) => key.startsWith(`${prefix}/`));
    return new Map(keys.map((key) => [key, keys.filter((other) => other === key).length]));
  };

  test('starts each of 500 lines once although AWS throttles, loses responses and rejects some', async () => {
    const seen = new Set<string>();
    troubleWith = ({ outputKey }) => {
      const number = Number(/(\d+)\.mp4$/.exec(outputKey)?.[1]);
      if (number % 100 === 7) return new ServiceFault('StateMachineDeleting', 'State Machine is being deleted');
      if (number % 50 !== 3 || seen.has(outputKey)) return undefined;
      seen.add(outputKey);
      return 'answer lost';
    };
    const manifest = join(temporaryFolder(), 'manifest.json');
    const run = await batch(lines('many', 500), '--max-concurrent', '50', '--json', '--manifest', manifest);
    const rows = JSON.parse(run.stdout) as EntryResult[];
    expect(rows).toHaveLength(500);
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toEqual(rows);
    expect(rows.map(({ line }) => line)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    const failed = rows.filter(({ status }) => status === 'failed-to-start');
    expect(failed.map(({ outputKey }) => outputKey)).toEqual([7, 107, 207, 307, 407].map((n) => `many/${n}.mp4`));
    for (const { error } of failed) expect(error?.message).toContain('State Machine is being deleted');
    const good = rows.filter(({ status }) => status === 'started');
    expect(good).toHaveLength(495);
    const arns = new Set(aws.stepFunctions.executions.map(({ arn }) => arn));
    expect(good.every(({ executionArn = '' }) => arns.has(executionArn))).toBe(true);
    const starts = started('many');
    expect([...starts.keys()].sort()).toEqual(good.map(({ outputKey }) => outputKey).sort());
    expect([...starts.values()].filter((times) => times !== 1)).toEqual([]);
    expect(seen.size).toBe(10);
    expect(run.status).toBe(1);
  });

  test('runs at most the given number of renders at the same time', async () => {
    const isOwn = ({ status, input }: { status: string; input: string }) =>
      status === 'RUNNING' && input.includes('limited/');
    const running = () => aws.stepFunctions.executions.filter(isOwn).length;
    let most = 0;
    troubleWith = () => {
      most = Math.max(most, running() + 1);
      return undefined;
    };
    // Renders find no worker until as many as possible wait for one.
    throttle = () => most < 3;
    const { status, stdout } = await batch(lines('limited', 8), '--max-concurrent', '3', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(8);
    expect(most).toBe(3);
  });

  test('continues an interrupted batch with the lines that were not started with the same input', async () => {
    const manifest = join(temporaryFolder(), 'manifest.json');
    const run = (text: string, ...args: string[]) => batch(text, '--manifest', manifest, '--json', ...args);
    const line = (name: string, title: string) =>
      JSON.stringify({ outputKey: `resumed/${name}.mp4`, variables: { title } });
    troubleWith = ({ outputKey }) =>
      outputKey === 'resumed/b.mp4' ? new ServiceFault('StateMachineDeleting', 'not now') : undefined;
    expect((await run([line('a', 'one'), line('b', 'two'), line('c', 'three')].join('\n'))).status).toBe(1);
    troubleWith = () => undefined;
    const changed = [line('a', 'one'), line('b', 'two'), line('c', 'other'), line('d', 'four')].join('\n');
    const again = await run(changed, '--resume');
    expect(again.status).toBe(0);
    expect(again.stderr).toContain('1 line of 4 started before');
    const rows = JSON.parse(again.stdout) as EntryResult[];
    expect(rows.map(({ outputKey, status }) => `${outputKey} ${status}`)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `resumed/${name}.mp4 started`),
    );
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toEqual(rows);
    expect(Object.fromEntries(started('resumed'))).toEqual({
      ...{ 'resumed/a.mp4': 1, 'resumed/b.mp4': 1, 'resumed/c.mp4': 2, 'resumed/d.mp4': 1 },
    });
  });

  test('rejects a manifest that is none, and a resumed batch without one', async () => {
    const manifest = join(temporaryFolder(), 'manifest.json');
    writeFileSync(manifest, '{"rows": 3}');
    const broken = await batch(lines('broken', 1), '--resume', '--manifest', manifest);
    expect(broken).toMatchObject({ status: 1, stderr: expect.stringContaining('is not a manifest of render-batch') });
    const missing = await batch(lines('missing', 1), '--resume');
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('--resume needs the manifest') });
    expect(started('broken').size + started('missing').size).toBe(0);
  });

  test('checks values strictly when each render is planned, too', async () => {
    expect((await batch(lines('strict', 1), '--strict-variables')).status).toBe(0);
    const inputs = aws.stepFunctions.executions.map(({ input }) => JSON.parse(input) as ExecutionInput);
    const { config } = inputs.find(({ outputKey }) => outputKey === 'strict/0.mp4') ?? {};
    expect(config).toMatchObject({ strictVariables: true });
  });
});

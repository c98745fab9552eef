// Renders of the hosted API on the serverless stack on 127.0.0.1: each runs once, even if the service is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RenderOrder, RenderRecord } from '../../../cloud/client/apiTypes.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { lambdaMissing } from '../../aws/lambdaProgram.ts';
import { makeZip } from '../../support/makeZip.ts';
import { runProgram } from '../../support/program.ts';
import { composition, temporaryFolder } from '../../support/project.ts';
import { describeVideo } from '../../support/renders/video.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';
import { assetForm, testFolder } from '../../support/service/service.ts';

const missing = cephMissing() ?? lambdaMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const program = join(import.meta.dirname, '../../../dist/cli.js');

describe.skipIf(missing !== undefined)('serve --engine serverless', () => {
  let ceph: CephAccount;
  let aws: Aws;

  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({ s3: ceph, retryWaitMs: 500 });
    const { status, stderr } = await runProgram(
      ['serverless', 'deploy', '--memory', '4096', '--no-canary', '--yes'],
      aws.env,
    );
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(async () => {
    await aws?.close();
  });

  async function command(dataDir: string, line: string, input = ''): Promise<string> {
    const child = spawn(process.execPath, [program, ...line.split(' '), '--data', dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(input);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    return output;
  }

  /** A data folder with an account, and the key that lets it in. */
  async function account(): Promise<{ dataDir: string; key: string }> {
    const dataDir = await testFolder();
    await command(dataDir, 'serve account add --email ann@example.com', 'correct horse battery\n');
    return { dataDir, key: JSON.parse(await command(dataDir, 'serve key add --email ann@example.com --json')).key };
  }

  async function serve(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
    const options = ['--engine', 'serverless', '--port', '0', '--json', '--requests-per-minute', '100000'];
    const child = spawn(process.execPath, [program, 'serve', '--data', dataDir, ...options], {
      env: { ...process.env, ...aws.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    const [line] = await once(createInterface(child.stdout), 'line');
    return { child, url: JSON.parse(String(line)).url };
  }

  const client = (url: string, key: string) => {
    const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
      const answer = await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } });
      const body = await answer.json();
      if (!answer.ok) throw new Error(JSON.stringify(body));
      return body.data;
    };
    return {
      async order(html: string, given: Partial<RenderOrder> = {}): Promise<string> {
        const form = assetForm(makeZip([{ name: 'index.html', data: html }]));
        const { asset_id } = await ask<{ asset_id: string }>('/v3/assets', { method: 'POST', body: form });
        const order: RenderOrder = { project: { type: 'asset_id', asset_id }, quality: 'draft', ...given };
        const body = JSON.stringify(order);
        const headers = { 'content-type': 'application/json' };
        return (await ask<{ render_id: string }>('/v3/framework/renders', { method: 'POST', headers, body })).render_id;
      },
      get: (id: string) => ask<RenderRecord>(`/v3/framework/renders/${id}`),
      delete: (id: string) => ask(`/v3/framework/renders/${id}`, { method: 'DELETE' }),
      async ended(id: string): Promise<RenderRecord> {
        for (;;) {
          const render = await ask<RenderRecord>(`/v3/framework/renders/${id}`);
          if (render.status === 'completed' || render.status === 'failed') return render;
          await sleep(200);
        }
      },
    };
  };

  const executionsOf = (id: string) => aws.stepFunctions.executions.filter(({ name }) => name.startsWith(`${id}-`));
  const until = async (isSo: () => unknown): Promise<void> => {
    while (!(await isSo())) await sleep(50);
  };

  const box = '<div style="position:absolute;left:0;top:0;width:32px;height:48px;background:#f80"></div>';

  test('renders the requested size and charges its price', async () => {
    const { dataDir, key } = await account();
    const { order, ended } = client((await serve(dataDir)).url, key);
    const page = composition(box, { width: 160, height: 90, duration: 0.2 });
    const id = await order(page, { fps: 10, resolution: '4k', variables: { other: 1 } });
    const render = await ended(id);
    expect(render).toMatchObject({ status: 'completed', failure_message: null, progress: 1, duration: 0.2 });
    expect(render).toMatchObject({ credits: 0.3, fps: 10, aspect_ratio: '16:9' });
    expect(render.warnings).toEqual([expect.stringContaining('"other"')]);
    expect(executionsOf(id).map(({ status }) => status)).toEqual(['SUCCEEDED']);
    const video = join(temporaryFolder(), 'video.mp4');
    writeFileSync(video, Buffer.from(await (await fetch(String(render.video_url))).arrayBuffer()));
    expect((await describeVideo(video)).stream).toContain('3840x2160');
    const picture = Buffer.from(await (await fetch(String(render.thumbnail_url))).arrayBuffer());
    expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  test('reports an error of the page, and charges nothing', async () => {
    const { dataDir, key } = await account();
    const { order, ended } = client((await serve(dataDir)).url, key);
    const id = await order(composition('<script>\nnowhere.call();\n</script>'));
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      failure_code: 'framework_project_invalid',
      failure_message: expect.stringContaining('nowhere is not defined'),
      credits: null,
    });
    expect(executionsOf(id).map(({ status }) => status)).toEqual(['FAILED']);
  });

  test('finds running renders after it was killed, and charges once', async () => {
    const { dataDir, key } = await account();
    const first = await serve(dataDir);
    const id = await client(first.url, key).order(composition(box, { duration: 16 }), { fps: 30 });
    await until(async () => (await client(first.url, key).get(id)).progress > 0);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await serve(dataDir);
    expect(await client(second.url, key).ended(id)).toMatchObject({ status: 'completed', credits: 16 });
    expect(executionsOf(id).map(({ status }) => status)).toEqual(['SUCCEEDED']);
    second.child.kill('SIGTERM');
    await once(second.child, 'exit');
    const database = await openDatabase({ dataDir, databaseUrl: undefined });
    onTestFinished(() => database.destroy());
    const entries = await database.selectFrom('ledger').select(['kind', 'amount']).orderBy('created_at').execute();
    expect(entries).toEqual([
      { kind: 'grant', amount: 600 },
      { kind: 'charge', amount: -16 },
    ]);
  });

  test('stops the execution of a deleted render', async () => {
    const { dataDir, key } = await account();
    const api = client((await serve(dataDir)).url, key);
    // Each frame differs, so that it does not end before it is deleted.
    const moving = `<style>@keyframes go { to { translate: 32px } } div { animation: go 120s linear }</style>${box}`;
    const id = await api.order(composition(moving, { duration: 120 }), { fps: 60 });
    await until(async () => (await api.get(id)).progress > 0);
    await api.delete(id);
    await until(() => executionsOf(id)[0]?.status === 'ABORTED');
    expect(executionsOf(id)).toHaveLength(1);
  });
});

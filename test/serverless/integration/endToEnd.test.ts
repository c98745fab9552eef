// The commands against AWS on 127.0.0.1: real S3, and the real template, state machine and function with its browser.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import { renderVideo } from '../../../sdk/renders.ts';
import { pathStyleFrom, s3Client } from '../../../serverless/aws.ts';
import type { Estimate } from '../../../serverless/renders/estimate.ts';
import type { Measured, RenderProgress } from '../../../serverless/renders/reports.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import type { Disturbance } from '../../aws/lambda.ts';
import { lambdaMissing } from '../../aws/lambdaProgram.ts';
import { runProgram } from '../../support/program.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { makeSound } from '../../support/renders/sound.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

/**
 * `FRAMEWORK_TEST_AWS=1`: the same against whatever the environment names, AWS itself or another emulator (AWS_REGION, keys,
 * AWS_ENDPOINT_URL_*, FRAMEWORK_S3_PATH_STYLE), but for what only the doubles can be made to do. Costs some cents; the
 * bucket stays.
 */
const isElsewhere = process.env.FRAMEWORK_TEST_AWS === '1';
const stack = isElsewhere ? ['--stack-name', `framework-test-${process.pid}`] : [];
const onDoubles = test.skipIf(isElsewhere);

/** The number of workers that a small machine runs at the same time. AWS reserves none in new accounts. */
const workers = isElsewhere ? [] : ['--concurrency', '3'];

const missing = isElsewhere ? undefined : (cephMissing() ?? lambdaMissing());
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('on AWS', () => {
  let ceph: CephAccount;
  let aws: Aws;
  let disturb: (payload: Record<string, unknown>, attempt: number) => Disturbance | undefined = () => undefined;

  beforeAll(async () => {
    if (isElsewhere) return;
    ceph = await openCeph();
    aws = await startAws({ s3: ceph, disturb: (...given) => disturb(...given), retryWaitMs: 500 });
  });
  afterAll(async () => {
    await aws?.close();
  });
  beforeEach(() => {
    disturb = () => undefined;
  });

  const framework = (...args: string[]) => runProgram(['serverless', ...args, ...stack], isElsewhere ? {} : aws.env);

  async function json<T>(...args: string[]): Promise<T> {
    const { status, stdout, stderr } = await framework(...args, '--json');
    if (status !== 0) throw new Error(`${args.join(' ')}: ${status}\n${stdout}\n${stderr}`);
    return JSON.parse(stdout) as T;
  }

  async function download(progress: RenderProgress): Promise<Buffer> {
    const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.*)$/.exec(progress.outputFile?.s3Uri ?? '') ?? [];
    const s3 = isElsewhere ? s3Client({ pathStyle: pathStyleFrom(process.env) }) : aws.s3;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  }

  /** With a tone from its beginning to its end. */
  async function moving(seconds: number): Promise<string> {
    const body = `<div style="position:absolute;width:20px;height:20px;background:#f40;animation:go ${seconds}s linear both"></div>
      <style>@keyframes go { to { transform: translate(40px, 20px) rotate(90deg) } }</style>
      <audio src="tone.wav" data-start="0"></audio>`;
    const folder = project(composition(body, { duration: seconds }));
    makeSound(referenceFfmpeg, join(folder, 'tone.wav'), '0.5*sin(2*PI*440*t)', seconds);
    return folder;
  }

  test('deploys the stack, and then reports no changes', async () => {
    const first = await json<{ RenderBucketName: string; changed: boolean; canary: { measured: Measured } }>(
      'deploy',
      '--memory',
      '4096',
      ...workers,
      '--yes',
    );
    expect(first).toMatchObject({
      changed: true,
      RenderStateMachineArn: expect.stringMatching(/^arn:aws:states:/),
      canary: { ok: true, measured: { memoryMb: 4096, capturePath: 'paint' } },
    });
    for (const name of ['framesPerSecond', 'coldStartSeconds', 'planSeconds', 'assembleSeconds'] as const)
      expect(first.canary.measured[name]).toBeGreaterThan(0);
    // Options that are not given keep their deployed values.
    const again = await framework('deploy', '--no-canary', '--yes');
    expect(again).toMatchObject({ status: 0 });
    expect(again.stderr).toContain('The stack is up to date');
    expect(again.stdout).toContain(`RenderBucketName  ${first.RenderBucketName}`);
  });

  test('uploads many files at the same time without a warning of Node', async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.txt`, String(index)]));
    const folder = project({ 'index.html': composition('<p>many</p>'), ...files });
    const { status, stderr } = await framework('sites', 'create', folder, '--json');
    expect(status).toBe(0);
    expect(stderr).not.toContain('MaxListeners');
  });

  /** The newest version of the function. */
  function currentFunction(): string {
    const base = [...aws.cloudFormation.stacks.values()][0]?.outputs.RenderFunctionName ?? '';
    return `${base}:${aws.lambda.versions(base)}`;
  }

  /** The browser and ffmpeg that the function carries, here. */
  async function renderedHere(projectDir: string, name: string): Promise<string> {
    const output = join(temporaryFolder(), name);
    const packaged = { env: { PATH: '' } };
    const [browser, ffmpeg] = await Promise.all([findBrowser(packaged), findFfmpeg(packaged)]);
    await renderVideo({ projectDir, output, browserPath: browser.path, ffmpegPath: ffmpeg.path });
    return output;
  }

  test('produces the bytes of a local render although a chunk is lost, one is throttled and one is delivered twice', async () => {
    disturb = ({ step, index }, attempt) => {
      if (step !== 'renderChunk') return undefined;
      if (index === 0 && attempt === 0) return { killAfterMs: 1500 };
      if (index === 1 && attempt < 3) return 'throttle';
      return index === 2 ? 'twice' : undefined;
    };
    const folder = await moving(24);
    const remote = join(temporaryFolder(), 'remote.mp4');
    const progress = await json<RenderProgress>('render', folder, '-o', remote, '--progress', 'none');
    expect(progress).toMatchObject({
      status: 'SUCCEEDED',
      output: remote,
      overallProgress: 1,
      framesRendered: 720,
      totalFrames: 720,
      chunks: { done: 3, total: 3 },
      errors: [],
    });
    expect(progress.costs.usd).toBeGreaterThan(0);
    const local = await renderedHere(folder, 'local.mp4');
    expect(readFileSync(remote).equals(readFileSync(local))).toBe(true);
  });

  test('reports the id of a render first, and can wait for it later', async () => {
    const folder = project(composition('<p>Hello</p>', { duration: 1 }));
    const started = await framework('render', folder, '--progress', 'ndjson', '--json', '--variables', '{"x":1}');
    const events = started.stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    const { executionArn } = JSON.parse(started.stdout);
    expect(events).toContainEqual(expect.objectContaining({ type: 'started', executionArn }));
    expect(events).toContainEqual({ type: 'warning', message: expect.stringContaining('"x" is not declared') });
    const later = join(temporaryFolder(), 'later.mp4');
    expect(await json('progress', executionArn, '-o', later, '--progress', 'none')).toMatchObject({
      ...{ status: 'SUCCEEDED', output: later },
    });
    expect(readFileSync(later).length).toBeGreaterThan(1000);
  });

  test('produces the same frames and sound with other chunks than a local render', async () => {
    const folder = await moving(3);
    // ProRes encodes each frame independently, so differences come from the capture and not from the encoder.
    const options = ['--chunk-size', '40', '--format', 'mov', '--wait', '--progress', 'none'];
    const progress = await json<RenderProgress>('render', folder, ...options);
    expect(progress.chunks).toEqual({ done: 3, total: 3 });
    const remote = join(temporaryFolder(), 'remote.mov');
    writeFileSync(remote, await download(progress));
    await expectSameVideo(remote, await renderedHere(folder, 'local.mov'), 90);
  });

  test('renders 41 chunks although a worker is lost, and produces the frames of a local render', async () => {
    const isLost = (payload: Record<string, unknown>, attempt: number) => payload.index === 20 && attempt === 0;
    disturb = (...given) => (isLost(...given) ? { killAfterMs: 200 } : undefined);
    const folder = await moving(41 / 30);
    const chunks = ['--chunk-size', '1', '--max-parallel-chunks', '41'];
    const remote = join(temporaryFolder(), 'remote.mov');
    const options = ['--format', 'mov', '-o', remote, '--progress', 'none'];
    const progress = await json<RenderProgress>('render', folder, ...chunks, ...options);
    expect(progress).toMatchObject({ status: 'SUCCEEDED', chunks: { done: 41, total: 41 }, errors: [] });
    await expectSameVideo(remote, await renderedHere(folder, 'local.mov'), 41);
  });

  test('reports the fonts of all chunks, and characters that no font has', async () => {
    const later = '<p style="font-family:Georgia">Later \u{12000}</p>';
    const script = `setTimeout(() => root.insertAdjacentHTML('beforeend', '${later}'), 250)`;
    const page = `<p style="color:#fff;font-family:Inter">Now</p><script>${script}</script>`;
    const folder = project(composition(page, { duration: 0.4 }));
    const options = ['--fps', '30', '--chunk-size', '6', '--wait', '--progress', 'none'];
    const { status, stdout, stderr } = await framework('render', folder, ...options);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const warning = /^index\.html:\d+:\d+: no font has the character U\+12000 /;
    const [started = '', fonts = '', ...warnings] = stderr.trimEnd().split('\n');
    expect([started, fonts, warnings]).toEqual([
      expect.stringMatching(/^Render r-[0-9a-f-]+$/),
      'fonts: Georgia (as Gelasio), Inter',
      [expect.stringMatching(/^warning: index/)],
    ]);
    const [, renderId = ''] = /^s3:\/\/.*\/(r-[0-9a-f-]+)\.mp4\n$/.exec(stdout) ?? [];
    expect(await json('progress', renderId)).toMatchObject({
      chunks: { done: 2, total: 2 },
      fonts: [
        { family: 'Georgia', weights: ['400'], source: 'pinned', substitute: 'Gelasio' },
        { family: 'Inter', weights: ['100 900'], source: 'pinned', substitute: null },
      ],
      warnings: [expect.stringMatching(warning)],
    });
    const { stdout: text } = await framework('progress', renderId);
    expect(text).toContain('\nfonts     Georgia (as Gelasio), Inter\n');
  });

  test('chooses the number of chunks by the measurements of the stack', async () => {
    const folder = await moving(4);
    const { chunks, assumed } = await json<Estimate>('render', folder, '--chunks', 'auto', '--dry-run');
    expect(assumed.memoryMb).toBe(4096);
    const progress = await json<RenderProgress>('render', folder, '--chunks', 'auto', '--wait', '--progress', 'none');
    expect(progress.chunks).toEqual({ done: chunks, total: chunks });
  });

  onDoubles('renders the next chunk of a site with the browser of the one before', async () => {
    const folder = project(composition('<p>warm</p>', { duration: 1 }));
    await json('render', folder, '--wait', '--progress', 'none');
    const before = workersBrowsers();
    await json('render', folder, '--wait', '--progress', 'none', '--variables', '{"title":"other"}');
    const after = workersBrowsers();
    expect(after.length).toBeGreaterThan(0);
    expect(after.filter((pid) => !before.includes(pid))).toEqual([]);
  });

  onDoubles('shows the browser no AWS credentials', () => {
    const environments = workersBrowsers().map((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1'));
    const names = environments.flatMap((text) => text.split('\0').map((entry) => entry.replace(/=.*/s, '')));
    expect(names).toContain('PATH');
    expect(names.filter((name) => /^AWS_|KEY|SECRET|TOKEN/.test(name))).toEqual([]);
  });

  onDoubles('reports a chunk that exceeds the time limit before its worker is killed', async () => {
    const name = currentFunction();
    // The last ten seconds are reserved for the error report. Ten minutes of distinct frames take longer than the rest.
    await aws.lambda.change(name, { timeoutSeconds: 30 });
    const moving =
      '<style>@keyframes go{to{translate:20px}}</style><p style="animation:go 1s infinite alternate">long</p>';
    const folder = project(composition(moving, { duration: 600 }));
    const options = ['--max-parallel-chunks', '1', '--wait', '--progress', 'none', '--json'];
    const { status, stdout } = await framework('render', folder, ...options);
    await aws.lambda.change(name, { timeoutSeconds: 900 });
    const { errors, slowestChunk } = JSON.parse(stdout) as RenderProgress;
    expect(status).toBe(1);
    expect(errors.at(-1)?.cause).toMatch(/^Chunk 0 exceeds the limit of 15 minutes .* --chunk-size/);
    expect(slowestChunk?.index).toBe(0);
  });

  test('reports errors of the project with their line before anything is uploaded', async () => {
    const folder = project(composition('<div data-composition-id="x" data-composition-src="gone.html"></div>'));
    const { status, stderr } = await framework('render', folder);
    expect(status).toBe(1);
    expect(stderr).toContain('gone.html');
  });

  test('deletes the stack and keeps the bucket', async () => {
    const { keptBucket } = await json<{ keptBucket: string }>('destroy', '--yes');
    expect(keptBucket).toMatch(/bucket/);
    const { status, stderr } = await framework('render', await moving(1));
    expect(status).toBe(1);
    expect(stderr).toContain('framework serverless deploy');
  });
});

/**
 * Process ids of the browsers that functions have started: not those of their own pages and helpers.
 * A browser does not have the function's environment, but it is a child of the function.
 */
function workersBrowsers(): string[] {
  const parent = (pid: string) => /^PPid:\s*(\d+)/m.exec(read(pid, 'status'))?.[1] ?? '';
  return readdirSync('/proc').filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      /--user-data-dir/.test(read(pid, 'cmdline')) &&
      !/--type=/.test(read(pid, 'cmdline')) &&
      /AWS_LAMBDA_RUNTIME_API=/.test(read(parent(pid), 'environ')),
  );
}

/** A file of a process; empty when it has ended. */
function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Frame by frame above 50 dB, and the same samples. */
async function expectSameVideo(one: string, other: string, frames: number): Promise<void> {
  const ffmpeg = referenceFfmpeg;
  const psnr = execFileSync(
    ffmpeg,
    ['-hide_banner', '-i', one, '-i', other, '-lavfi', 'psnr=stats_file=-', '-f', 'null', '-'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const values = [...psnr.matchAll(/psnr_avg:(\S+)/g)].map(([, value]) => (value === 'inf' ? 100 : Number(value)));
  expect(values).toHaveLength(frames);
  expect(Math.min(...values)).toBeGreaterThan(50);
  const samples = (file: string) =>
    execFileSync(ffmpeg, ['-v', 'error', '-i', file, '-f', 's16le', '-'], { maxBuffer: 1 << 28 });
  expect(samples(one).equals(samples(other))).toBe(true);
}

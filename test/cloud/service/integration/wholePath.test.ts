// From a folder to a video through a service on this machine. Client and service are the built command line.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RenderRecord } from '../../../../cloud/client/apiTypes.ts';
import { referenceFfmpeg } from '../../../support/ffmpeg.ts';
import { type ProgramRun, runProgram } from '../../../support/program.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { addKey, operate, type ServedProgram, serveProgram } from '../../../support/serveProgram.ts';
import { core } from '../../../support/suites.ts';
import { decode, describeVideo, hex } from '../../../support/video.ts';
import { startReceiver } from '../../../support/webhooks.ts';
import { createBrowser } from '../../../support/webService.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'service-'));
let service: ServedProgram;
beforeAll(async () => {
  service = await serveProgram(dataDir, ['--workers', '1', '--allow-private-targets']);
});
afterAll(async () => {
  await service?.end();
  rmSync(dataDir, { recursive: true, force: true });
});

let accounts = 0;

/** An account with 10 credits, and a client with its key. */
async function client() {
  const email = `ann${++accounts}@example.com`;
  const key = await addKey(dataDir, email, ['--credits', '10']);
  const home = temporaryFolder();
  const env = { HOME: home, SERVICE_API_URL: service.url, SERVICE_API_KEY: key, FRAMEWORK_API_KEY: '' };
  const run = (...args: string[]): Promise<ProgramRun> => runProgram(args, env);
  return {
    email,
    run,
    /** The output of a command with `--json`, which must succeed. */
    async json<T = RenderRecord>(...args: string[]): Promise<T> {
      const { status, stdout, stderr } = await run(...args, '--json');
      expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
      return JSON.parse(stdout);
    },
    credits: async () => Number(/has (\S+) credits/.exec(await operate(dataDir, ['credits', '--email', email]))?.[1]),
  };
}

/** Half a second of one color, which is a variable. */
const tinted = () => {
  const variables = [{ id: 'tint', type: 'color', label: 'Tint', default: '#ff0000' }];
  const box = '<div style="position:absolute;inset:0;background:var(--tint)"></div>';
  return project(composition(box, { width: 64, height: 36, duration: 0.5, variables }));
};
const quick = ['--poll-interval', '1s', '--fps', '10', '--quality', 'draft', '--width', '64'];
const blue = ['--variables', '{"tint":"#0000ff"}'];

type Sent = { render_id: string; asset_id: string };

/** Apart from compression. */
const isBlue = ([r = 255, g = 255, b = 0]: readonly number[]): boolean => r < 8 && g < 8 && b > 247;

/** The first pixel of a JPEG, as viewers show it. */
async function jpegPixel(file: string): Promise<number[]> {
  const pixels = ['-v', 'error', '-i', file, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'];
  return [...execFileSync(referenceFfmpeg, pixels).subarray(0, 3)];
}

/** Without the rounding errors of floating-point sums. */
const hundredths = (credits: number): number => Math.round(credits * 100);

test('renders a folder with the given values and charges it', core, async () => {
  const { json, run, credits } = await client();
  const output = join(temporaryFolder(), 'out.mp4');
  const render = await json('cloud', 'render', tinted(), ...quick, ...blue, '--title', 'Blue', '-o', output);

  expect((await describeVideo(output)).stream).toContain('64x36');
  const frames = await decode(output, 64, 36);
  expect(frames).toHaveLength(5);
  expect(isBlue(frames[4]?.at(32, 18) ?? [])).toBe(true);

  expect(render).toMatchObject({ status: 'completed', duration: 0.5, credits: 0.5, fps: 10, aspect_ratio: '16:9' });
  expect(hundredths(await credits())).toBe(950);

  const { data } = await json<{ data: RenderRecord[] }>('cloud', 'list');
  expect(data.map(({ render_id, title }) => [render_id, title])).toEqual([[render.render_id, 'Blue']]);
  const again = await json('cloud', 'get', render.render_id);
  expect(again).toMatchObject({ status: 'completed', progress: 1, failure_code: null });
  const thumbnail = join(temporaryFolder(), 'thumbnail.jpg');
  writeFileSync(thumbnail, Buffer.from(await (await fetch(again.thumbnail_url ?? '')).arrayBuffer()));
  expect(isBlue(await jpegPixel(thumbnail))).toBe(true);

  const others = await client();
  expect(await others.run('cloud', 'get', render.render_id)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`The render ${render.render_id} does not exist in this account`),
  });
  expect((await run('cloud', 'delete', render.render_id, '--no-confirm')).status).toBe(0);
  expect((await json<{ data: RenderRecord[] }>('cloud', 'list')).data).toEqual([]);
  expect((await run('cloud', 'get', render.render_id)).status).toBe(1);
  // Deleting a render does not refund its credits.
  expect(hundredths(await credits())).toBe(950);
});

test('downloads a render that was submitted earlier', async () => {
  const { json, run } = await client();
  const { stdout } = await run('cloud', 'render', tinted(), ...quick, '--no-wait');
  const id = /rnd_[\w-]{22}/.exec(stdout)?.[0] ?? '';
  const output = join(temporaryFolder(), 'later.mp4');
  await json('cloud', 'get', id, '--wait', '--poll-interval', '1s', '-o', output);
  expect(hex((await decode(output, 64, 36))[0], 32, 18)).toMatch(/^#f[\da-f]0[\da-f]0[\da-f]$/);
});

test('creates one render for repeated requests with one key', async () => {
  const { json, run, credits } = await client();
  const folder = tinted();
  const once = ['cloud', 'render', folder, ...quick, '--idempotency-key', 'release-7'];
  const output = join(temporaryFolder(), 'out.mp4');
  const [first, second] = [await json(...once, '-o', output), await json(...once, '-o', output)];
  expect(second.render_id).toBe(first.render_id);
  expect((await json<{ data: RenderRecord[] }>('cloud', 'list')).data).toHaveLength(1);
  expect(hundredths(await credits())).toBe(950);
  const { status, stdout } = await run(...once, ...blue, '-o', output, '--json');
  expect([status, JSON.parse(stdout).error.code]).toEqual([1, 'idempotency_conflict']);
});

test('rejects invalid values before uploading, and in the service for an existing project', async () => {
  const { json, run } = await client();
  const wrong = [...quick, '--variables', '{"tint":7}', '--strict-variables'];
  const before = service.requests('/v3').length;
  const here = await run('cloud', 'render', tinted(), ...wrong);
  expect(here).toMatchObject({ status: 1, stderr: expect.stringContaining('"tint" must be a color') });
  expect(service.requests('/v3')).toHaveLength(before);

  const sent = await json<Sent>('cloud', 'render', tinted(), ...quick, '--no-wait');
  const there = await run('cloud', 'render', '--asset-id', sent.asset_id, ...wrong, '--json');
  const { error } = JSON.parse(there.stdout);
  expect([there.status, error.code]).toEqual([1, 'framework_project_invalid']);
  expect(error.message).toContain('"tint"');
  expect((await json<{ data: RenderRecord[] }>('cloud', 'list')).data).toHaveLength(1);
});

test('sends a signed webhook', async () => {
  const { email, run } = await client();
  const browser = createBrowser(service.url);
  await browser.signIn(email);
  const secret = /whsec_[\w+/=]+/.exec((await browser.get('/webhooks')).text)?.[0] ?? '';
  const receiver = await startReceiver();
  const callback = ['--no-wait', '--callback-url', receiver.url, '--callback-id', 'order 7'];
  expect((await run('cloud', 'render', tinted(), ...quick, ...callback)).status).toBe(0);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 120_000, interval: 50 });

  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  const message = new Webhook(secret).verify(body, headers as Record<string, string>) as {
    data: { video_url: string; render_id: string };
  };
  expect(message).toMatchObject({ type: 'render.completed', data: { callback_id: 'order 7', duration: 0.5 } });
  const video = Buffer.from(await (await fetch(message.data.video_url)).arrayBuffer());
  const stored = readFileSync(join(dataDir, `objects/videos/${message.data.render_id}.mp4`));
  expect(createHash('sha256').update(video).digest('hex')).toBe(createHash('sha256').update(stored).digest('hex'));
  const log = await operate(dataDir, ['webhooks', '--render', message.data.render_id, '--json']);
  expect(log).toContain('"delivered"');
});

test('reports an invalid project', async () => {
  const { run, credits } = await client();
  const output = join(temporaryFolder(), 'out.mp4');
  const broken = project(composition('<script>\nnowhere.call();\n</script>', { width: 64, height: 36 }));
  const { status, stdout } = await run('cloud', 'render', broken, ...quick, '-o', output, '--json');
  const { error } = JSON.parse(stdout);
  expect([status, error.code]).toEqual([1, 'render_failed']);
  expect(error.message).toContain('nowhere is not defined');
  expect(existsSync(output)).toBe(false);
  expect(await credits()).toBe(10);
});

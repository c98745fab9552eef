// A worker process may be controlled by the page that it renders: the service checks its messages.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workerCheck } from '../../../../cloud/service/queue/workerCheck.ts';
import { runWorker, type WorkerEnd, workerLimits } from '../../../../cloud/service/queue/workerProcess.ts';
import { project } from '../../../support/project.ts';

const planned = { type: 'planned', seconds: 4, frames: 120, resolution: '1080p' };
const result = {
  ...{ video: 'video.mp4', thumbnail: null, seconds: 4, bytes: 5, fps: 30 },
  ...{
    aspectRatio: '16:9',
    resolution: '1080p',
    engine: {
      browser: { version: '153.0.8010.0', source: 'embedded' },
      ffmpeg: { version: '8.1', source: 'embedded' },
    },
    warnings: [],
  },
};
const done = { type: 'done', result };

const runFake = (...messages: unknown[]) =>
  runWriting(...messages.map((message) => (message === 'continue' ? message : `${JSON.stringify(message)}\n`)));

/**
 * Runs a worker that writes `texts` and then waits. It waits for the service where the list has 'continue'. Returns how the
 * render ended, and the lengths that were to be paid.
 */
async function runWriting(...texts: string[]): Promise<{ end: WorkerEnd; plans: number[] }> {
  const script = `
    import { Socket } from 'node:net';
    const texts = ${JSON.stringify(texts)};
    const service = new Socket({ fd: 3, readable: true, writable: true });
    service.on('error', () => process.exit());
    service.setEncoding('utf8').on('data', (text) => {
      if (text.includes('"stop"')) process.exit();
      while (texts.length > 0) {
        const next = texts.shift();
        if (next === 'continue') return;
        service.write(next);
      }
    });`;
  const folder = project({ 'worker.mjs': script });
  const job = {
    ...{ folder, projectUrl: null, composition: 'index.html', fps: null, quality: 'draft', format: 'mp4' },
    ...{ resolution: '1080p', aspectRatio: null, size: {}, variables: {}, strictVariables: false },
    ...{
      network: 'public' as const,
      allowHosts: [],
      secureOnly: true,
      pages: 1,
      browserPath: null,
      ffmpegPath: null,
      stack: null,
    },
  };
  const plans: number[] = [];
  const onPlan = async ({ seconds }: { seconds: number }) => void plans.push(seconds);
  const { signal } = new AbortController();
  const run = { signal, limits: workerLimits, sandbox: undefined, env: process.env, onPlan, onProgress: () => {} };
  return { end: await runWorker(job, run, join(folder, 'worker.mjs')), plans };
}

test('returns the result of a worker whose plan was accepted', async () => {
  expect(await runFake(planned, 'continue', done)).toEqual({ end: { kind: 'done', result }, plans: [4] });
});

test.each([
  ['a negative length', [{ ...planned, seconds: -5000 }]],
  ['no length', [{ ...planned, seconds: null }]],
  ['a length whose price is 0', [{ ...planned, seconds: 1e-9 }]],
  ['an unknown resolution', [{ ...planned, resolution: '8k' }]],
  ['a video without a plan', [done]],
  ['a message that is no object', [null]],
  ['an unknown type', [{ type: 'other' }]],
  ['an unknown failure', [{ type: 'failed', failure: { code: 'render_interrupted', message: '' }, detail: '' }]],
  [
    'a failure of a megabyte',
    [{ type: 'failed', failure: { code: 'internal_error', message: 'x'.repeat(1e6) }, detail: '' }],
  ],
])('ends a worker that reports %s', async (_, messages) => {
  expect(await runFake(...messages)).toMatchObject({
    end: { kind: 'died', failure: { code: 'internal_error' }, detail: expect.stringContaining('invalid message') },
    plans: [],
  });
});

test.each([
  ['a second plan', [planned, 'continue', { ...planned, seconds: 0.01 }, done]],
  ['too many warnings', [planned, 'continue', { type: 'done', result: { ...result, warnings: Array(51).fill('x') } }]],
  ['a progress of 200 %', [planned, 'continue', { type: 'progress', value: 2, frames: 1 }]],
])('ends a worker that reports %s after its plan', async (_, messages) => {
  expect(await runFake(...messages)).toMatchObject({
    end: { kind: 'died', detail: expect.stringContaining('invalid message') },
    plans: [4],
  });
});

test.each([
  ['no JSON', ['garbage\n'], 'no JSON'],
  ['an empty line', ['\n'], 'no JSON'],
  ['an endless line', ['x'.repeat(3_000_000)], 'too long'],
])('ends a worker that writes %s', async (_, texts, problem) => {
  expect(await runWriting(...texts)).toMatchObject({
    end: { kind: 'died', failure: { code: 'internal_error' }, detail: `invalid message: ${problem}` },
    plans: [],
  });
});

test('reads messages that arrive in parts and together', async () => {
  const progress = JSON.stringify({ type: 'progress', value: 0.5, frames: 60 });
  const [head, tail] = [JSON.stringify(planned).slice(0, 10), JSON.stringify(planned).slice(10)];
  expect(
    await runWriting(`${progress}\n${head}`, `${tail}\n`, 'continue', `${progress}\n${JSON.stringify(done)}\n`),
  ).toEqual({
    end: { kind: 'done', result },
    plans: [4],
  });
});

test('does not accept a video while the price of its plan is not held', () => {
  const { check, acceptPlan } = workerCheck();
  check(planned);
  expect(() => check(done)).toThrow('done without a plan');
  acceptPlan();
  expect(check(done)).toEqual(done);
});

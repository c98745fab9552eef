// `framework chunks`: what it prints of a job in a folder, and its errors.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { splitFrames } from '../../renderer-core/plan/chunks.ts';
import { programVersion } from '../../serverless/jobs/programVersion.ts';
import { temporaryFolder } from '../support/project.ts';
import { cli } from './cli.ts';

const codeVersion = await programVersion();

/** A job of two chunks. The first one was started, and has failed. */
function jobFolder(files: Record<string, string> = {}): string {
  const job = temporaryFolder();
  const plan = {
    chunks: splitFrames(30, 2),
    frames: 30,
    output: 'index.mp4',
    format: 'mp4',
    codec: 'h264',
    quality: 'standard',
  };
  const failed = {
    ...{ index: 0, frames: 15, framesDone: 5, attempts: 1, updatedAt: 0 },
    error: { code: 'script_error', message: 'no' },
  };
  const all = {
    'plan.json': JSON.stringify({ plan, siteId: 's', capture: {}, warnings: [], size: 2, codeVersion }),
    'progress/00000.json': JSON.stringify(failed),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    const file = join(job, 'intermediate/video', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return job;
}

test('shows the chunks of a job with the errors of those that failed', async () => {
  const job = jobFolder();
  expect((await cli(['chunks', 'status', job])).stdout).toBe(`████░░░░░░░░░░░░░░░░░░░░ 0/2 chunks, 5/30 frames
CHUNK  STATE    FRAMES  ATTEMPTS  UPDATED
0      failed   5/15    1         1970-01-01T00:00:00.000Z
  no
1      waiting  0/15    0
`);
  const json = await cli(['chunks', 'status', job, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ job, frames: 30, framesDone: 5, done: 0, total: 2 },
    chunks: [
      { state: 'failed', error: { code: 'script_error' } },
      { state: 'waiting', error: null, updatedAt: null },
    ],
  });
});

test.each([
  ['join', '--wait', '-o', join(tmpdir(), 'never.mp4')],
  ['status', '--watch'],
])('exits with 130 when %s is cancelled while it waits', async (command, ...options) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  const { status, stderr } = await cli(['chunks', command, jobFolder(), ...options], { signal: abort.signal });
  expect(status).toBe(130);
  expect(stderr).toContain('cancelled');
});

test('names a damaged job', async () => {
  const job = jobFolder({ 'plan.json': '{' });
  const { status, stderr } = await cli(['chunks', 'status', job]);
  expect(status).toBe(1);
  expect(stderr).toContain(`Reading the job: a file of ${job} is damaged`);
});

test.each([
  [['plan'], '--to is missing: where the job is stored'],
  [['render'], 'the job is missing: a folder, or s3://<bucket>/<name>'],
  [['render', '.'], '--index is missing: the chunk to render'],
  [['join', '.', '-o', '-'], 'chunks join writes no video to standard output'],
])('explains what %j lacks', async (argv, message) => {
  const { status, stderr } = await cli(['chunks', ...argv]);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

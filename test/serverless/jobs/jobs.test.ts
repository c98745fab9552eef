// The `chunks` commands: a job in a folder, whose chunks are rendered in any order, again and at the same time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderVideo } from '../../../sdk/renders.ts';
import { jobStatus, joinJob, planJob, renderJobChunk } from '../../../serverless/jobs/jobs.ts';
import { type Job, openJob } from '../../../serverless/jobs/openJob.ts';
import { programVersion } from '../../../serverless/jobs/programVersion.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { surroundings } from '../../support/renders/surroundings.ts';
import { core } from '../../support/suites.ts';

const { signal } = new AbortController();
const options = { signal, surroundings, date: Date.now };
const openFolderJob = (): Promise<Job> => openJob(join(temporaryFolder(), 'job'), {}, signal);

const moving = `<style>@keyframes go { to { translate: 20px } }</style><p style="animation:go 1s linear">a</p>`;
const video = (duration = 1, fps = '30') => ({
  projectDir: project({ 'index.html': composition(moving, { duration }) }),
  fps,
});

test('has the bytes of a local render, with its chunks in any order', core, async () => {
  const job = await openFolderJob();
  const request = video();
  expect(await planJob(job, request, 3, options)).toMatchObject({
    job: job.name,
    chunks: 3,
    frames: 30,
    output: 'index.mp4',
    files: 1,
    uploadedFiles: 1,
  });
  const same = await Promise.all([renderJobChunk(job, 2, options), renderJobChunk(job, 2, options)]);
  expect(same).toMatchObject([
    { index: 2, frames: 10 },
    { index: 2, frames: 10 },
  ]);
  await expect(joinJob(job, '/nowhere/a.mp4', { ...options, wait: false })).rejects.toMatchObject({
    code: 'job_incomplete',
    message: '2 of 3 chunks are not rendered: 0, 1',
  });
  const output = join(temporaryFolder(), 'joined.mp4');
  const joined = joinJob(job, output, { ...options, wait: true });
  await renderJobChunk(job, 0, options);
  expect(await jobStatus(job)).toMatchObject({
    done: 2,
    total: 3,
    framesDone: 20,
    chunks: [
      { index: 0, state: 'done', framesDone: 10, attempts: 1 },
      { index: 1, state: 'waiting', framesDone: 0, attempts: 0, updatedAt: null },
      { index: 2, state: 'done' },
    ],
  });
  await renderJobChunk(job, 1, options);
  expect(await renderJobChunk(job, 1, options)).toMatchObject({ isReused: true });
  expect(await joined).toMatchObject({ output, frames: 30, durationSeconds: 1 });

  const local = join(temporaryFolder(), 'local.mp4');
  await renderVideo({ ...request, output: local, chunkFrames: 10 });
  expect(readFileSync(output).equals(readFileSync(local))).toBe(true);
  expect(readdirSync(join(output, '..'))).toEqual(['joined.mp4']);
});

test('has the bytes of a local render if one process renders several of its chunks', core, async () => {
  const job = await openFolderJob();
  const request = video(3, '240');
  expect(await planJob(job, request, 2, options)).toMatchObject({ chunks: 2, frames: 720 });
  expect(await renderJobChunk(job, 1, options)).toMatchObject({ index: 1, frames: 480, isReused: false });
  const half = { done: 1, total: 2, framesDone: 480, chunks: [{ state: 'waiting', frames: 240 }, { state: 'done' }] };
  expect(await jobStatus(job)).toMatchObject(half);
  await expect(joinJob(job, '/nowhere/a.mp4', { ...options, wait: false })).rejects.toMatchObject({
    message: '1 of 2 chunks are not rendered: 0',
  });
  await renderJobChunk(job, 0, options);
  const [output, local] = ['joined.mp4', 'local.mp4'].map((name) => join(temporaryFolder(), name)) as [string, string];
  await joinJob(job, output, { ...options, wait: false });
  await renderVideo({ ...request, output: local });
  expect(readFileSync(output).equals(readFileSync(local))).toBe(true);
});

describe('refuses', () => {
  const chunks = [{ index: 0, start: 0, end: 30 }];
  const plan = { chunks, frames: 30, output: 'index.mp4', format: 'mp4', codec: 'h264', quality: 'standard' };
  const planned = async () => {
    const codeVersion = await programVersion();
    const job = await openFolderJob();
    await job.store.putJson('intermediate/video/plan.json', {
      ...{ plan, siteId: 's', capture: {}, warnings: [], size: 1, codeVersion },
    });
    return job;
  };

  test('a folder without a job', async () => {
    const job = await openFolderJob();
    await expect(jobStatus(job)).rejects.toMatchObject({
      code: 'job_not_found',
      message: `There is no job in ${job.name}`,
    });
  });

  test('a chunk that the job does not have', async () =>
    await expect(renderJobChunk(await planned(), 1, options)).rejects.toMatchObject({
      message: 'the job has no chunk 1',
      hint: 'Its chunks are 0 to 0.',
    }));

  test('a job of another version of the program, whose plan may have another shape', async () => {
    const job = await openFolderJob();
    await job.store.putJson('intermediate/video/plan.json', { codeVersion: 'other' });
    const refused = {
      code: 'render_failed',
      message: 'This machine has another version of framework than the one that planned the video',
    };
    await expect(renderJobChunk(job, 0, options)).rejects.toMatchObject(refused);
    await expect(joinJob(job, '/tmp/a.mp4', { ...options, wait: false })).rejects.toMatchObject(refused);
    await expect(jobStatus(job)).rejects.toMatchObject(refused);
  });

  test('a video with another extension', async () =>
    await expect(joinJob(await planned(), '/tmp/a.webm', { ...options, wait: false })).rejects.toMatchObject({
      code: 'usage',
      message: 'The job was planned for a video that ends with .mp4, not .webm',
    }));
});

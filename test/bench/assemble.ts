// npm run bench:assemble [-- --seconds 300 --sound]: time and disk of the Assemble step for a video of 12 Mbit/s and 30 frames per
// second, from a bucket in this process that is as fast as the network of an AWS Lambda worker.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { h264Settings } from '../../renderer-core/media/codecs.ts';
import { ivfFrames } from '../../renderer-core/media/ivf.ts';
import { insertSkippedFrames } from '../../renderer-core/media/repeatedFrames.ts';
import { splitFrames } from '../../renderer-core/plan/chunks.ts';
import type { Bucket } from '../../serverless/bucket.ts';
import type { StoredPlan } from '../../serverless/renders/storedRender.ts';
import { assembleStep } from '../../serverless/steps/assembleStep.ts';
import { startStopwatch } from '../../serverless/steps/stageTimes.ts';
import { factsKey, type StepContext, segmentKey } from '../../serverless/steps/stepContext.ts';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { makeSound } from '../support/renders/sound.ts';
import { surroundings } from '../support/renders/surroundings.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    chunks: { type: 'string', default: '16' },
    sound: { type: 'boolean', default: false },
  },
});

/** 600 Mbit/s in each direction. */
const bytesPerSecond = 75e6;
const bytesPerFrame = 12e6 / 8 / 30;
const seconds = Number(values.seconds);

const root = mkdtempSync(join(tmpdir(), 'bench-assemble-'));
const folder = (name: string): string => {
  mkdirSync(join(root, name));
  return join(root, name);
};
const [stored, work, projectDir] = [folder('stored'), folder('work'), folder('project')];

/** A second of motion, with filler data for the bit rate, which decoders skip. */
function oneSecond(): Buffer[] {
  const { preset, crf, params } = h264Settings.standard;
  const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=1920x1080:r=30', '-frames:v', '30'];
  const encoder = ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-x264-params', params];
  const output = ['-pix_fmt', 'yuv420p', '-f', 'h264', '-'];
  const frames = insertSkippedFrames(execFileSync(referenceFfmpeg, [...source, ...encoder, ...output]), []);
  return frames.map((frame) => {
    const filler = Buffer.alloc(Math.max(0, bytesPerFrame - frame.length), 0xff);
    return Buffer.concat([frame, Buffer.of(0, 0, 0, 1, 12), filler, Buffer.of(0x80)]);
  });
}

/** Waits as long as this many bytes take when all transfers in one direction share the bandwidth. */
function limiter(): (bytes: number) => Promise<void> {
  let freeAt = 0;
  return async (bytes) => {
    freeAt = Math.max(freeAt, performance.now()) + (bytes / bytesPerSecond) * 1000;
    await sleep(freeAt - performance.now());
  };
}

/** `objects`: JSON by key. Segments are files in `stored`, under the last part of their keys. The video is put there too. */
function slowBucket(objects: Record<string, unknown>): Bucket {
  const [receive, transmit] = [limiter(), limiter()];
  const file = (key: string) => join(stored, key.replace(/^.*\//, ''));
  const unused = (): never => {
    throw new Error('not used here');
  };
  const copy = async (from: string, to: string, pass: typeof receive) => {
    for (let left = statSync(from).size; left > 0; left -= 1e6) await pass(Math.min(left, 1e6));
    copyFileSync(from, to);
  };
  return {
    ...{ name: 'results', size: unused, remove: unused, signedUrl: unused, put: unused, createJson: unused },
    getJson: async <T>(key: string) => objects[key] as T | undefined,
    putJson: async () => undefined,
    list: async () =>
      Object.keys(objects).flatMap((name) => {
        const key = name.replace(/\.json$/, '');
        return key.endsWith('.ivf') ? [{ key, bytes: statSync(file(key)).size, modifiedAt: new Date(0) }] : [];
      }),
    download: (key, path) => copy(file(key), path, receive),
    upload: (key, path) => copy(path, file(key), transmit),
    async startParts(key) {
      const part = (number: number) => `${file(key)}.${number}`;
      return {
        async send(number, bytes) {
          await transmit(bytes.length);
          writeFileSync(part(number), bytes);
        },
        async complete(last) {
          const parts = Array.from({ length: last }, (_, index) => part(index + 1));
          execFileSync('sh', ['-c', 'out=$1; shift; cat "$@" > "$out"', '-', file(key), ...parts]);
        },
        abort: unused,
      };
    },
  };
}

/** The bytes of all files in a folder. */
function diskUse(path: string): number {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + (statSync(join(path, file), { throwIfNoEntry: false })?.size ?? 0), 0);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}

function storedRender(): { objects: Record<string, unknown>; renderId: string } {
  const frames = 30 * seconds;
  const plan = {
    ...{
      version: 1,
      fps: { num: 30, den: 1 },
      frames,
      width: 1920,
      height: 1080,
      chunks: splitFrames(frames, Number(values.chunks)),
    },
    ...{ format: 'mp4', codec: 'h264', quality: 'standard', output: 'video.mp4' },
  };
  const render = {
    plan,
    capture: { path: 'paint' },
    siteId: 's',
    codeVersion: 'c',
    network: 'any',
  } as unknown as StoredPlan;
  const second = oneSecond();
  const tone = {
    name: 'tone',
    url: 'project:/tone.wav',
    start: 0,
    end: null,
    mediaStart: 0,
    rate: 1,
    loop: false,
    volumes: [],
  };
  if (values.sound) makeSound(referenceFfmpeg, join(projectDir, 'tone.wav'), '0.5*sin(2*PI*440*t)', seconds);
  const facts = { sounds: values.sound ? [tone] : [], fonts: null, warnings: [] };
  const objects: Record<string, unknown> = { plan: render };
  for (const { index, start, end } of plan.chunks) {
    const key = segmentKey('r', render, index);
    const content = Array.from({ length: end - start }, (_, frame) => second[(start + frame) % 30] ?? Buffer.alloc(0));
    writeFileSync(join(stored, key.replace(/^.*\//, '')), ivfFrames(content, start));
    objects[factsKey(key)] = facts;
  }
  return { objects, renderId: 'r' };
}

async function measure(): Promise<void> {
  const { objects, renderId } = storedRender();
  process.env.TMPDIR = work;
  const context: StepContext = {
    surroundings,
    ...{
      store: slowBucket(objects),
      projectDir,
      codeVersion: 'c',
      signal: new AbortController().signal,
      now: Date.now,
      deadlineAt: Number.POSITIVE_INFINITY,
      pause: async () => undefined,
    },
    ...{
      worker: { memoryMb: 4096, log: { group: '', stream: '', requestId: '' } },
      stopwatch: startStopwatch(Date.now, false),
    },
  };
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, diskUse(work));
  }, 50);
  const input = { version: 1, renderId, bucket: 'results', siteId: 's', outputKey: 'video.mp4' } as const;
  const { bytes, times } = await assembleStep(input, 'plan', context);
  clearInterval(timer);
  const stages = Object.entries(times?.stages ?? {}).map(([stage, ms]) => `${stage} ${(ms / 1000).toFixed(1)} s`);
  const total = ((times?.endedAt ?? 0) - (times?.startedAt ?? 0)) / 1000;
  console.log(`${seconds} s of video, ${(bytes / 1e6).toFixed(0)} MB: ${total.toFixed(1)} s (${stages.join(', ')})`);
  console.log(
    `most bytes on the disk: ${(peak / 1e6).toFixed(0)} MB. sha256 ${await sha256(join(stored, 'video.mp4'))}`,
  );
}

try {
  await measure();
} finally {
  rmSync(root, { recursive: true, force: true });
}

// From a folder to a video through a service on this machine. Client and service are the built command line.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RenderRecord } from '../../../../cloud/client/apiTypes.ts';
import { type ProgramRun, runProgram } from '../../../support/program.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { decode, describeVideo } from '../../../support/renders/video.ts';
import { addKey, operate, type ServedProgram, serveProgram } from '../../../support/service/serveProgram.ts';
import { core } from '../../../support/suites.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'service-'));
let service: ServedProgram;
beforeAll(async () => {
  service = await serveProgram(dataDir, ['--workers', '1']);
});
afterAll(async () => {
  await service?.end();
  rmSync(dataDir, { recursive: true, force: true });
});

/** An account with 10 credits, and a client with its key. */
async function client(email: string) {
  const key = await addKey(dataDir, email, ['--credits', '10']);
  const home = temporaryFolder();
  const env = { HOME: home, SERVICE_API_URL: service.url, SERVICE_API_KEY: key, FRAMEWORK_API_KEY: '' };
  const run = (...args: string[]): Promise<ProgramRun> => runProgram(args, env);
  return {
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
  const { json, run, credits } = await client('ann@example.com');
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

  const others = await client('ben@example.com');
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

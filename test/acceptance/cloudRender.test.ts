// Renders of the hosted service, from the folder to the video.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { makeZip } from '../support/makeZip.ts';
import { listenInTest } from '../support/servers/listen.ts';
import { accept, type Check, framework, type Place } from './acceptance.ts';
import { hostedService, passDay, steppedClock } from './hosted.ts';
import { page, submit, upload } from './orders.ts';
import { video } from './pictures.ts';

const service = hostedService(['--workers', '1', '--allow-private-targets'], steppedClock);
const { newAccount } = service;
const renders = '/v3/framework/renders';
const files = { 'index.html': page };
const blue = `--variables '{"tint":"#0000ff"}'`;

/** One frame of 64x48 pixels. */
const tiny = '--fps 5 --quality draft --width 64';
const quick = `${tiny} --poll-interval 1s`;

let finished: { render: string; asset: string } | undefined;

/** A completed render of the file's account: `<render>`, and its project: `<asset>`. Made once. */
const finish: Check = async (place) => {
  if (!finished) {
    const argv = ['cloud', 'render', ...quick.split(' '), '--title', 'Monday', '--json'];
    const { stdout } = await framework(argv, place);
    const { render_id: render, asset_id: asset } = JSON.parse(stdout);
    finished = { render, asset };
  }
  place.kept.set('render', finished.render).set('asset', finished.asset);
};

type Record = { status: string; progress: number; video_url: string; thumbnail_url: string };

async function recordOf({ env, kept }: Place): Promise<Record> {
  const url = `${env.SERVICE_API_URL}${renders}/${kept.get('render')}`;
  const response = await fetch(url, { headers: { 'x-api-key': env.SERVICE_API_KEY ?? '' } });
  return ((await response.json()) as { data: Record }).data;
}

/** The states of `<render>`, in order, from now until this one, which is its last. */
const statesUntil = (last: string, ...before: string[]): Check => {
  return async (place) => {
    const seen: string[] = [];
    for (let status = ''; status !== 'completed' && status !== 'failed'; await sleep(20)) {
      status = (await recordOf(place)).status;
      if (seen.at(-1) !== status) seen.push(status);
    }
    expect(seen).toEqual(expect.arrayContaining([...before, last]));
    expect(seen.at(-1)).toBe(last);
  };
};

/** The credits of the account are this many hundredths. */
const credits = (hundredths: number): Check => {
  return async ({ env }) => {
    const url = `${env.SERVICE_API_URL}/v3/users/me`;
    const response = await fetch(url, { headers: { 'x-api-key': env.SERVICE_API_KEY ?? '' } });
    const { data } = (await response.json()) as { data: { billing: { credits_remaining: number } } };
    expect(Math.round(data.billing.credits_remaining * 100)).toBe(hundredths);
  };
};

/** What the service gets during a command. */
const requests = (argv: string[], wanted: string[]): Check => {
  return async (place) => {
    const before = service.program().requests('/').length;
    expect(await framework(argv, place)).toMatchObject({ status: 0 });
    expect([...new Set(service.program().requests('/').slice(before))]).toEqual(wanted);
  };
};

const getOne = `GET ${renders}/:id 200`;
const download = 'GET /files/:folder/:name 200';

/** The status of a signed URL, fetched without a credential. */
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

/** Serves the project as a zip archive, whose address is `<archive>`. */
const serveArchive: Check = async ({ kept }) => {
  const archive = makeZip([{ name: 'index.html', data: page }]);
  const origin = await listenInTest(createServer((_, response) => response.end(archive)));
  kept.set('archive', `${origin}/project.zip`);
};

accept(
  [
    {
      sentence:
        'Hosted cloud rendering zips a project, uploads it to a hosted API, submits a render, polls it, and downloads the video',
      files,
      steps: [
        requests(
          ['cloud', 'render', ...quick.split(' '), '-o', 'out.mp4'],
          ['POST /v3/assets 200', `POST ${renders} 200`, getOne, download],
        ),
        video('out.mp4', '64x48', { stream: /^h264/, frames: 1, first: { '32,24': '#ff0000' } }),
      ],
    },
    {
      sentence: 'Renders are billed per credit; 4k is billed at 1.5 times',
      files,
      steps: [
        newAccount(['--credits', '10']),
        { run: 'cloud render --fps 5 --quality draft --poll-interval 1s -o out.mp4', creates: ['out.mp4'] },
        credits(980),
        { run: 'cloud render --fps 5 --quality draft --poll-interval 1s -o 4k.mp4 --resolution 4k' },
        video('4k.mp4', '2880x2160'),
        credits(950),
      ],
    },
    {
      sentence:
        'A render is queued after submit, rendering when the service starts it, and completed after success, with a signed video_url',
      steps: [
        upload(),
        submit({ fps: 5, quality: 'draft', width: 64 }, { json: { data: { status: 'queued' } } }),
        statesUntil('completed', 'rendering'),
        async (place) => expect(await statusOf((await recordOf(place)).video_url)).toBe(200),
      ],
    },
    {
      sentence: 'A render that ends in failure is `failed`, with failure_code and failure_message',
      steps: [
        upload([{ name: 'other.html', data: page }]),
        submit(),
        statesUntil('failed'),
        {
          request: `GET ${renders}/<render>`,
          json: {
            data: {
              failure_code: 'framework_project_invalid',
              failure_message: expect.stringContaining('index.html'),
              video_url: null,
              thumbnail_url: null,
              completed_at: expect.any(Number),
              credits: null,
            },
          },
        },
      ],
    },
    {
      sentence: 'Cloud asset: asset_id (opaque string), returned by the upload',
      files,
      steps: [
        { run: `cloud render ${tiny} --no-wait --json`, json: { asset_id: expect.stringMatching(/^ast_[\w-]{22}$/) } },
      ],
    },
    {
      sentence:
        'Cloud render: render_id (opaque string), status, video_url and thumbnail_url (short-lived presigned URLs)',
      files,
      steps: [
        finish,
        {
          run: 'cloud get <render> --json',
          json: {
            render_id: expect.stringMatching(/^rnd_[\w-]{22}$/),
            status: 'completed',
            progress: 1,
            title: 'Monday',
            duration: 0.2,
            fps: 5,
            quality: 'draft',
            format: 'mp4',
            credits: 0.2,
            failure_code: null,
          },
          keep: { video: 'video_url', thumbnail: 'thumbnail_url' },
        },
        async ({ kept }) => {
          for (const name of ['video', 'thumbnail']) {
            const url = kept.get(name) ?? '';
            expect(await statusOf(url)).toBe(200);
            const changed = url.replace(/(?<=signature=)./, (first) => (first === 'A' ? 'B' : 'A'));
            expect(await statusOf(changed)).toBe(403);
            const expires = Number(new URL(url).searchParams.get('expires'));
            expect(expires - Date.now() / 1000).toBeLessThan(3660);
          }
        },
      ],
    },
    {
      sentence: 'Defaults: 30 frames per second, standard quality, mp4, 1080p, index.html',
      files,
      steps: [
        {
          run: 'cloud render --poll-interval 1s --json -o out.mp4',
          json: { fps: 30, quality: 'standard', format: 'mp4', resolution: '1080p', composition: 'index.html' },
        },
        video('out.mp4', '1440x1080', { stream: /^h264.* 30 fps/, frames: 6, first: { '720,540': '#ff0000' } }),
      ],
    },
    {
      // This decision replaces the default 16:9 of --asset-id and --url.
      sentence: 'Without --aspect-ratio, a composition renders in its own aspect ratio, also with --asset-id or --url',
      files,
      steps: [
        finish,
        { run: `cloud render --asset-id <asset> ${quick} -o out.mp4` },
        video('out.mp4', '64x48'),
        { run: `cloud render --asset-id <asset> ${quick} -o wide.mp4 --aspect-ratio 16:9` },
        video('wide.mp4', '64x36', { first: { '2,18': '#000000', '32,18': '#ff0000' } }),
      ],
    },
    {
      sentence: '--aspect-ratio and --fit: local and cloud renders behave the same',
      files,
      steps: [
        { run: `render ${tiny} --aspect-ratio 1:1 --fit stretch -o local.mp4` },
        { run: `cloud render ${quick} --aspect-ratio 1:1 --fit stretch -o cloud.mp4` },
        video('cloud.mp4', '64x64', { first: { '2,2': '#ff0000', '62,62': '#ff0000' } }),
        ({ folder }) => {
          const [local, cloud] = ['local.mp4', 'cloud.mp4'].map((name) => readFileSync(join(folder, name)));
          expect(cloud?.equals(local ?? Buffer.alloc(0))).toBe(true);
        },
      ],
    },
    {
      sentence: 'webm and mov carry alpha',
      files: { 'index.html': page.replace('background:#000', '').replace('inset:0', 'inset:0 50% 0 0') },
      steps: [
        { run: `cloud render ${quick} -o out.webm`, creates: ['out.webm'] },
        video('out.webm', '64x48', { alpha: true }),
        { run: `cloud render ${quick} -o out.mov`, creates: ['out.mov'] },
        video('out.mov', '64x48', { stream: /^prores .*yuva/ }),
      ],
    },
    {
      sentence: 'Output path: default renders/<render_id>.<ext>',
      files,
      steps: [
        finish,
        { run: `cloud render --asset-id <asset> ${quick} --json`, keep: { new: 'render_id' } },
        (place) => video(`renders/${place.kept.get('new')}.mp4`, '64x48')(place),
      ],
    },
    {
      sentence: 'Re-rendering with --asset-id and new variables skips zip and upload',
      files,
      steps: [
        finish,
        async (place) => {
          const argv = ['cloud', 'render', '--asset-id', place.kept.get('asset') ?? '', ...quick.split(' ')];
          const wanted = [`POST ${renders} 200`, getOne, download];
          await requests([...argv, '--variables', '{"tint":"#0000ff"}', '-o', 'blue.mp4'], wanted)(place);
        },
        video('blue.mp4', '64x48', { first: { '32,24': '#0000ff' } }),
      ],
    },
    {
      sentence: '--no-wait prints the render_id and exits; cloud get retrieves the result later',
      files,
      steps: [
        { run: `cloud render ${tiny} --no-wait --json`, json: { status: 'queued' }, keep: { render: 'render_id' } },
        { run: 'cloud get <render> --wait --poll-interval 1s -o later.mp4', creates: ['later.mp4'] },
        video('later.mp4', '64x48', { frames: 1 }),
      ],
    },
    {
      sentence:
        'Cloud render with --asset-id and variables that do not match the schema: checked on the server, error code framework_project_invalid',
      files,
      steps: [
        finish,
        {
          run: `cloud render --asset-id <asset> --strict-variables --variables '{"tint":7}' --poll-interval 1s --json`,
          exit: 1,
          json: { error: { code: 'framework_project_invalid' } },
          prints: ['"tint"'],
        },
      ],
    },
    {
      sentence:
        'For a URL the variables are validated after it has been fetched, and the render fails with that failure_code, which the error of the CLI also has',
      steps: [
        serveArchive,
        {
          run: `cloud render --url <archive> --strict-variables --variables '{"other":1}' --poll-interval 1s --json`,
          exit: 1,
          json: { error: { details: { failure_code: 'framework_project_invalid' } } },
          prints: ['"other"'],
        },
      ],
    },
    {
      sentence: '--url renders a project that the service downloads',
      steps: [
        serveArchive,
        { run: `cloud render --url <archive> ${quick} ${blue} -o out.mp4` },
        video('out.mp4', '64x48', { first: { '32,24': '#0000ff' } }),
      ],
    },
    {
      sentence: 'cloud list lists recent renders',
      files,
      steps: [finish, { run: 'cloud list --all', prints: ['<render>', /completed .* Monday/] }],
    },
    {
      sentence: 'cloud delete is a soft delete: it asks first, or --no-confirm',
      files,
      steps: [
        { run: `cloud render ${tiny} --no-wait --json`, keep: { render: 'render_id' } },
        { run: 'cloud delete <render>', exit: 2, prints: ['--no-confirm'] },
        { run: 'cloud get <render>' },
        { run: 'cloud delete <render> --no-confirm', prints: ['Deleted <render>'] },
        { run: 'cloud get <render>', exit: 1, prints: ['does not exist'] },
        { run: 'cloud list --all', hides: ['<render>'] },
      ],
    },
    {
      sentence: 'cloud get <render_id>: full detail with a fresh signed video_url',
      files,
      steps: [
        finish,
        { run: 'cloud get <render>', prints: [/status +completed/, /title +Monday/, /video_url +http/] },
        { run: 'cloud get <render> --json', keep: { old: 'video_url' } },
        passDay(service),
        async ({ kept }) => expect(await statusOf(kept.get('old') ?? '')).toBe(403),
        { run: 'cloud get <render> --json', keep: { fresh: 'video_url' } },
        async ({ kept }) => expect(await statusOf(kept.get('fresh') ?? '')).toBe(200),
      ],
    },
  ],
  service.env,
);

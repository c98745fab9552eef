// What `framework cloud` sends. A recording service answers, so that each request can be compared as a whole.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { startProgram } from '../support/program.ts';
import { composition, temporaryFolder } from '../support/project.ts';
import { type CloudService, newRecord, startCloudService } from '../support/service/cloudService.ts';
import { readZip } from '../support/zip.ts';
import { accept, type Check, framework, type Place, type Step } from './acceptance.ts';
import { setEnv } from './hosted.ts';
import { packedCli } from './packedCli.ts';

let service: CloudService;
let namesAtRequest: string[] = [];

/** Starts a recording service for the commands that follow. */
const record: Check = async (place) => {
  service = await startCloudService();
  Object.assign(place.env, { SERVICE_API_URL: service.origin, SERVICE_API_KEY: 'key', FRAMEWORK_API_KEY: '' });
};

/** The body of the last render request, without the project. */
const sent = (order: object): Check => {
  return () => {
    const { project, ...rest } = service.orders().at(-1) ?? {};
    expect(rest).toEqual(order);
    expect(project).toBeDefined();
  };
};

const calls = (...wanted: string[]): Check => {
  return () => expect(service.calls().map((call) => call.replace(/render_\w+$/, '<id>'))).toEqual(wanted);
};
/** The files in the last uploaded archive. */
const uploaded = (...paths: string[]): Check => {
  return () => {
    const archive = join(temporaryFolder(), 'project.zip');
    writeFileSync(archive, service.archives().at(-1) ?? '');
    expect([...readZip(archive).keys()].sort()).toEqual(paths);
  };
};

const create = 'POST /v3/framework/renders';
const poll = 'GET /v3/framework/renders/<id>';
const upload = 'POST /v3/assets';
const sentNothing = calls();

const card = composition('', {
  duration: 0.2,
  variables: [{ id: 'tint', type: 'color', label: 'Tint', default: '#ff0000' }],
});
const files = { 'index.html': card };
const asset = 'cloud render --asset-id asset_1 --no-wait';

/** `cloud render --no-wait` with these options sends this body. */
const sends = (options: string, order: object): Step[] => [{ run: `${asset} ${options}` }, sent(order)];
const refuses = (options: string, ...prints: (string | RegExp)[]): Step => {
  return { run: `${asset} ${options}`, exit: 2, prints };
};

/** What is uploaded for a page of this size. */
const detects = (size: object, order: object): Step[] => [
  ({ folder }) => writeFileSync(join(folder, 'index.html'), composition('', { duration: 0.2, ...size })),
  { run: 'cloud render --no-wait' },
  sent(order),
];

/** Plays these states, one for each poll. */
const plays = (...script: CloudService['script']): Check => {
  return () => {
    service.script = script;
  };
};

/** `cloud render` with these options polls after this number of seconds. */
const pollsAfter = (seconds: number, ...options: string[]): Check => {
  return async (place) => {
    const argv = ['cloud', 'render', '--asset-id', 'a', '--progress', 'ndjson', ...options];
    const { stderr } = await framework(argv, place);
    const events = stderr
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const times = events.filter(({ type }) => type === 'status').map(({ elapsedMs }) => Number(elapsedMs));
    expect(times.map((time) => Math.floor(time / 1000))).toEqual([0, seconds]);
  };
};

const videoIsWhole: Check = ({ folder }) => expect(readFileSync(join(folder, 'out.mp4'))).toEqual(service.video);

/** A clock that runs 2000 times as fast for measured times, but not for pauses. */
const fastClock = `const now = performance.now.bind(performance); performance.now = () => 2000 * now();`;

// The contract: the endpoints and the options of cloud render.
accept([
  {
    sentence: 'POST /v3/assets: the zipped project is sent; the idempotency key is forwarded with it when given',
    files,
    steps: [
      record,
      { run: 'cloud render --no-wait --idempotency-key release-7' },
      calls(upload, create),
      () => expect(service.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['release-7', 'release-7']),
      uploaded('index.html'),
    ],
  },
  {
    sentence: 'Only what the user gave is sent',
    files,
    steps: [record, { run: 'cloud render --no-wait' }, sent({}), ...sends('', {}), ...sends('--fps 25', { fps: 25 })],
  },
  {
    sentence: 'cloud render [dir]: the project is a directory, by default `.`',
    files: { ...files, 'other/index.html': card, 'other/more.txt': 'more' },
    steps: [
      record,
      { run: 'cloud render --no-wait' },
      uploaded('index.html', 'other/index.html', 'other/more.txt'),
      { run: 'cloud render other --no-wait' },
      uploaded('index.html', 'more.txt'),
    ],
  },
  {
    sentence: 'The project is zipped with the ignore set that also excludes .git, node_modules and dist',
    files: { ...files, '.git/config': '', 'node_modules/a/a.js': '', 'dist/a.js': '', 'a.txt': '' },
    steps: [record, { run: 'cloud render --no-wait' }, uploaded('a.txt', 'index.html')],
  },
  {
    sentence: '--composition, -c: the entry composition file, default index.html',
    files: { ...files, 'scenes/intro.html': card },
    steps: [
      record,
      ...sends('-c scenes/intro.html', { composition: 'scenes/intro.html' }),
      ...sends('--composition b.html', { composition: 'b.html' }),
      { run: 'cloud render --no-wait -c scenes/intro.html' },
      sent({ composition: 'scenes/intro.html' }),
    ],
  },
  {
    sentence: '--fps: 1 to 240',
    steps: [
      record,
      ...sends('--fps 1', { fps: 1 }),
      ...sends('--fps 240', { fps: 240 }),
      ...sends('--fps 29.97', { fps: 29.97 }),
      refuses('--fps 0', /fps must be a number .*from 1 to 240/),
      refuses('--fps 241', /fps must be a number .*from 1 to 240/),
    ],
  },
  {
    sentence: '--quality: draft, standard or high',
    steps: [
      record,
      ...sends('--quality draft', { quality: 'draft' }),
      ...sends('--quality standard', { quality: 'standard' }),
      ...sends('--quality high', { quality: 'high' }),
      refuses('--quality best', 'draft, standard, high'),
    ],
  },
  {
    sentence: '--format: mp4, webm or mov',
    steps: [
      record,
      ...sends('--format mp4', { format: 'mp4' }),
      ...sends('--format webm', { format: 'webm' }),
      ...sends('--format mov', { format: 'mov' }),
      refuses('--format gif', 'mp4, webm, mov'),
    ],
  },
  {
    sentence: '--resolution: 1080p or 4k',
    steps: [
      record,
      ...sends('--resolution 1080p', { resolution: '1080p' }),
      ...sends('--resolution 4k', { resolution: '4k' }),
      refuses('--resolution 720p', '1080p, 4k'),
    ],
  },
  {
    sentence:
      '--resolution 4k with --format webm or mov is refused before upload, naming both values: alpha formats render at 1080p; use mp4 for 4k',
    files,
    steps: [
      record,
      ...['webm', 'mov'].map(
        (format): Step => ({
          run: `cloud render --resolution 4k --format ${format}`,
          exit: 2,
          prints: [`--resolution 4k cannot be combined with --format ${format}`, '1080p', 'Use --format mp4 for 4k'],
        }),
      ),
      sentNothing,
    ],
  },
  {
    sentence: '--aspect-ratio: 16:9, 9:16 or 1:1',
    steps: [
      record,
      ...sends('--aspect-ratio 16:9', { aspect_ratio: '16:9' }),
      ...sends('--aspect-ratio 9:16', { aspect_ratio: '9:16' }),
      ...sends('--aspect-ratio 1:1', { aspect_ratio: '1:1' }),
      refuses('--aspect-ratio 4:3', '16:9, 9:16, 1:1'),
    ],
  },
  {
    sentence: 'The same options for the size exist for cloud renders: --width, --height, --fit, --background',
    steps: [
      record,
      ...sends('--width 64', { width: 64 }),
      ...sends('--height 48', { height: 48 }),
      ...sends('--aspect-ratio 1:1 --fit cover --background #102030', {
        aspect_ratio: '1:1',
        fit: 'cover',
        background: '#102030',
      }),
    ],
  },
  {
    sentence: "The aspect ratio of a local project is detected from the entry HTML's data-width and data-height",
    steps: [
      record,
      ...detects({ width: 1920, height: 1080 }, { aspect_ratio: '16:9' }),
      ...detects({ width: 72, height: 128 }, { aspect_ratio: '9:16' }),
      ...detects({ width: 64, height: 64 }, { aspect_ratio: '1:1' }),
      ...detects({ width: 64, height: 48 }, {}),
    ],
  },
  {
    sentence: '--variables: JSON; --variables-file: a path',
    files: { 'values.json': '{"tint":"#00ff00"}' },
    steps: [
      record,
      ...sends(`--variables '{"tint":"#0000ff"}'`, { variables: { tint: '#0000ff' } }),
      ...sends('--variables-file values.json', { variables: { tint: '#00ff00' } }),
    ],
  },
  {
    sentence: 'For a local project the CLI validates --variables against the declared schema before upload',
    files,
    steps: [
      record,
      {
        run: `cloud render --strict-variables --variables '{"tint":7}'`,
        exit: 1,
        prints: ['Variable "tint" must be a color'],
      },
      sentNothing,
      { run: `cloud render --no-wait --variables '{"tint":7}'`, prints: ['warning:', '"tint" must be a color'] },
      calls(upload, create),
    ],
  },
  {
    sentence: '--strict-variables is sent with the values',
    steps: [
      record,
      ...sends(`--variables '{"a":1}' --strict-variables`, { variables: { a: 1 }, strict_variables: true }),
    ],
  },
  {
    sentence: '--idempotency-key: characters A-Z a-z 0-9 _ : . -, length 1 to 255',
    steps: [
      record,
      ...sends('--idempotency-key AZaz09_:.-', {}),
      () => expect(service.seen.at(-1)?.headers['idempotency-key']).toBe('AZaz09_:.-'),
      { run: `${asset} --idempotency-key ${'k'.repeat(255)}` },
      refuses(`--idempotency-key ${'k'.repeat(256)}`, '1 to 255 of the characters A-Z a-z 0-9 _ : . -'),
      refuses('--idempotency-key a/b', '1 to 255 of the characters'),
    ],
  },
  {
    sentence: 'cloud list: --limit, --token, --all',
    steps: [
      record,
      () => {
        for (const id of ['render_1', 'render_2', 'render_3'])
          service.renders.set(id, { ...newRecord(), render_id: id });
      },
      {
        run: 'cloud list --limit 2 --json',
        json: { data: [{ render_id: 'render_3' }, { render_id: 'render_2' }], has_more: true },
        keep: { next: 'next_token' },
      },
      { run: 'cloud list --limit 2 --token <next> --json', json: { data: [{ render_id: 'render_1' }] } },
      {
        run: 'cloud list --limit 1 --all --json',
        json: { data: [{ render_id: 'render_3' }, { render_id: 'render_2' }, { render_id: 'render_1' }] },
      },
    ],
  },
]);

// Waiting and download.
accept([
  {
    sentence: 'Poll interval: default 10 seconds',
    steps: [record, plays({ status: 'rendering' }, { status: 'completed' }), pollsAfter(10)],
  },
  {
    sentence: '--poll-interval changes the interval',
    steps: [
      record,
      plays({ status: 'rendering' }, { status: 'completed' }),
      pollsAfter(1, '--poll-interval', '1s'),
      refuses('--poll-interval 0', '--poll-interval must be from 1s'),
    ],
  },
  {
    sentence: 'Max wait: default 60 minutes',
    steps: [
      record,
      plays({ status: 'rendering' }),
      setEnv({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fastClock)}` }),
      { run: 'cloud render --asset-id a --poll-interval 1s', exit: 1, prints: [/60 min/] },
      // One request for each of the two seconds before the end.
      () => expect(service.calls().length).toBeGreaterThanOrEqual(3),
    ],
  },
  {
    sentence: '--max-wait ends the wait; the render continues',
    steps: [
      record,
      plays({ status: 'rendering' }),
      {
        run: 'cloud render --asset-id a --poll-interval 1s --max-wait 1s',
        exit: 1,
        prints: [/framework cloud get render_\w+ --wait/],
      },
    ],
  },
  {
    sentence: 'A 5xx, 429 or network failure while polling is retried with backoff inside --max-wait',
    steps: [
      record,
      () => {
        service.faults['GET render'] = [{ status: 503 }, { status: 429 }, 'cut'];
      },
      { run: 'cloud render --asset-id a --poll-interval 1s --max-wait 60s -o out.mp4', creates: ['out.mp4'] },
      calls(create, poll, poll, poll, poll),
      () => {
        service.faults['GET render'] = Array.from({ length: 9 }, () => ({ status: 503 }));
      },
      { run: 'cloud render --asset-id a --poll-interval 1s --max-wait 1s', exit: 1, prints: [/cloud get render_\w+/] },
    ],
  },
  {
    sentence: 'Ctrl-C prints the render_id and the command that fetches it later',
    steps: [record, plays({ status: 'rendering' }), interrupt],
  },
  {
    sentence: 'Unknown response fields are ignored by clients',
    steps: [
      record,
      { run: 'cloud render --asset-id a --json', keep: { render: 'render_id' } },
      // The recording service adds a field.
      { run: 'cloud get <render> --json', json: { status: 'completed', not_known_yet: 1 } },
    ],
  },
  {
    sentence:
      'Download: to a temporary name next to the target, length checked, then renamed; an earlier good file survives a failure',
    files: { 'out.mp4': 'an earlier video' },
    steps: [
      record,
      () => {
        service.faults['GET video'] = Array.from({ length: 9 }, () => ({ status: 403 }));
      },
      { run: 'cloud render --asset-id a -o out.mp4', exit: 1 },
      ({ folder }) => expect(readFileSync(join(folder, 'out.mp4'), 'utf8')).toBe('an earlier video'),
      ({ folder }) => {
        service.faults['GET video'] = [];
        service.cutsAfter = [1000];
        service.onVideo = () => {
          namesAtRequest = readdirSync(folder);
        };
      },
      { run: 'cloud render --asset-id a -o out.mp4' },
      // The second request was for the rest.
      () => expect(service.ranges.at(-1)).toBe('bytes=1000-'),
      () => expect(namesAtRequest).toEqual([expect.stringMatching(/^\./), 'out.mp4']),
      videoIsWhole,
      ({ folder }) => expect(readdirSync(folder)).toEqual(['out.mp4']),
    ],
  },
]);

async function interrupt({ env }: Place): Promise<void> {
  const { texts, child, done } = startProgram(['cloud', 'render', '--asset-id', 'a'], env, '', packedCli);
  await vi.waitFor(() => expect(texts.stderr).toContain('Rendering render_'), { timeout: 30_000 });
  child.kill('SIGINT');
  const [id] = service.renders.keys();
  const { status, stderr } = await done;
  expect({ status, stderr }).toEqual({
    status: 130,
    stderr: expect.stringContaining(`framework cloud get ${id} --wait`),
  });
}

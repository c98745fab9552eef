import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, vi } from 'vitest';
import { selfSigned } from '../support/servers/selfSigned.ts';
import { operate } from '../support/service/serveProgram.ts';
import { type Receiver, startReceiver } from '../support/service/webhooks.ts';
import { createBrowser } from '../support/service/webService.ts';
import { isInPath, needPrograms } from '../support/systemPrograms.ts';
import { accept, type Check, type Place, type Step } from './acceptance.ts';
import { hostedService, passDay, steppedClock } from './hosted.ts';
import { error, page, submit, upload } from './orders.ts';
import { packedCli } from './packedCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The service trusts it. */
const certificate = isInPath('openssl') ? await selfSigned({ skip: expect.fail }, folder) : undefined;
const service = hostedService(['--workers', '1', '--allow-private-targets'], {
  ...steppedClock,
  ...(certificate ? { NODE_EXTRA_CA_CERTS: certificate.path } : {}),
});
/** It refuses private targets. */
const strict = hostedService(['--workers', '1']);

const files = { 'index.html': page };
const quick = '--fps 5 --quality draft --width 64';
/** It fails at once, without a browser. */
const failing = { composition: 'none.html', callback_url: '<hook>', callback_id: 'order 7' };

let receiver: Receiver;

/** Starts a receiver of webhooks, `<hook>`, that answers with this status. */
const receive = (status = 200, tls?: typeof certificate): Check => {
  return async ({ kept }) => {
    receiver = await startReceiver((response) => response.writeHead(status).end(), tls);
    kept.set('hook', receiver.url);
  };
};

const arrives = (count: number): Check => {
  return () => vi.waitFor(() => expect(receiver.received).toHaveLength(count), { timeout: 60_000, interval: 50 });
};

const bodyIs = (body: object): Check => {
  return () => expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toEqual(body);
};

type Delivery = {
  status: string;
  next_attempt_at: string | null;
  attempts: { at: string; status_code: number | null; error: string | null }[];
};

/** What the operator sees of the webhook of `<render>`, when this number of attempts has ended. */
async function deliveryOf({ kept }: Place, attempts: number, dataDir = service.dataDir): Promise<Delivery> {
  const args = ['webhooks', '--render', kept.get('render') ?? '', '--json'];
  return vi.waitFor(
    async () => {
      const [delivery] = JSON.parse(await operate(dataDir, args, '', packedCli)).data as Delivery[];
      expect(delivery?.attempts).toHaveLength(attempts);
      // An attempt is listed from its start.
      expect(delivery?.attempts.at(-1)?.error ?? '').not.toMatch('in progress');
      return delivery as Delivery;
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** The seconds before each of ten retries, up to a fifth shorter. */
const waits = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800];

const attempt = (index: number): Step[] => [
  async (place) => {
    const { status, attempts, next_attempt_at } = await deliveryOf(place, index + 1);
    expect(attempts.map(({ status_code }) => status_code)).toEqual(Array(index + 1).fill(503));
    const wait = waits[index];
    if (wait === undefined) {
      expect({ status, next_attempt_at }).toEqual({ status: 'failed', next_attempt_at: null });
      return;
    }
    expect(status).toBe('pending');
    const seconds = (Date.parse(next_attempt_at ?? '') - Date.parse(attempts.at(-1)?.at ?? '')) / 1000;
    expect(seconds).toBeGreaterThan(wait * 0.8 - 2);
    expect(seconds).toBeLessThan(wait + 2);
  },
  ...(index < waits.length ? [passDay(service)] : []),
];

accept(
  [
    {
      sentence:
        'Webhook: when --callback-url (an HTTPS URL) is given on submit, the hosted service sends an HTTPS webhook when the render terminates',
      files,
      steps: [
        ({ context }) => needPrograms(context, 'openssl'),
        receive(200, certificate),
        { run: `cloud render ${quick} --callback-url <hook> --poll-interval 1s -o out.mp4`, creates: ['out.mp4'] },
        arrives(1),
        ({ kept }) => expect(kept.get('hook')).toMatch(/^https:/),
      ],
    },
    {
      sentence:
        'It fires whether or not the CLI is still polling; --callback-id is an opaque tracking string echoed in the payload',
      files,
      steps: [
        receive(),
        {
          run: `cloud render ${quick} --no-wait --json --callback-url <hook> --callback-id 'order 7'`,
          json: { status: 'queued' },
          keep: { render: 'render_id' },
        },
        arrives(1),
        (place) =>
          bodyIs({
            type: 'render.completed',
            timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            data: {
              render_id: place.kept.get('render'),
              status: 'completed',
              callback_id: 'order 7',
              video_url: expect.stringContaining(`/files/videos/${place.kept.get('render')}.mp4?`),
              thumbnail_url: expect.stringContaining(`/files/thumbnails/${place.kept.get('render')}.`),
              duration: 0.2,
              failure_code: null,
              failure_message: null,
            },
          })(place),
        async () => {
          const { data } = JSON.parse(receiver.received[0]?.body ?? '');
          expect((await fetch(data.video_url)).status).toBe(200);
        },
      ],
    },
    {
      sentence:
        'The body is {type: "render.completed" or "render.failed", timestamp, data: {render_id, status, callback_id, video_url, thumbnail_url, duration, failure_code, failure_message}}',
      steps: [
        receive(),
        upload(),
        submit(failing),
        arrives(1),
        (place) =>
          bodyIs({
            type: 'render.failed',
            timestamp: expect.any(String),
            data: {
              render_id: place.kept.get('render'),
              status: 'failed',
              callback_id: 'order 7',
              video_url: null,
              thumbnail_url: null,
              duration: null,
              failure_code: 'framework_project_invalid',
              failure_message: expect.stringContaining('none.html'),
            },
          })(place),
      ],
    },
    {
      sentence:
        'POST to callback_url when a render ends, with Standard Webhooks headers and signature (webhook-id, webhook-timestamp, webhook-signature)',
      steps: [
        receive(),
        upload(),
        submit(failing),
        arrives(1),
        async () => {
          const { method, headers, body } = receiver.received[0] ?? expect.fail('no webhook');
          const signed = headers as Record<string, string>;
          expect(method).toBe('POST');
          expect(new Webhook(await secret()).verify(body, signed)).toEqual(JSON.parse(body));
          expect(signed['webhook-id']).toMatch(/^whd_/);
          expect(() => new Webhook(otherSecret).verify(body, signed)).toThrow('No matching signature');
        },
      ],
    },
    {
      sentence: 'Any 2xx ends it',
      steps: [
        receive(299),
        upload(),
        submit(failing),
        arrives(1),
        async (place) => {
          const { status, attempts, next_attempt_at } = await deliveryOf(place, 1);
          expect({ status, next_attempt_at }).toEqual({ status: 'delivered', next_attempt_at: null });
          expect(attempts[0]).toMatchObject({ status_code: 299, error: null });
        },
      ],
    },
    {
      sentence: 'Else it retries with growing waits for 24 h; every attempt is recorded and listed',
      steps: [
        receive(503),
        upload(),
        submit(failing),
        ...Array.from({ length: waits.length + 1 }, (_, index) => attempt(index)).flat(),
        () => {
          expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(24 * 3600);
          const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
          expect([receiver.received.length, ids.size]).toEqual([11, 1]);
        },
      ],
    },
  ],
  service.env,
);

accept(
  [
    {
      sentence: 'HTTPS only, private and loopback targets refused unless the operator allows them',
      steps: [
        upload(),
        submit({ callback_url: 'http://example.com/' }, error('invalid_parameter', 400, { param: 'callback_url' })),
        submit({ ...failing, callback_url: 'https://127.0.0.1:9/' }),
        async (place) => {
          const { status, attempts } = await deliveryOf(place, 1, strict.dataDir);
          expect(status).toBe('pending');
          expect(attempts[0]).toMatchObject({ status_code: null, error: expect.stringContaining('public') });
        },
      ],
    },
  ],
  strict.env,
);

const otherSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** From the page of the service. */
async function secret(): Promise<string> {
  const browser = createBrowser(service.program().url);
  await browser.signIn('ann@example.com');
  return /whsec_[\w+/=]+/.exec((await browser.get('/webhooks')).text)?.[0] ?? '';
}

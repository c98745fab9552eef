// Support for webhook tests: a service with a manual clock, and a receiver.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ServiceContext } from '../../../cloud/service/context.ts';
import { createLog } from '../../../cloud/service/context.ts';
import { createMetrics } from '../../../cloud/service/metrics.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import { createDiskObjects } from '../../../cloud/service/storage/diskObjects.ts';
import { newId } from '../../../cloud/service/storage/ids.ts';
import { memoryCounts } from '../../../cloud/service/storage/limitCounts.ts';
import type { AccountRow, RenderRow } from '../../../cloud/service/storage/tables.ts';
import { enqueueWebhook } from '../../../cloud/service/webhooks/webhooks.ts';
import { listenInTest } from '../servers/listen.ts';
import { testFolder, testSettings } from './service.ts';
import { accountRow, renderRow } from './serviceDatabase.ts';

export type WebhookService = {
  context: ServiceContext;
  account: AccountRow;
  /** The lines of the log. */
  logged: string[];
  /** Advances the clock, in milliseconds. */
  pass(milliseconds: number): void;
  /** Creates another account with a webhook secret. */
  addAccount(): Promise<AccountRow>;
  /** Ends a render in a transaction, like the queue. */
  end(render: Partial<RenderRow>): Promise<RenderRow>;
};

/** Its background tasks do not run automatically. Closed when the test ends. */
export async function webhookService(given: Partial<ServiceSettings> = {}): Promise<WebhookService> {
  const settings = testSettings(given.dataDir ?? (await testFolder()), { allowPrivateTargets: true, ...given });
  const database = await openDatabase(settings);
  onTestFinished(() => database.destroy());
  // Generating sign-in keys takes seconds.
  const secrets = { urlKey: randomBytes(32), cookieKeys: [], jwks: { keys: [] } };
  const logged: string[] = [];
  let time = Date.now();
  const now = () => time;
  const objects = createDiskObjects({
    folder: join(settings.dataDir, 'objects'),
    publicUrl: settings.publicUrl,
    urlKey: secrets.urlKey,
    now,
  });
  const log = createLog((line) => logged.push(line), now);
  const freeBytes = async () => 1e12;
  const addAccount = async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const row = { ...accountRow(newId('acc').toLowerCase()), webhook_secret: secret };
    await database.insertInto('accounts').values(row).execute();
    return row;
  };
  const account = await addAccount();
  return {
    context: {
      ...{ settings, database, objects, secrets, now, freeBytes, env: process.env, log, instance: 'one' },
      metrics: createMetrics({ database, workers: 0, freeBytes, now }),
      random: Math.random,
      openCounts: memoryCounts,
    },
    account,
    logged,
    addAccount,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    async end(fields) {
      const id = newId('rnd');
      const result = { video_key: `videos/${id}.mp4`, thumbnail_key: `thumbnails/${id}.jpg`, duration: 12.5 };
      const ended = { status: 'completed', callback_id: 'order 7', completed_at: time, ...result } as const;
      const render = renderRow(id, { account_id: account.id, ...ended, ...fields });
      await database.transaction().execute(async (session) => {
        await session.insertInto('renders').values(render).execute();
        await enqueueWebhook(session, render, time);
      });
      return render;
    },
  };
}

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Receiver = { url: string; received: ReceivedRequest[] };

/**
 * @param answer called for each complete request with its number from 0; default: status 200
 * @param tls makes the receiver use HTTPS
 * Closed when the test ends.
 */
export async function startReceiver(
  answer: (response: ServerResponse, index: number) => unknown = (response) => response.end(),
  tls?: { cert: Buffer; key: Buffer },
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest);
  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const index = received.push({ method, url, headers, body }) - 1;
    await answer(response, index);
  }
  const origin = await listenInTest(server);
  return { url: `${tls ? origin.replace('http:', 'https:') : origin}/hook`, received };
}

// What tests of webhooks need: a service whose clock is moved by hand, and a receiver that listens.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ServiceContext } from '../../renderer-core/service/context.ts';
import { openDatabase } from '../../renderer-core/service/database.ts';
import { createDiskObjects } from '../../renderer-core/service/diskObjects.ts';
import { newId } from '../../renderer-core/service/ids.ts';
import { createLog } from '../../renderer-core/service/log.ts';
import type { ServiceSettings } from '../../renderer-core/service/settings.ts';
import type { AccountRow, RenderRow } from '../../renderer-core/service/tables.ts';
import { enqueueWebhook } from '../../renderer-core/service/webhooks.ts';
import { testFolder, testSettings } from './service.ts';
import { accountRow, renderRow } from './serviceDatabase.ts';

export type WebhookService = {
  context: ServiceContext;
  account: AccountRow;
  /** Lines of the log, as they are printed. */
  logged: string[];
  /** Milliseconds by which the clock goes on. */
  pass(milliseconds: number): void;
  /** Another account, with a webhook secret of its own. */
  addAccount(): Promise<AccountRow>;
  /** Ends a render in a transaction, as the queue does. */
  end(render: Partial<RenderRow>): Promise<RenderRow>;
};

/** Its parts do not run by themselves. Closed when the test ends. */
export async function webhookService(given: Partial<ServiceSettings> = {}): Promise<WebhookService> {
  const settings = testSettings(given.dataDir ?? (await testFolder()), { allowPrivateTargets: true, ...given });
  const database = await openDatabase(settings);
  onTestFinished(() => database.destroy());
  // Keys for signing in take seconds to make.
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
  const addAccount = async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const row = { ...accountRow(newId('acc').toLowerCase()), webhook_secret: secret };
    await database.insertInto('accounts').values(row).execute();
    return row;
  };
  const account = await addAccount();
  return {
    context: { settings, database, objects, secrets, now, log, instance: 'one' },
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
 * `answer` is called with each request once all of it is there, and its number from 0; 200 without it. Closed when the
 * test ends. With `tls` it speaks https.
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`, received };
}

// What tests of webhooks need: a service's context with a clock that is moved by hand, and a receiver that listens.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ServiceContext } from '../../renderer-core/service/context.ts';
import { openDatabase } from '../../renderer-core/service/database.ts';
import { newId } from '../../renderer-core/service/ids.ts';
import type { AccountRow, RenderRow } from '../../renderer-core/service/tables.ts';
import { enqueueWebhook } from '../../renderer-core/service/webhooks.ts';

export type TestService = {
  context: ServiceContext;
  account: AccountRow;
  /** Lines of the log, as they would be printed. */
  logged: string[];
  /** Milliseconds by which the clock goes on. */
  pass(milliseconds: number): void;
  /** Ends a render in a transaction, as the queue does. */
  end(render: Partial<RenderRow>): Promise<RenderRow>;
  close(): Promise<void>;
};

type Options = { dataDir?: string; allowPrivateTargets?: boolean };

/** With SQLite in a folder of its own, unless one is given. */
export async function testService({ dataDir, allowPrivateTargets = true }: Options = {}): Promise<TestService> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'webhooks-')));
  const database = await openDatabase({ dataDir: folder, databaseUrl: undefined });
  const logged: string[] = [];
  let time = Date.now();
  const now = () => time;
  const account: AccountRow = {
    id: newId('acc'),
    email: `${newId('acc')}@example.com`,
    name: null,
    password_hash: 'x',
    plan: 'free',
    webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
    created_at: time,
  };
  await database.insertInto('accounts').values(account).execute();
  const context: ServiceContext = {
    settings: { ...settings, dataDir: folder, allowPrivateTargets },
    database,
    objects: {
      signedUrl: async (key, { expiresAt }) => `https://files.example.com/${key}?until=${expiresAt}`,
    } as ServiceContext['objects'],
    secrets: { urlKey: randomBytes(32), cookieKeys: [], jwks: { keys: [] } },
    now,
    log: (level, message, facts) => logged.push(JSON.stringify({ level, message, ...facts })),
    instance: 'one',
  };
  return {
    context,
    account,
    logged,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    async end(given) {
      const render = { ...endedRender(account.id, time), ...given };
      await database.transaction().execute(async (session) => {
        await session.insertInto('renders').values(render).execute();
        await enqueueWebhook(session, render, time);
      });
      return render;
    },
    async close() {
      await database.destroy();
      if (dataDir === undefined) await rm(folder, { recursive: true });
    },
  };
}

const settings: ServiceContext['settings'] = {
  dataDir: '',
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'http://127.0.0.1',
  databaseUrl: undefined,
  objects: { kind: 'disk' },
  workers: 0,
  engine: 'local',
  allowPrivateTargets: true,
  openSignUp: false,
  initialCredits: 0,
  requestsPerMinute: 60,
  retentionDays: 30,
  urlLifetime: 3600,
  browserPath: undefined,
  ffmpegPath: undefined,
};

function endedRender(accountId: string, now: number): RenderRow {
  const id = newId('rnd');
  return {
    id,
    account_id: accountId,
    status: 'completed',
    progress: 1,
    title: null,
    callback_id: 'order 7',
    callback_url: null,
    asset_id: null,
    project_url: 'https://example.com/project.zip',
    composition: 'index.html',
    fps: null,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    aspect_ratio: null,
    variables: '{}',
    strict_variables: 0,
    video_key: `videos/${id}.mp4`,
    video_bytes: 1000,
    thumbnail_key: `thumbnails/${id}.jpg`,
    duration: 12.5,
    credits: 12.5,
    failure_code: null,
    failure_message: null,
    created_at: now,
    started_at: now,
    completed_at: now,
    deleted_at: null,
    lease_owner: null,
    lease_expires_at: null,
    attempts: 1,
  };
}

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Receiver = { url: string; received: ReceivedRequest[]; close(): Promise<void> };

/** `answer` is called with each request once all of it is there, and its number from 0; 200 without it. */
export async function startReceiver(
  answer: (response: ServerResponse, index: number) => unknown = (response) => response.end(),
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const index = received.push({ method, url, headers, body }) - 1;
    await answer(response, index);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// Clients of several accounts. They submit, repeat and delete renders, and repeat each request until it has a response.
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveOf, longVideo, shortVideos, type Video, videos } from './projects.ts';
import { type Random, seeded } from './random.ts';

export type Account = { email: string; id: string; key: string };

/** A render that the service has accepted. */
export type Order = {
  /** Its idempotency key. */
  name: string;
  account: Account;
  video: Video;
  hasWebhook: boolean;
  /** All that were returned for its key. There should be only one. */
  ids: Set<string>;
  /** The client asked for its deletion. */
  isDeleted: boolean;
};

export type ClientWorld = {
  seed: number;
  /** The addresses of the instances. Requests go to any of them. */
  urls: readonly string[];
  callbackUrl: string;
  /** Share of long videos. */
  longShare: number;
  /** Unfinished renders of a client, at most. */
  depth: number;
  /** Ends the clients: they send nothing new. */
  signal: AbortSignal;
  orders: Order[];
  /** Responses that no request should have. */
  wrongResponses: string[];
};

type Client = { account: Account; random: Random; assets: Map<string, string>; own: Order[] };

export async function runClient(world: ClientWorld, account: Account): Promise<void> {
  const client: Client = { account, random: seeded(world.seed, account.email), assets: new Map(), own: [] };
  for (const video of videos) await upload(world, client, video);
  for (let count = 0; !world.signal.aborted; count++) {
    const action = client.random.weighted({ submit: 75, repeat: 8, cancel: 8, delete: 6, upload: 3 });
    const waitMs = client.random.between(0, 3000);
    if (action === 'repeat') await repeat(world, client);
    else if (action === 'delete') await deleteSome(world, client);
    else if (action === 'upload') await upload(world, client, client.random.pick(shortVideos));
    else {
      const order = await submit(world, client, `${account.email.split('@')[0]}-${count}`);
      if (action === 'cancel') {
        await sleep(waitMs);
        await deleteOrder(world, client, order);
      }
    }
    await whileBusy(world, client);
  }
}

async function upload(world: ClientWorld, client: Client, video: Video): Promise<void> {
  const { data } = await send(world, client, '/v3/assets', () => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(archiveOf(video))], { type: 'application/zip' }), 'project.zip');
    return { method: 'POST', body };
  });
  client.assets.set(video.name, (data as { asset_id: string }).asset_id);
}

async function submit(world: ClientWorld, client: Client, name: string): Promise<Order> {
  const { random, account } = client;
  const video = random.next() < world.longShare ? longVideo : random.pick(shortVideos);
  const order: Order = {
    ...{ name, account, video, hasWebhook: random.next() < 0.5 },
    ...{ ids: new Set<string>(), isDeleted: false },
  };
  world.orders.push(order);
  client.own.push(order);
  const asset = client.assets.get(video.name) ?? '';
  await place(world, client, order, asset);
  // The order is repeated with the asset that it had.
  client.assets.set(name, asset);
  return order;
}

async function place(world: ClientWorld, client: Client, order: Order, asset: string): Promise<void> {
  const body = JSON.stringify({
    project: { type: 'asset_id', asset_id: asset },
    ...{ fps: order.video.fps, quality: 'draft', width: 64, title: order.name },
    ...(order.hasWebhook ? { callback_url: world.callbackUrl, callback_id: order.name } : {}),
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': order.name };
  const { data } = await send(world, client, '/v3/framework/renders', () => ({ method: 'POST', headers, body }));
  order.ids.add((data as { render_id: string }).render_id);
}

async function repeat(world: ClientWorld, client: Client): Promise<void> {
  if (client.own.length === 0) return;
  const order = client.random.pick(client.own);
  await place(world, client, order, client.assets.get(order.name) ?? '');
}

async function deleteSome(world: ClientWorld, client: Client): Promise<void> {
  const left = client.own.filter(({ isDeleted }) => !isDeleted);
  if (left.length > 0) await deleteOrder(world, client, client.random.pick(left));
}

async function deleteOrder(world: ClientWorld, client: Client, order: Order): Promise<void> {
  order.isDeleted = true;
  const [id = ''] = order.ids;
  // 404: an earlier attempt was done, but its response was lost.
  await send(world, client, `/v3/framework/renders/${id}`, () => ({ method: 'DELETE' }), [200, 404]);
}

async function whileBusy(world: ClientWorld, client: Client): Promise<void> {
  for (;;) {
    await sleep(100);
    if (world.signal.aborted) return;
    const { data } = await send(world, client, '/v3/users/me', () => ({}));
    if ((data as { quotas: { renders: { used: number } } }).quotas.renders.used < world.depth) return;
  }
}

/** Repeats a request, also after the clients were told to end: otherwise its effect would be unknown. */
async function send(
  { urls, wrongResponses }: ClientWorld,
  { account, random }: Client,
  path: string,
  request: () => RequestInit,
  expected: readonly number[] = [200],
): Promise<{ data?: unknown }> {
  for (let attempt = 0; ; attempt++) {
    const init = request();
    const url = random.pick(urls) + path;
    const headers = { ...(init.headers as Record<string, string>), 'x-api-key': account.key };
    try {
      const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(30_000) });
      const answer = (await response.json()) as { data?: unknown };
      if (expected.includes(response.status)) return answer;
      // While a killed instance holds a lock, or the service shuts down.
      if (response.status !== 503)
        wrongResponses.push(`${init.method ?? 'GET'} ${path} ${response.status}: ${JSON.stringify(answer)}`);
      if (response.status < 500 && attempt > 5) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    } catch (error) {
      // The instance was killed, or is being started.
      if (!(error instanceof TypeError || error instanceof SyntaxError || isAbort(error))) throw error;
    }
    await sleep(Math.min(100 * 2 ** attempt, 1000));
  }
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

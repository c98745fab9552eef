// What must be true when all renders have ended, whatever was killed. Each check returns what is wrong.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { segmentKeys } from '../../cloud/service/queue/renderSegments.ts';
import type { AccountRow, Database, LedgerRow, RenderRow } from '../../cloud/service/storage/tables.ts';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import type { Order } from './clients.ts';
import type { KillKind } from './decisions.ts';
import type { LogLine } from './instances.ts';
import type { Received } from './receiver.ts';

/** Everything that is known when a run has ended. */
export type Outcome = {
  dataDir: string;
  orders: readonly Order[];
  renders: readonly RenderRow[];
  accounts: readonly AccountRow[];
  ledger: readonly LedgerRow[];
  deliveries: readonly { id: string; render_id: string; status: string; type: string }[];
  attempts: readonly { delivery_id: string; status_code: number | null }[];
  assets: readonly { account_id: string; size_bytes: number; deleted_at: number | null }[];
  uploads: readonly { account_id: string; bytes: number }[];
  received: readonly Received[];
  kills: Record<KillKind, number>;
  log: readonly LogLine[];
};

export async function readOutcome(
  database: Database,
): Promise<Omit<Outcome, 'dataDir' | 'orders' | 'received' | 'kills' | 'log'>> {
  const [renders, accounts, ledger, deliveries, attempts, assets, uploads] = await Promise.all([
    database.selectFrom('renders').selectAll().execute(),
    database.selectFrom('accounts').selectAll().execute(),
    database.selectFrom('ledger').selectAll().execute(),
    database.selectFrom('webhook_deliveries').select(['id', 'render_id', 'status', 'type']).execute(),
    database.selectFrom('webhook_attempts').select(['delivery_id', 'status_code']).execute(),
    database.selectFrom('assets').select(['account_id', 'size_bytes', 'deleted_at']).execute(),
    database.selectFrom('uploads').select(['account_id', 'bytes']).execute(),
  ]);
  return { renders, accounts, ledger, deliveries, attempts, assets, uploads };
}

const idOf = ({ ids }: Order): string => [...ids][0] ?? '';

/** Accepted renders that do not exist or have not ended. */
export function lostRenders({ orders, renders }: Outcome): string[] {
  const ended = new Set(
    renders.filter(({ status }) => status === 'completed' || status === 'failed').map(({ id }) => id),
  );
  return orders.filter((order) => !ended.has(idOf(order))).map(({ name, ids }) => `${name} ${[...ids]}`);
}

/** Renders that were created twice for one order, for no order, or that ended twice. */
export function duplicatedRenders({ orders, renders, log }: Outcome): string[] {
  const known = new Set(orders.map(idOf));
  const ends = new Map<string, number>();
  for (const { message, render } of log)
    if (/^render (?:completed|failed|deleted)/.test(String(message)))
      ends.set(String(render), (ends.get(String(render)) ?? 0) + 1);
  return [
    ...orders.filter(({ ids }) => ids.size !== 1).map(({ name, ids }) => `${name} has the IDs ${[...ids]}`),
    ...renders.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} belongs to no order`),
    ...[...ends].filter(([, count]) => count > 1).map(([id, count]) => `${id} ended ${count} times`),
  ];
}

export function wrongCharges({ orders, renders, ledger, accounts }: Outcome): string[] {
  const byId = new Map(renders.map((row) => [row.id, row]));
  const entriesOf = (id: string) => ledger.filter(({ render_id }) => render_id === id);
  const perRender = orders.flatMap((order) => {
    const row = byId.get(idOf(order));
    if (row === undefined) return [];
    const found = entriesOf(row.id).map(({ kind, amount }) => `${kind} ${amount}`);
    const price = priceOf(order, row);
    const expected = price === 0 ? [] : [`charge ${-price}`];
    const isWrong = found.join() !== expected.join() || (row.credits ?? 0) !== price;
    return isWrong ? [`${row.id} (${row.status} ${row.failure_code}): ${found.join()}; should be ${expected}`] : [];
  });
  return [...perRender, ...wrongBalances({ accounts, ledger })];
}

/** The running balance is the sum of the ledger. */
export function wrongBalances({ accounts, ledger }: Pick<Outcome, 'accounts' | 'ledger'>): string[] {
  return accounts.flatMap(({ id, balance }) => {
    const sum = ledger.filter(({ account_id }) => account_id === id).reduce((all, row) => all + toUnits(row.amount), 0);
    return sum === balance ? [] : [`${id} has the balance ${balance}, but its ledger sums up to ${sum}`];
  });
}

const toUnits = (credits: number): number => Math.round(credits * 10_000);

/** The price that docs/renders.md says, without the code that charges. */
function priceOf({ video }: Order, { status, failure_code, started_at, completed_at }: RenderRow): number {
  if (status === 'completed') return video.seconds;
  if (failure_code === 'internal_error' || failure_code === 'render_interrupted' || started_at === null) return 0;
  const paidMs = (completed_at ?? 0) - started_at - (failure_code === 'render_timeout' ? 0 : 60_000);
  return Math.min(video.seconds, Math.max(0, Math.ceil(paidMs / 10_000)));
}

/** Completed videos that are missing or incomplete, and files of renders that have none. */
export async function partialFiles({ orders, renders, dataDir }: Outcome): Promise<string[]> {
  const objects = join(dataDir, 'objects');
  const byId = new Map(renders.map((row) => [row.id, row]));
  const decoded = new Map<string, number>();
  const wrong: string[] = [];
  for (const order of orders) {
    const row = byId.get(idOf(order));
    if (row?.status !== 'completed' || row.deleted_at !== null) continue;
    const path = join(objects, row.video_key ?? '-');
    if (!existsSync(path)) {
      wrong.push(`${row.id} has no video`);
      continue;
    }
    const content = readFileSync(path);
    const hash = createHash('sha256').update(content).digest('hex');
    if (!decoded.has(hash)) decoded.set(hash, await frameCount(path));
    const { fps, seconds } = order.video;
    const frames = decoded.get(hash);
    if (frames !== Math.round(fps * seconds)) wrong.push(`${row.id} (${order.video.name}) has ${frames} frames`);
    if (content.length !== row.video_bytes) wrong.push(`${row.id} has ${content.length} of ${row.video_bytes} bytes`);
    if (row.thumbnail_key !== null && !isCompleteJpeg(join(objects, row.thumbnail_key)))
      wrong.push(`${row.id} has no complete thumbnail`);
  }
  return [...wrong, ...differentVideos(orders, byId, objects), ...unexpectedFiles(renders, objects)];
}

/** A video has the same bytes however often its render was interrupted, unless its page crashed: see `isPainted`. */
function differentVideos(orders: readonly Order[], byId: Map<string, RenderRow>, objects: string): string[] {
  const found = new Map<string, Map<string, [RenderRow, ...RenderRow[]]>>();
  for (const { video, ids } of orders) {
    const row = byId.get([...ids][0] ?? '');
    if (row?.status !== 'completed' || row.video_key === null || !isPainted(row)) continue;
    if (!existsSync(join(objects, row.video_key))) continue;
    const hash = createHash('sha256')
      .update(readFileSync(join(objects, row.video_key)))
      .digest('hex');
    const byHash = found.get(video.name) ?? new Map<string, [RenderRow, ...RenderRow[]]>();
    found.set(video.name, byHash.set(hash, [row, ...(byHash.get(hash) ?? [])]));
  }
  return [...found]
    .filter(([, { size }]) => size > 1)
    .map(([name, byHash]) => `different videos of ${name}: ${[...byHash.values()].map(describeSame).join('; ')}`);
}

/** Renders with the same bytes: their number, and the first of them. */
function describeSame(rows: readonly [RenderRow, ...RenderRow[]]): string {
  const [{ id, worker_deaths, interruptions, warnings }] = rows;
  return `${rows.length} like ${id} (deaths: ${worker_deaths}, interruptions: ${interruptions}, warnings: ${warnings})`;
}

/** A page that crashes while it is painted is captured by screenshots, whose pixels differ a little. */
const isPainted = ({ warnings }: RenderRow): boolean => !warnings?.includes('Falling back to screenshots');

function isCompleteJpeg(path: string): boolean {
  if (!existsSync(path)) return false;
  const bytes = readFileSync(path).toString('hex');
  return bytes.startsWith('ffd8ff') && bytes.endsWith('ffd9');
}

/** Videos, thumbnails and segments that no row names. Names of temporary files begin with a dot. */
function unexpectedFiles(renders: readonly RenderRow[], objects: string): string[] {
  const visible = renders.filter(({ deleted_at, status }) => deleted_at === null && status === 'completed');
  const shown = visible.flatMap(({ video_key, thumbnail_key }) => [video_key, thumbnail_key]);
  // Retention deletes the segments that rows still name.
  const known = new Set([...shown, ...renders.flatMap(segmentKeys)]);
  return ['videos', 'thumbnails', 'segments'].flatMap((folder) =>
    namesIn(join(objects, folder))
      .map((name) => `${folder}/${name}`)
      .filter((key) => !known.has(key))
      .map((key) => `${key} belongs to ${describe(renders, key)}`),
  );
}

function describe(renders: readonly RenderRow[], key: string): string {
  const row = renders.find(({ id }) => key.includes(id));
  if (!row) return 'no render';
  return `a render that is ${row.deleted_at === null ? '' : 'deleted, '}${row.status} ${row.failure_code ?? ''}, segments ${row.segments}`;
}

const namesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];

async function frameCount(path: string): Promise<number> {
  const run = promisify(execFile)(referenceFfmpeg, [
    '-v',
    'info',
    '-xerror',
    '-i',
    path,
    '-vsync',
    '0',
    '-f',
    'null',
    '-',
  ]);
  const { stderr } = await run.catch((error: { stderr?: string }) => ({ stderr: error.stderr ?? '' }));
  return Number([...stderr.matchAll(/frame= *(\d+)/g)].at(-1)?.[1] ?? 0);
}

/** Failures that the documentation does not explain with the kills of this run. */
export function unexplainedFailures({ orders, renders, kills }: Outcome): string[] {
  const deleted = new Set(orders.filter(({ isDeleted }) => isDeleted).map(idOf));
  const wrong = renders
    .filter(({ status }) => status === 'failed')
    .filter((row) => !isExplained(row, deleted))
    .map(
      ({ id, failure_code, failure_message, worker_deaths, interruptions }) =>
        `${id}: ${failure_code} after ${worker_deaths} deaths and ${interruptions} interruptions: ${failure_message}`,
    );
  // The death that ends a render is not counted in its row.
  const deaths = renders.reduce((sum, row) => sum + row.worker_deaths + (isDeath(row) ? 1 : 0), 0);
  const killed = kills.worker + kills.browser + kills.ffmpeg;
  return deaths <= killed ? wrong : [...wrong, `${deaths} workers died, but only ${killed} processes were killed`];
}

const isDeath = ({ failure_code }: RenderRow): boolean =>
  failure_code === 'internal_error' || failure_code === 'page_crashed';

function isExplained(row: RenderRow, deleted: ReadonlySet<string>): boolean {
  if (isDeath(row)) return row.worker_deaths === 2;
  if (row.failure_code === 'render_interrupted') return row.interruptions === 19;
  return row.failure_code === 'render_deleted' && deleted.has(row.id);
}

type StoredRows = Pick<Outcome, 'accounts' | 'assets' | 'uploads' | 'renders'>;

export function wrongTotals({ accounts, assets, uploads, renders }: StoredRows): string[] {
  return accounts.flatMap(({ id, stored_bytes }) => {
    const own = <Row extends { account_id: string }>(rows: readonly Row[]) =>
      rows.filter(({ account_id }) => account_id === id);
    const kept = own(assets).filter(({ deleted_at }) => deleted_at === null);
    const shown = own(renders).filter(({ deleted_at, video_key }) => deleted_at === null && video_key !== null);
    const bytes = [
      ...kept.map(({ size_bytes }) => size_bytes),
      ...own(uploads).map((row) => row.bytes),
      ...shown.map(({ video_bytes }) => video_bytes ?? 0),
    ].reduce((sum, each) => sum + each, 0);
    return bytes === stored_bytes ? [] : [`${id} stores ${bytes} bytes, but its row says ${stored_bytes}`];
  });
}

/** Every ended render sends one webhook, with one ID and a valid signature, until it is accepted. A deleted one sends none. */
export function wrongWebhooks({ orders, renders, deliveries, attempts, received, accounts }: Outcome): string[] {
  const byId = new Map(renders.map((row) => [row.id, row]));
  const sent = new Map(deliveries.map((row) => [row.render_id, row]));
  const accepted = new Set(
    attempts.filter(({ status_code }) => status_code === 204).map(({ delivery_id }) => delivery_id),
  );
  const perOrder = orders.flatMap((order) => {
    const row = byId.get(idOf(order));
    const delivery = sent.get(idOf(order));
    const isDue = order.hasWebhook && row !== undefined && row.failure_code !== 'render_deleted';
    if (isDue !== (delivery !== undefined)) return [`${idOf(order)}: ${delivery ? 'a webhook' : 'no webhook'}`];
    if (!delivery || !row) return [];
    if (delivery.type !== `render.${row.status}`) return [`${row.id} is ${row.status}, its webhook ${delivery.type}`];
    const isDone = delivery.status === 'delivered' && accepted.has(delivery.id);
    return isDone ? [] : [`the webhook of ${row.id} is ${delivery.status}`];
  });
  const secrets = new Map(accounts.map(({ id, webhook_secret }) => [id, webhook_secret]));
  const ids = new Map<string, Set<string>>();
  const unsigned = received.flatMap(({ headers, body }) => {
    const id = (JSON.parse(body) as { data: { render_id: string } }).data.render_id;
    ids.set(id, (ids.get(id) ?? new Set()).add(String(headers['webhook-id'])));
    try {
      new Webhook(secrets.get(byId.get(id)?.account_id ?? '') ?? '').verify(body, headers as Record<string, string>);
      return [];
    } catch (error) {
      // The library compares the time, which may be long ago by now.
      return /timestamp/i.test(String(error)) ? [] : [`a webhook of ${id}: ${error}`];
    }
  });
  const repeated = [...ids].filter(([, { size }]) => size > 1).map(([id, { size }]) => `${id} has ${size} webhook IDs`);
  const missing = deliveries
    .filter(({ status, render_id }) => status === 'delivered' && !ids.has(render_id))
    .map(({ render_id }) => `the webhook of ${render_id} was never received`);
  return [...perOrder, ...unsigned, ...repeated, ...missing];
}

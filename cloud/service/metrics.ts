// Metrics in the text format of Prometheus. Labels never contain accounts, renders or IDs.
//
// What has happened is counted in this process. What is waiting is read from the database by an index, so that reading the
// metrics takes the same time whatever the number of renders that have ended.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database, RenderRow, WebhookDeliveryRow } from './storage/tables.ts';

export type Metrics = {
  /** `route` is the path pattern, because paths contain IDs. */
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
  /** `code`: that of the failure, or null for a completed render. `credits`: what was charged. */
  renderEnded(end: { code: string | null; credits: number }): void;
  /** `status`: that of the delivery after the attempt. */
  webhookAttempted(status: WebhookDeliveryRow['status']): void;
  workersBusy(count: number): void;
  /** Also reads what is waiting from the database. */
  text(): Promise<string>;
  contentType: string;
};

export type MetricsSource = {
  database: Database;
  /** The number of workers of this process. */
  workers: number;
  freeBytes(): Promise<number>;
  /** When the browser of this process was built, in Unix milliseconds; undefined if it renders nothing itself. */
  browserBuilt?: (() => Promise<number>) | undefined;
  /** Unix milliseconds. */
  now(): number;
};

export function createMetrics(source: MetricsSource): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'framework_requests_total',
    help: 'Number of handled requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'framework_request_seconds',
    help: 'Time to handle a request, in seconds.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  const ended = new Counter({
    name: 'framework_renders_ended_total',
    help: 'Number of renders that this process has ended, by status.',
    labelNames: ['status'],
    registers,
  });
  const failures = new Counter({
    name: 'framework_render_failures_total',
    help: 'Number of failed renders of this process, by failure code.',
    labelNames: ['code'],
    registers,
  });
  const credits = new Counter({
    name: 'framework_credits_charged_total',
    help: 'Credits that were charged for renders of this process.',
    registers,
  });
  const attempts = new Counter({
    name: 'framework_webhook_attempts_total',
    help: 'Number of attempts to deliver webhooks by this process, by the status of the delivery after them.',
    labelNames: ['status'],
    registers,
  });
  new Gauge({
    name: 'framework_workers',
    help: 'Maximum number of renders that this process renders at once.',
    registers,
  }).set(source.workers);
  const busy = new Gauge({
    name: 'framework_workers_busy',
    help: 'Number of renders that this process is rendering.',
    registers,
  });
  // A series that begins with its first event would hide this event from rates.
  for (const status of ['completed', 'failed']) ended.inc({ status }, 0);
  for (const status of ['pending', 'delivered', 'failed']) attempts.inc({ status }, 0);
  addGauges(source, registers);

  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ method, route }, seconds);
    },
    renderEnded({ code, credits: charged }) {
      ended.inc({ status: code === null ? 'completed' : 'failed' });
      if (code !== null) failures.inc({ code });
      credits.inc(charged);
    },
    webhookAttempted: (status) => attempts.inc({ status }),
    workersBusy: (count) => busy.set(count),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Gauges that are read when the metrics are. Several instances read the same from their database. */
function addGauges({ database, freeBytes, browserBuilt, now }: MetricsSource, registers: Registry[]): void {
  new Gauge({
    name: 'framework_renders',
    help: 'Number of queued and rendering renders.',
    labelNames: ['status'],
    registers,
    async collect() {
      for (const status of ['queued', 'rendering'] as const) this.set({ status }, await countRenders(database, status));
    },
  });
  new Gauge({
    name: 'framework_render_queue_age_seconds',
    help: 'Time since the longest queued render was submitted, in seconds; 0 without queued renders.',
    registers,
    async collect() {
      const oldest = await database
        .selectFrom('renders')
        .select('created_at')
        .where('status', '=', 'queued')
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst();
      this.set(oldest === undefined ? 0 : Math.max(0, now() - oldest.created_at) / 1000);
    },
  });
  new Gauge({
    name: 'framework_webhook_deliveries',
    help: 'Number of webhooks that are waiting for their next attempt.',
    labelNames: ['status'],
    registers,
    async collect() {
      const { count } = await database
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      this.set({ status: 'pending' }, Number(count));
    },
  });
  new Gauge({
    name: 'framework_disk_free_bytes',
    help: 'Free bytes of the disk with the data folder.',
    registers,
    async collect() {
      this.set(await freeBytes());
    },
  });
  if (browserBuilt)
    new Gauge({
      name: 'framework_browser_age_seconds',
      help: 'Time since the browser that renders was built, in seconds.',
      registers,
      async collect() {
        this.set((now() - (await browserBuilt())) / 1000);
      },
    });
}

async function countRenders(database: Database, status: RenderRow['status']): Promise<number> {
  const { count } = await database
    .selectFrom('renders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', status)
    .executeTakeFirstOrThrow();
  return Number(count);
}

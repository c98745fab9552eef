// What is measured, in the text format of Prometheus. No label names an account, a render or an id.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './tables.ts';

export type Metrics = {
  /** `route` is the pattern, not the path: paths have ids in them. */
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
  /** Counts what is in the database now. */
  text(): Promise<string>;
  contentType: string;
};

export function createMetrics(database: Database): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'framework_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'framework_request_seconds',
    help: 'Seconds until a request was answered.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  gauge('framework_renders', 'Renders by status, deleted ones too.', 'renders');
  gauge('framework_webhook_deliveries', 'Webhooks by status.', 'webhook_deliveries');

  /** From the database, so that instances agree and a restart forgets nothing. */
  function gauge(name: string, help: string, table: 'renders' | 'webhook_deliveries'): void {
    new Gauge({
      name,
      help,
      labelNames: ['status'],
      registers,
      async collect() {
        const rows = await database
          .selectFrom(table)
          .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
          .groupBy('status')
          .execute();
        this.reset();
        for (const { status, count } of rows) this.set({ status }, Number(count));
      },
    });
  }

  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ method, route }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

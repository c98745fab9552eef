// Metrics in the text format of Prometheus. Labels never contain accounts, renders or IDs.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './storage/tables.ts';

export type Metrics = {
  /** `route` is the path pattern, because paths contain IDs. */
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
  /** Reads the current counts from the database. */
  text(): Promise<string>;
  contentType: string;
};

export function createMetrics(database: Database): Metrics {
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
  gauge('framework_renders', 'Number of renders by status, including deleted ones.', 'renders');
  gauge('framework_webhook_deliveries', 'Number of webhook deliveries by status.', 'webhook_deliveries');

  /** Counted in the database, so that all instances agree and a restart loses nothing. */
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

// The metrics, and the example alerts on them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics, type Metrics } from '../../../cloud/service/metrics.ts';
import type { Database } from '../../../cloud/service/storage/tables.ts';
import { repository } from '../../support/repositoryFiles.ts';
import { addAccount, addRenders, renderRow, serviceDatabase } from '../../support/service/serviceDatabase.ts';

const metricsOf = (database: Database): Metrics =>
  createMetrics({
    database,
    workers: 4,
    freeBytes: async () => 5_000_000,
    browserBuilt: async () => 40_000,
    now: () => 100_000,
  });

/** The lines of our own metrics, without help and types. */
async function lines(metrics: Metrics): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('framework_'));
}

test('reports what waits, what was done, and what is left', async () => {
  const database = await serviceDatabase();
  await addAccount(database, 'a');
  const metrics = metricsOf(database);
  expect(await lines(metrics)).toEqual([
    'framework_renders_ended_total{status="completed"} 0',
    'framework_renders_ended_total{status="failed"} 0',
    'framework_credits_charged_total 0',
    'framework_webhook_attempts_total{status="pending"} 0',
    'framework_webhook_attempts_total{status="delivered"} 0',
    'framework_webhook_attempts_total{status="failed"} 0',
    'framework_workers 4',
    'framework_workers_busy 0',
    'framework_renders{status="queued"} 0',
    'framework_renders{status="rendering"} 0',
    'framework_render_queue_age_seconds 0',
    'framework_webhook_deliveries{status="pending"} 0',
    'framework_disk_free_bytes 5000000',
    'framework_browser_age_seconds 60',
  ]);
  await addRenders(
    database,
    renderRow('one', { created_at: 60_000 }),
    renderRow('two', { created_at: 70_000 }),
    renderRow('three', { status: 'rendering', created_at: 10_000 }),
    renderRow('four', { status: 'completed', created_at: 10_000 }),
  );
  metrics.renderEnded({ code: null, credits: 2.5 });
  metrics.renderEnded({ code: null, credits: 1 });
  metrics.renderEnded({ code: 'render_timeout', credits: 0 });
  metrics.webhookAttempted('pending');
  metrics.workersBusy(3);
  expect(await lines(metrics)).toEqual(
    expect.arrayContaining([
      'framework_renders_ended_total{status="completed"} 2',
      'framework_renders_ended_total{status="failed"} 1',
      'framework_render_failures_total{code="render_timeout"} 1',
      'framework_credits_charged_total 3.5',
      'framework_webhook_attempts_total{status="pending"} 1',
      'framework_workers_busy 3',
      'framework_renders{status="queued"} 2',
      'framework_renders{status="rendering"} 1',
      'framework_render_queue_age_seconds 40',
    ]),
  );
});

test('reads the database only by indexes, and only rows that have not ended', async () => {
  const database = await serviceDatabase();
  const queries: CompiledQuery[] = [];
  const watched = database.withPlugin({
    transformQuery({ node, queryId }) {
      queries.push(database.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await metricsOf(watched).text();
  const used = queries.map(({ sql, parameters }) => `${sql.replace(/.* from "(\w+)".*/, '$1')} ${parameters[0]}`);
  expect(used.sort()).toEqual(['renders queued', 'renders queued', 'renders rendering', 'webhook_deliveries pending']);
  for (const query of queries) {
    const plan = { ...query, sql: `explain query plan ${query.sql}` };
    const { rows } = await database.executeQuery<{ detail: string }>(plan);
    expect(rows.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH \w+ USING (?:COVERING )?INDEX \w+ \(status=\?\)$/),
    ]);
  }
});

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };

test('the example alerts use metrics that exist, with labels that exist', async () => {
  const text = readFileSync(join(repository, 'docs/alerts.yml'), 'utf8');
  const { groups } = parse(text) as { groups: { name: string; rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const metrics = metricsOf(await serviceDatabase());
  metrics.observe({ method: 'GET', route: '/', status: 200, seconds: 1 });
  metrics.renderEnded({ code: 'internal_error', credits: 0 });
  const known = new Map<string, Set<string>>([['up', new Set(['job'])]]);
  for (const line of await lines(metrics)) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?/.exec(line) ?? [];
    known.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
  }
  for (const { alert, expr, labels, annotations } of rules) {
    const used = [...expr.matchAll(/\b(framework_\w+|up)\b(?:\{([^}]*)\})?/g)];
    expect([alert, used.length > 0, labels.severity]).toEqual([
      alert,
      true,
      expect.stringMatching(/^(?:critical|warning)$/),
    ]);
    expect(annotations.summary).toMatch(/\.$/);
    for (const [, name = '', filters = ''] of used) {
      expect([alert, [...known.keys()]]).toEqual([alert, expect.arrayContaining([name])]);
      for (const [, label = ''] of filters.matchAll(/(\w+)(?:=|!)/g))
        expect([alert, name, [...(known.get(name) ?? [])]]).toEqual([alert, name, expect.arrayContaining([label])]);
    }
  }
});

// What the service keeps, in PostgreSQL, and with two instances on one database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { assetForm, testService, testUser } from '../support/service.ts';
import { storeTests } from '../support/serviceStore.ts';

const bin = findPostgres();
// On the machine that decides, missing programs are a failure.
const isMissing = bin === undefined && !process.env.CI;
if (isMissing) console.warn('PostgreSQL is not installed: its tests are skipped (Debian: apt-get install postgresql)');

describe.skipIf(isMissing)('PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    if (bin === undefined) throw new Error('PostgreSQL is not installed');
    postgres = await startPostgres(bin);
  });
  afterAll(() => postgres?.stop());

  storeTests(
    () => testService({ databaseUrl: postgres.createDatabase() }),
    ({ context: { settings } }) => testService({ databaseUrl: settings.databaseUrl, dataDir: settings.dataDir }),
  );

  test('instances that start at once make the tables once, and serve the same', async () => {
    const databaseUrl = postgres.createDatabase();
    const [first, second] = await Promise.all([testService({ databaseUrl }), testService({ databaseUrl })]);
    const { headers } = await testUser(first.context);
    const json = { ...headers, 'content-type': 'application/json', 'idempotency-key': 'one' };
    const body = JSON.stringify({ project: { type: 'url', url: 'https://example.com/p.zip' } });
    const answers = await Promise.all(
      [first, second, first, second].map(({ app }) =>
        app.request('/v3/framework/renders', { method: 'POST', headers: json, body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(3);
    const { data } = await (await second.app.request('/v3/framework/renders', { headers })).json();
    expect(data).toHaveLength(1);
    const uploaded = await first.app.request('/v3/assets', { method: 'POST', headers, body: assetForm() });
    expect(uploaded.status).toBe(200);
    expect((await second.app.request('/readyz')).status).toBe(200);
  });
});

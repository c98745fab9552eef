// The service's data in PostgreSQL, with two instances on one database.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createThrottle } from '../../../../cloud/service/auth/loginThrottle.ts';
import { startPostgres } from '../../../support/servers/postgres.ts';
import { hasPostgres, newDatabase, postgresPrograms } from '../../../support/servers/sharedPostgres.ts';
import { accountTests } from '../../../support/service/accountStore.ts';
import { notHere } from '../../../support/service/databaseTests.ts';
import { expectTotalsOfOldRows } from '../../../support/service/oldDatabase.ts';
import { assetForm, testFolder, testQuotas, testService, testUser } from '../../../support/service/service.ts';
import { quotaTests } from '../../../support/service/serviceQuotas.ts';
import { storeTests } from '../../../support/service/serviceStore.ts';

describe.skipIf(!hasPostgres())('PostgreSQL', () => {
  storeTests(
    () => testService({ databaseUrl: newDatabase() }),
    ({ context: { settings } }) => testService({ databaseUrl: settings.databaseUrl, dataDir: settings.dataDir }),
    notHere,
  );

  quotaTests(
    ({ freeBytes, quotas, ...given }) =>
      testService(
        { ...given, quotas: { ...testQuotas, ...quotas }, databaseUrl: newDatabase() },
        { ...(freeBytes && { freeBytes }), start: Date.now() },
      ),
    ({ context: { settings, freeBytes }, clock }) => testService(settings, { freeBytes, start: clock.now }),
    notHere,
  );

  accountTests(
    () => testService({ databaseUrl: newDatabase() }),
    ({ context: { settings } }) => testService({ databaseUrl: settings.databaseUrl, dataDir: settings.dataDir }),
    notHere,
  );

  test('counts requests of an account on all instances together', async () => {
    const databaseUrl = newDatabase();
    const [first, second] = await Promise.all([
      testService({ databaseUrl, requestsPerMinute: 6 }),
      testService({ databaseUrl, requestsPerMinute: 6 }),
    ]);
    const { headers } = await testUser(first.context);
    const statuses = async (count: number) => {
      const asked = Array.from({ length: count }, (_, index) =>
        (index % 2 === 0 ? first : second).app.request('/v3/users/me', { headers }),
      );
      return (await Promise.all(asked)).map(({ status }) => status).sort();
    };
    expect(await statuses(10)).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429, 429]);
    const refused = await second.app.request('/v3/users/me', { headers });
    expect(refused.headers.get('retry-after')).toBe('10');
    for (const { clock } of [first, second]) clock.now += 20_000;
    expect(await statuses(4)).toEqual([200, 200, 429, 429]);
  });

  test('counts guessed passwords on all instances together', async () => {
    const databaseUrl = newDatabase();
    const instances = await Promise.all([testService({ databaseUrl }), testService({ databaseUrl })]);
    const limits = { name: 'guesses', free: 3, firstWait: 2, maxWait: 16 };
    const throttles = instances.map(({ context }) => createThrottle(context, limits));
    const guess = (key: string) => Promise.all([...throttles, ...throttles].map((throttle) => throttle.begin(key)));
    expect((await guess('ann@example.com')).sort()).toEqual([0, 0, 0, 2]);
    for (const { clock } of instances) clock.now += 2_000;
    expect((await guess('ann@example.com')).sort()).toEqual([0, 4, 4, 4]);
    await throttles[0]?.succeeded('ann@example.com');
    expect((await guess('ann@example.com')).sort()).toEqual([0, 4, 4, 4]);
    const rows = await instances[0].context.database.selectFrom('limit_counts').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.key).toMatch(/^[0-9a-f]{64}$/);
  });

  test('creates the tables once when instances start together, and shares them', async () => {
    const databaseUrl = newDatabase();
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

  test('sums up the rows of an earlier version', async () => {
    await expectTotalsOfOldRows({ dataDir: await testFolder(), databaseUrl: newDatabase() });
  });

  test('answers 503 while PostgreSQL is stopped, and then works again', async () => {
    const postgres = await startPostgres(postgresPrograms());
    onTestFinished(postgres.stop);
    const { app, context } = await testService({ databaseUrl: postgres.createDatabase() });
    const { headers } = await testUser(context);
    const ask = async (path: string, init: RequestInit) => {
      const response = await app.request(path, init);
      return [response.status, response.headers.get('retry-after')];
    };
    const page = { headers: { accept: 'text/html', cookie: `framework_session=${'A'.repeat(43)}` } };
    expect(await ask('/v3/users/me', { headers })).toEqual([200, null]);
    await postgres.whileStopped(async () => {
      for (let count = 0; count < 3; count++) expect(await ask('/v3/users/me', { headers })).toEqual([503, '5']);
      expect(await ask('/v3/assets', { method: 'POST', headers, body: assetForm() })).toEqual([503, '5']);
      expect(await ask('/account', page)).toEqual([503, '5']);
      expect(await ask('/metrics', {})).toEqual([503, '5']);
    });
    expect(await ask('/v3/users/me', { headers })).toEqual([200, null]);
    expect(await ask('/v3/assets', { method: 'POST', headers, body: assetForm() })).toEqual([200, null]);
  });

  test('rejects strings that PostgreSQL cannot store', async () => {
    const { app, context } = await testService({ databaseUrl: newDatabase() });
    const { headers } = await testUser(context);
    const project = { type: 'url', url: 'https://example.com/p.zip' };
    for (const text of ['a\0b', '\ud800', '\u0085', 'x'.repeat(10_000)]) {
      for (const [field, expected] of [
        ['title', 400],
        ['callback_id', 400],
        ['composition', 400],
      ] as const)
        expect([field, await status({ project, [field]: text })]).toEqual([field, expected]);
      expect(await status({ project, variables: { [text]: [text] } })).toBe(200);
      expect(await status({ project: { type: 'asset_id', asset_id: text } })).toBe(400);
    }
    for (const path of [
      '/v3/framework/renders/%00',
      '/v3/framework/renders/rnd_%00',
      '/v3/framework/renders?token=%00',
    ])
      expect((await app.request(path, { headers })).status).toBeOneOf([400, 404]);

    async function status(body: object): Promise<number> {
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      return (await app.request('/v3/framework/renders', { ...init, body: JSON.stringify(body) })).status;
    }
  });
});

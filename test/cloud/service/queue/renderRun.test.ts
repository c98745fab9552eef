// What a worker gets, and renders that start none.
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceContext } from '../../../../cloud/service/context.ts';
import { setAllowedHosts } from '../../../../cloud/service/operator/accountCommands.ts';
import { leaseNextRender, leaseTerms } from '../../../../cloud/service/queue/leases.ts';
import { hostsOf, jobOf, pagesOfWorker, runLeasedRender } from '../../../../cloud/service/queue/renderRun.ts';
import { workerLimits } from '../../../../cloud/service/queue/workerProcess.ts';
import { queueContext } from '../../../support/service/queueContext.ts';
import { testFolder, testSettings } from '../../../support/service/service.ts';
import { accountRow, addAccount, addRenders, renderRow } from '../../../support/service/serviceDatabase.ts';

test.each([
  [false, true],
  [true, false],
])('with private targets allowed (%s), projects come from secure URLs only (%s)', (allowPrivateTargets, secureOnly) => {
  const context = { settings: testSettings('/data', { allowPrivateTargets }) } as ServiceContext;
  const row = renderRow('rnd_one', { project_url: 'https://example.com/p.zip', strict_variables: 1 });
  expect(jobOf({ context, stack: null }, row, '/work', { network: 'public', allowHosts: [['a.com']] })).toMatchObject({
    ...{ folder: '/work', projectUrl: 'https://example.com/p.zip', network: 'public', allowHosts: [['a.com']] },
    ...{ strictVariables: true, secureOnly, stack: null },
  });
});

test.each([
  [1, 16, null],
  [2, 16, 8],
  [3, 16, 5],
  [8, 4, 1],
])('%d workers on %d cores capture each video with at most %s pages', (workers, cores, pages) => {
  expect(pagesOfWorker(workers, cores)).toBe(pages);
});

async function limitedAccount(hosts: readonly string[] | null, allowHosts?: readonly string[]) {
  const context = await queueContext(await testFolder(), { allowHosts });
  onTestFinished(() => context.database.destroy());
  await addAccount(context.database, 'a', 10);
  await setAllowedHosts(context, accountRow('a'), hosts ?? undefined);
  return context;
}

test.each([
  [undefined, null, []],
  [['a.com'], null, [['a.com']]],
  [undefined, ['b.com'], [['b.com']]],
  [['a.com'], [], [['a.com'], []]],
])('with the hosts %j of the service and %j of the account, pages have the lists %j', async (service, account, lists) => {
  expect(await hostsOf(await limitedAccount(account, service), renderRow('r'))).toEqual(lists);
});

test('renders nothing on a stack for an account with a list of hosts', async () => {
  const context = await limitedAccount(['b.com']);
  await addRenders(context.database, renderRow('r'));
  const lease = await leaseNextRender(context.database, 'one', Date.now(), leaseTerms);
  if (!lease) throw new Error('there is no render');
  const folders = { create: testFolder, remove: async () => undefined, close: async () => undefined };
  const webhooks = { wake: () => undefined, close: async () => undefined };
  const stack = { bucketName: 'none', stateMachineArn: 'none' };
  const run = { context, webhooks, folders, limits: workerLimits, terms: leaseTerms, stack };
  await runLeasedRender(run, lease, new AbortController().signal, () => undefined);
  const row = await context.database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'failed', failure_code: 'permission_denied' });
});

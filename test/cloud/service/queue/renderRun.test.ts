import { expect, test } from 'vitest';
import type { ServiceContext } from '../../../../cloud/service/context.ts';
import { jobOf, pagesOfWorker } from '../../../../cloud/service/queue/renderRun.ts';
import { testSettings } from '../../../support/service.ts';
import { renderRow } from '../../../support/serviceDatabase.ts';

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

// The checks of the torture test find what they look for: each case changes one thing of a run in which everything is right.
import { expect, test } from 'vitest';
import { accountRow, renderRow } from '../support/service/serviceDatabase.ts';
import {
  duplicatedRenders,
  lostRenders,
  type Outcome,
  unexplainedFailures,
  wrongCharges,
  wrongTotals,
  wrongWebhooks,
} from './checks.ts';
import type { Order } from './clients.ts';
import { longVideo } from './projects.ts';

const order: Order = {
  ...{ name: 'one', account: { email: '', id: 'a', key: '' }, video: longVideo, hasWebhook: false },
  ...{ ids: new Set(['r']), isDeleted: false },
};
const charge = {
  id: 'l',
  account_id: 'a',
  amount: -15,
  kind: 'charge',
  render_id: 'r',
  note: null,
  created_at: 1,
} as const;
const good: Outcome = {
  dataDir: '/none',
  orders: [order],
  renders: [renderRow('r', { status: 'completed', credits: 15, video_key: 'videos/r.mp4', video_bytes: 7 })],
  accounts: [{ ...accountRow('a'), balance: -150_000, stored_bytes: 7 }],
  ledger: [charge],
  ...{ deliveries: [], attempts: [], assets: [], uploads: [], received: [], log: [] },
  kills: { service: 0, drain: 0, worker: 3, browser: 0, ffmpeg: 0 },
};
const failed = (code: string, worker_deaths: number) =>
  renderRow('r', { status: 'failed', failure_code: code, worker_deaths, started_at: 1, completed_at: 2 });
const free = { ledger: [], accounts: [accountRow('a')] };

const checks = [lostRenders, duplicatedRenders, wrongCharges, unexplainedFailures, wrongTotals, wrongWebhooks];
const found = (outcome: Outcome) => checks.filter((check) => check(outcome).length > 0).map(({ name }) => name);

test('finds nothing in a good run, or in a render that failed at the third death', () => {
  expect(found(good)).toEqual([]);
  expect(found({ ...good, ...free, renders: [failed('internal_error', 2)] })).toEqual([]);
});

test.each<[string, Partial<Outcome>, string[]]>([
  ['a render that does not exist', { orders: [order, { ...order, ids: new Set(['s']) }] }, ['lostRenders']],
  ['two renders for one order', { orders: [{ ...order, ids: new Set(['r', 's']) }] }, ['duplicatedRenders']],
  ['a render without an order', { renders: [...good.renders, renderRow('s')] }, ['duplicatedRenders']],
  [
    'a render that ended twice',
    { log: [1, 2].map(() => ({ message: 'render completed', render: 'r' })) },
    ['duplicatedRenders'],
  ],
  ['a missing charge', free, ['wrongCharges', 'wrongTotals']],
  ['two charges', { ledger: [charge, charge] }, ['wrongCharges']],
  ['a hold that was not released', { ledger: [charge, { ...charge, kind: 'hold' }] }, ['wrongCharges']],
  ['a wrong price', { ledger: [{ ...charge, amount: -14 }] }, ['wrongCharges']],
  ['a balance that is not the sum', { accounts: [{ ...accountRow('a'), stored_bytes: 7 }] }, ['wrongCharges']],
  ['wrong stored bytes', { accounts: [{ ...accountRow('a'), balance: -150_000 }] }, ['wrongTotals']],
  [
    'an internal error before the third death',
    { ...free, accounts: [accountRow('a')], renders: [failed('internal_error', 1)] },
    ['unexplainedFailures'],
  ],
  ['a failure that kills do not cause', { ...free, renders: [failed('asset_missing', 0)] }, ['unexplainedFailures']],
  ['a missing webhook', { orders: [{ ...order, hasWebhook: true }] }, ['wrongWebhooks']],
  [
    'a webhook that was not delivered',
    {
      orders: [{ ...order, hasWebhook: true }],
      deliveries: [{ id: 'w', render_id: 'r', status: 'failed', type: 'render.completed' }],
    },
    ['wrongWebhooks'],
  ],
])('finds %s', (_, changes, expected) => {
  expect(found({ ...good, ...changes })).toEqual(expected);
});

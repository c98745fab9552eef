// Short runs of the tests under failure, so that they work when they are needed. The long ones are in CONTRIBUTING.md.
import { expect, test } from 'vitest';
import { findPostgres } from '../support/servers/postgres.ts';
import { needPrograms } from '../support/systemPrograms.ts';
import { killDecisions } from './decisions.ts';
import { runFuzz } from './runFuzz.ts';
import { runTorture, type TortureOptions } from './runTorture.ts';

const options: TortureOptions = {
  ...{ seed: 1, kills: 6, database: 'sqlite', store: 'disk', instances: 1, accounts: 2 },
  ...{ pauseMs: 800, longShare: 0.1, keep: false, say: () => undefined },
};

test('the same seed makes the same decisions', () => {
  const decisions = killDecisions(7, 100, 1000);
  expect(killDecisions(7, 100, 1000)).toEqual(decisions);
  expect(killDecisions(8, 100, 1000)).not.toEqual(decisions);
  expect(new Set(decisions.map(({ kind }) => kind)).size).toBe(5);
});

test('every render ends once although processes are killed, with SQLite', async () => {
  const { problems, renders } = await runTorture(options);
  expect(problemsOf(problems)).toEqual([]);
  expect(renders.completed).toBeGreaterThan(0);
});

test('every render ends once although processes are killed, with PostgreSQL and two instances', async (test) => {
  if (findPostgres() === undefined) needPrograms(test, 'initdb');
  const { problems, renders } = await runTorture({ ...options, database: 'postgres', instances: 2 });
  expect(problemsOf(problems)).toEqual([]);
  expect(renders.completed).toBeGreaterThan(0);
});

test('generated requests get only documented responses', async () => {
  const { problems, statuses } = await runFuzz({ seed: 1, requests: 1000, say: () => undefined });
  expect(problemsOf(problems)).toEqual([]);
  expect(statuses.allowed['200']).toBeGreaterThan(50);
});

const problemsOf = (problems: Record<string, string[]>): [kind: string, problem: string][] =>
  Object.entries(problems).flatMap(([kind, list]) => list.map((problem): [string, string] => [kind, problem]));

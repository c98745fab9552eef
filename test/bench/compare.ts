// Compares the cost of our renders with a saved result of another version, by ratios to limits that do not depend on our code.
import { readFile, writeFile } from 'node:fs/promises';
import { type Case, cases, frameCountOf, type Kind, kinds } from './cases.ts';
import type { Row } from './measureCase.ts';
import { type Column, figure, geometricMean, table } from './table.ts';

/** For each composition, our processor time divided by that of the limits. */
export type Costs = Readonly<Record<string, number>>;

/** More than this is a regression. */
const tolerance = 1.05;

/**
 * The limits are a browser that takes one screenshot, and x264 with all frames. Both are measured in the same run, so that the
 * speed of the machine does not matter.
 */
export function costsOf(rows: readonly Row[], chosen: readonly Case[]): Costs {
  const found = chosen.flatMap(({ name, seconds }): [string, number][] => {
    const cpuOf = (tool: Row['tool']) => rows.find((row) => row.name === name && row.tool === tool);
    const [ours, browser, x264] = [cpuOf('ours'), cpuOf('browser alone'), cpuOf('x264 alone')];
    if (!ours?.cpuSeconds || !browser?.cpuSeconds || !x264?.cpuSeconds) return [];
    const encoding = (x264.cpuSeconds * frameCountOf(seconds)) / x264.frames;
    return [[name, ours.cpuSeconds / (browser.cpuSeconds + encoding)]];
  });
  return Object.fromEntries(found);
}

export type Change = { kind: Kind; compositions: number; before: number; now: number; isRegression: boolean };

/** The compositions that both results have, by kind. */
export function changesOf(before: Costs, now: Costs): Change[] {
  return kinds.flatMap((kind) => {
    const names = cases.filter((one) => one.kind === kind && one.name in before && one.name in now);
    if (names.length === 0) return [];
    const mean = (costs: Costs) => geometricMean(names.map(({ name }) => costs[name] ?? Number.NaN));
    const change = { before: mean(before), now: mean(now) };
    return [{ kind, compositions: names.length, ...change, isRegression: change.now > tolerance * change.before }];
  });
}

export function changesTable(changes: readonly Change[]): string {
  const columns: Column<Change>[] = [
    { title: 'Kind', text: ({ kind }) => kind },
    { title: 'Compositions', text: ({ compositions }) => String(compositions), numeric: true },
    { title: 'Cost before', text: ({ before }) => figure(before, 2), numeric: true },
    { title: 'Cost now', text: ({ now }) => figure(now, 2), numeric: true },
    { title: 'Change', text: ({ before, now }) => `${figure((now / before - 1) * 100, 0)} %`, numeric: true },
    { title: '', text: ({ isRegression }) => (isRegression ? 'regression' : '') },
  ];
  const text = `Our processor time divided by that of the browser alone and x264 alone in the same run, the mean of each kind. More
than 5 % above the saved result is a regression.`;
  return `### Compared with the saved result\n\n${table(columns, changes)}\n\n${text}`;
}

export const saveCosts = (file: string, costs: Costs): Promise<void> =>
  writeFile(
    file,
    `${JSON.stringify(costs, (_, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value), 2)}\n`,
  );

export const readCosts = async (file: string): Promise<Costs> => JSON.parse(await readFile(file, 'utf8')) as Costs;

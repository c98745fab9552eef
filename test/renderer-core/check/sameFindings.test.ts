// Findings that several rows or sizes have in common.
import { expect, test } from 'vitest';
import type { CheckFinding } from '../../../renderer-core/check/checkReport.ts';
import { addSize } from '../../../renderer-core/check/sameFindings.ts';

const inSize = (size: string, rows: number[], start = 0) =>
  ({
    rule: 'low-contrast',
    file: 'a.html',
    span: { start, end: 9 },
    sizes: [size],
    row: rows[0] ?? null,
    rows,
  }) as unknown as CheckFinding;

const listed = (...all: CheckFinding[]) => {
  const findings: CheckFinding[] = [];
  for (const finding of all) addSize(findings, finding);
  return findings.map(({ span, sizes, rows }) => `${span.start}: ${sizes.join(' ')}; rows ${rows.join(' ')}`);
};

test('sizes with the same finding share one, with the rows of each in their order', () => {
  expect(listed(inSize('640x360', [2, 5]), inSize('360x640', [3, 5, 10]))).toEqual([
    '0: 640x360 360x640; rows 2 3 5 10',
  ]);
});

test('another place, and the default values, have findings of their own', () => {
  expect(listed(inSize('640x360', [2]), inSize('640x360', [2], 4), inSize('360x640', []))).toEqual([
    '0: 640x360; rows 2',
    '4: 640x360; rows 2',
    '0: 360x640; rows ',
  ]);
});

// Findings that several rows or sizes have in common are one finding. Pure.
import type { CheckFinding } from './checkReport.ts';

const isSame = (a: CheckFinding, { rule, file, span }: CheckFinding): boolean =>
  a.rule === rule && a.file === file && a.span.start === span.start;

/** What the default values show too does not depend on the row. */
export const isOfDefaults = (findings: readonly CheckFinding[], finding: CheckFinding): boolean =>
  findings.some((one) => one.row === null && isSame(one, finding));

/** Rows with the same finding share one. */
export function addRow(findings: CheckFinding[], finding: CheckFinding, row: number): void {
  const known = findings.find((one) => isSame(one, finding));
  if (known) known.rows.push(row);
  else findings.push(finding);
}

/** Sizes share one too: with the default values, and with those of rows. */
export function addSize(findings: CheckFinding[], finding: CheckFinding): void {
  const known = findings.find((one) => isSame(one, finding) && (one.row === null) === (finding.row === null));
  if (!known) {
    findings.push(finding);
    return;
  }
  known.sizes = union(known.sizes, finding.sizes);
  known.rows = union(known.rows, finding.rows).sort((a, b) => a - b);
}

const union = <Item>(a: readonly Item[], b: readonly Item[]): Item[] => [...new Set([...a, ...b])];

export const sorted = (findings: CheckFinding[]): CheckFinding[] =>
  findings.sort((a, b) => a.file.localeCompare(b.file) || a.span.start - b.span.start || a.frame - b.frame);

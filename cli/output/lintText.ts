// Lint findings for people: location, message, source line, and fix.
import type { FindingSeverity } from '../../renderer-core/lint/finding.ts';
import { ruleDoc } from '../../renderer-core/lint/ruleTable.ts';
import type { LintReport } from '../../renderer-core/lintProject.ts';
import { indexLines, type LineIndex, positionAt } from '../../renderer-core/model/text/spans.ts';
import type { Colors } from './colors.ts';
import { countText } from './format.ts';
import type { ReportedFinding } from './lintReports.ts';

/** `pathOf` converts a path of the report to one relative to the working directory. */
export function findingsText(report: LintReport, colors: Colors, pathOf: (file: string) => string): string {
  return [...findingTexts(report, colors, pathOf), summary(report, colors)].join('\n');
}

/** The text of each finding. */
export function findingTexts(
  { findings, texts }: Pick<LintReport, 'texts'> & { findings: readonly ReportedFinding[] },
  colors: Colors,
  pathOf: (file: string) => string,
): string[] {
  const indexes = new Map([...texts].map(([file, text]) => [file, indexLines(text)]));
  return findings.map((finding) => findingText(finding, texts, indexes, colors, pathOf));
}

function findingText(
  finding: ReportedFinding,
  texts: ReadonlyMap<string, string>,
  indexes: ReadonlyMap<string, LineIndex>,
  colors: Colors,
  pathOf: (file: string) => string,
): string {
  const { file, line, column, severity, message, rule, fixes, related } = finding;
  const location = `${pathOf(file)}:${line}:${column}`;
  const index = indexes.get(file);
  const lines = [
    `${colors.bold(location)} ${colorOf(severity, colors)(severity)} ${message} ${colors.dim(`(${rule})`)}`,
    ...(index ? excerpt(texts.get(file) ?? '', index, finding, colors) : []),
  ];
  for (const other of related) {
    const otherIndex = indexes.get(other.file);
    const at = otherIndex ? positionAt(otherIndex, other.span.start) : { line: 1, column: 1 };
    lines.push(colors.dim(`  ${pathOf(other.file)}:${at.line}:${at.column} ${other.message}`));
  }
  const [fix] = fixes;
  if (fix) lines.push(`  ${colors.cyan('fix:')} ${fix.title}${fix.isSafe ? colors.dim(' (--fix)') : ''}`);
  return `${lines.join('\n')}\n`;
}

function colorOf(severity: FindingSeverity, colors: Colors) {
  return { error: colors.red, warning: colors.yellow, info: colors.cyan, hint: colors.dim }[severity];
}

const maxExcerpt = 100;
const charactersBefore = 30;

/** The first source line of the finding, shortened to 100 characters, with carets below the span. */
function excerpt(text: string, index: LineIndex, finding: ReportedFinding, colors: Colors): string[] {
  const { line, column, endLine, endColumn } = finding;
  const start = index.starts[line - 1] ?? 0;
  const whole = text.slice(start, index.starts[line] ?? index.length).replace(/[\r\n]+$/, '');
  const last = endLine === line ? endColumn - 1 : whole.length;
  const from =
    whole.length <= maxExcerpt ? 0 : Math.max(0, Math.min(column - 1 - charactersBefore, whole.length - maxExcerpt));
  const to = Math.min(whole.length, from + maxExcerpt);
  // Tabs and control characters become one column wide, so that the carets are aligned.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replaces control characters
  const shown = whole.slice(from, to).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  const number = String(line);
  const cut = from > 0 ? '…' : '';
  const carets = '^'.repeat(Math.max(1, Math.min(last, to) - (column - 1)));
  const indent = ' '.repeat(Math.max(0, column - 1 - from + cut.length));
  return [
    `  ${colors.dim(`${number} |`)} ${cut}${shown}${to < whole.length ? '…' : ''}`,
    `  ${colors.dim(`${' '.repeat(number.length)} |`)} ${indent}${colorOf(finding.severity, colors)(carets)}`,
  ];
}

/** `2 errors, 1 warning`; undefined without findings. */
export function countsText(counts: LintReport['counts'], colors: Colors): string | undefined {
  const shown = (['error', 'warning', 'info'] as const).filter((severity) => counts[severity] > 0);
  const names = { error: 'error', warning: 'warning', info: 'note' };
  const parts = shown.map((severity) => colorOf(severity, colors)(countText(counts[severity], names[severity])));
  return parts.length === 0 ? undefined : parts.join(', ');
}

function summary({ counts, files, findings }: LintReport, colors: Colors): string {
  const where = `in ${countText(files, 'composition')}`;
  const found = countsText(counts, colors);
  if (found === undefined) return `${colors.green('No problems found')} ${where}\n`;
  const safe = findings.filter(({ fixes }) => fixes.some(({ isSafe }) => isSafe)).length;
  const hint = safe > 0 ? `; ${safe} can be fixed with --fix` : '';
  const rules = new Set(findings.map(({ rule }) => rule));
  const [first] = rules;
  const docs =
    first === undefined ? '' : `\n${colors.dim(`See ${ruleDoc(rules.size === 1 ? first : '').replace(/#$/, '')}`)}`;
  return `${found} ${where}${hint}${docs}\n`;
}

// Lint findings for programs: JSON, GitHub workflow commands, and SARIF 2.1.0.
import manifest from '../../package.json' with { type: 'json' };
import type { FindingSeverity } from '../../renderer-core/lint/finding.ts';
import { ruleDoc, rules } from '../../renderer-core/lint/ruleTable.ts';
import type { LintReport, LocatedFinding } from '../../renderer-core/lintProject.ts';
import { encodePath } from '../../renderer-core/model/text/percentText.ts';
import { lineAndColumn, type Span } from '../../renderer-core/model/text/spans.ts';

type PathOf = (file: string) => string;

/** What findings of the linter and of checks have in common. */
export type ReportedFinding = Omit<LocatedFinding, 'fixes' | 'isUnnecessary' | 'fonts'> & {
  fixes: readonly { title: string; isSafe: boolean }[];
};

/** One JSON document. Spans are UTF-16 offsets, lines and columns start at 1, and `file` is relative to `root`. */
export function jsonReport({ root, files, counts, findings, fixed }: LintReport): string {
  const document = {
    root,
    files,
    counts,
    findings: findings.map((finding) => ({ ...finding, doc: ruleDoc(finding.rule) })),
    fixed: fixed.map(({ file, fixes }) => ({ file, fixes })),
  };
  return `${JSON.stringify(document)}\n`;
}

const workflowCommands: Record<FindingSeverity, string> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** One workflow command per finding, which GitHub shows at the line. */
export function githubReport({ findings }: { findings: readonly ReportedFinding[] }, pathOf: PathOf): string {
  return findings
    .map(({ file, line, column, endLine, endColumn, severity, rule, message }) => {
      // GitHub accepts columns only for findings on one line, and its end column is inclusive.
      const columns = line === endLine ? `,col=${column},endColumn=${Math.max(column, endColumn - 1)}` : '';
      const where = `file=${escapeProperty(pathOf(file))},line=${line},endLine=${endLine}${columns}`;
      return `::${workflowCommands[severity]} ${where},title=${escapeProperty(rule)}::${escapeData(message)}\n`;
    })
    .join('');
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const sarifLevels: Record<FindingSeverity, string> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' };

/** On Windows, a path is absolute if the working directory is on another drive. */
const uriOf = (path: string): string =>
  /^[a-z]:\//i.test(path) ? `file:///${path.slice(0, 2)}${encodePath(path.slice(2))}` : encodePath(path);

/** The program that a log comes from, and its rules. */
type Tool = { name: string; rules: readonly { id: string; title: string; severity: FindingSeverity }[] };

/** A log in the Static Analysis Results Interchange Format (SARIF) 2.1.0. */
export function sarifReport(
  { findings, texts }: Pick<LintReport, 'texts'> & { findings: readonly ReportedFinding[] },
  pathOf: PathOf,
  tool: Tool = { name: 'framework lint', rules },
): string {
  const location = (file: string, span: Span, message?: string) => ({
    physicalLocation: {
      artifactLocation: { uri: uriOf(pathOf(file)) },
      region: region(texts.get(file) ?? '', span),
    },
    ...(message === undefined ? {} : { message: { text: message } }),
  });
  const ids = tool.rules.map(({ id }) => id);
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        columnKind: 'utf16CodeUnits',
        tool: {
          driver: {
            name: tool.name,
            semanticVersion: manifest.version,
            rules: tool.rules.map(({ id, title, severity }) => ({
              id,
              shortDescription: { text: title },
              help: { text: `${title}: see ${ruleDoc(id)}` },
              defaultConfiguration: { level: sarifLevels[severity] },
            })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ids.indexOf(finding.rule),
          level: sarifLevels[finding.severity],
          message: { text: finding.message },
          locations: [location(finding.file, finding.span)],
          ...(finding.related.length === 0
            ? {}
            : { relatedLocations: finding.related.map(({ file, span, message }) => location(file, span, message)) }),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function region(text: string, span: Span) {
  const start = lineAndColumn(text, span.start);
  const end = lineAndColumn(text, span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

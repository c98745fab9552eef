// `framework lint`: what is wrong with the compositions of a folder, in the form that was asked for, and an exit status for it.
import { join, relative, sep } from 'node:path';
import { UserError } from '../errors.ts';
import { rules } from '../lint/rules.ts';
import { isRuleLevel, type RuleLevel, ruleLevels } from '../lint/settings.ts';
import { type FixedFile, type LintOptions, type LintReport, lintProject } from '../lintProject.ts';
import { didYouMean } from '../model/suggest.ts';
import { countText } from './amounts.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import type { lintFormats } from './commands.ts';
import { githubReport, jsonReport, sarifReport } from './lintFormats.ts';
import { findingsText } from './lintText.ts';
import { unifiedDiff } from './unifiedDiff.ts';

type LintFormat = (typeof lintFormats)[number];

/** The status is 1 when there are errors, or more warnings than allowed. Throws UserError. */
export async function runLint(input: CommandInput, io: CliIo): Promise<number> {
  const { values, switches, positionals, lists } = input;
  const format = formatOf(input);
  const isDry = switches.has('dry-run');
  if (isDry && !switches.has('fix')) {
    throw new UserError('usage', '--dry-run shows what --fix would change', { hint: 'Write --fix --dry-run.' });
  }
  const progress = progressLine(io);
  const options: LintOptions = {
    rules: levels(lists.get('rule') ?? []),
    fix: isDry ? 'dry-run' : switches.has('fix'),
    signal: io.signal,
    onProgress: progress.show,
  };
  const report = await lintProject(positionals[0] ?? '.', options).finally(progress.clear);
  const shown = withoutHints(report);
  const pathOf = (file: string): string => relative(process.cwd(), join(report.root, file)).split(sep).join('/');
  for (const file of report.unreadable) {
    io.stderr.write(`warning: ${pathOf(file)} was left out: it is not UTF-8 text, or too large\n`);
  }
  if (format === 'json') io.stdout.write(jsonReport(shown));
  else if (format === 'sarif') io.stdout.write(sarifReport(shown, pathOf));
  else if (format === 'github') io.stdout.write(githubReport(shown, pathOf));
  else io.stdout.write(textReport(shown, isDry, io, pathOf));
  return statusOf(report, values.get('max-warnings'), io);
}

function formatOf({ values, switches }: CommandInput): LintFormat {
  const format = values.get('format') as LintFormat | undefined;
  if (!switches.has('json')) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new UserError('usage', `--json and --format ${format} cannot be used together`, {
    hint: 'Choose one of them.',
  });
}

/** `unused-variable=off`, one a value. */
function levels(given: readonly string[]): Record<string, RuleLevel> {
  const result: Record<string, RuleLevel> = {};
  const ids = rules.map(({ id }) => id);
  for (const text of given) {
    const [id = '', level, ...rest] = text.split('=');
    if (!ids.includes(id)) {
      throw new UserError('usage', `There is no rule "${id}"${didYouMean(id, ids)}`, {
        hint: 'docs/rules.md lists the rules.',
      });
    }
    if (!isRuleLevel(level) || rest.length > 0) {
      throw new UserError('usage', `--rule cannot be "${text}"`, {
        hint: `Write --rule ${id}=<level>; levels are ${ruleLevels.join(', ')}.`,
      });
    }
    result[id] = level;
  }
  return result;
}

/** Hints are for the editor alone. */
function withoutHints(report: LintReport): LintReport {
  const findings = report.findings.filter(({ severity }) => severity !== 'hint');
  return { ...report, findings, counts: { ...report.counts, hint: 0 } };
}

function textReport(report: LintReport, isDry: boolean, io: CliIo, pathOf: (file: string) => string): string {
  const colors = colorsFor(io.stdout, io.env);
  const fixed = report.fixed.map((file) => fixedText(file, isDry, pathOf)).join('');
  return `${fixed}${fixed === '' ? '' : '\n'}${findingsText(report, colors, pathOf)}`;
}

function fixedText(
  { file, before, after, fixes }: FixedFile,
  isDry: boolean,
  pathOf: (file: string) => string,
): string {
  if (isDry) return unifiedDiff(pathOf(file), before, after);
  return `${pathOf(file)}: ${countText(fixes.length, 'fix').replace(/fixs$/, 'fixes')}\n${fixes.map((title) => `  ${title}\n`).join('')}`;
}

function statusOf({ counts }: LintReport, maxWarnings: string | undefined, io: CliIo): number {
  if (counts.error > 0) return 1;
  if (maxWarnings === undefined || counts.warning <= Number(maxWarnings)) return 0;
  io.stderr.write(`${countText(counts.warning, 'warning')}, and --max-warnings allows ${maxWarnings}\n`);
  return 1;
}

const redrawEvery = 25;

/** A line on a terminal that says how far it is; nothing anywhere else. */
function progressLine({ stderr }: CliIo) {
  let isDrawn = false;
  return {
    show({ done, total }: { done: number; total: number }): void {
      if (!stderr.isTTY || total < 2 * redrawEvery || done % redrawEvery !== 0) return;
      stderr.write(`\r${done}/${countText(total, 'file')}\x1b[K`);
      isDrawn = true;
    },
    clear(): void {
      if (isDrawn) stderr.write('\r\x1b[K');
    },
  };
}

// `framework lint`: checks the compositions of a folder and prints the findings in the chosen format.
import { join, relative, sep } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { type FixedFile, type LintOptions, type LintReport, lintProject } from '../../renderer-core/lintProject.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { readLevels } from '../options/ruleLevels.ts';
import type { lintFormats } from '../options/sharedOptions.ts';
import { colorsFor } from '../output/colors.ts';
import { countText } from '../output/format.ts';
import { githubReport, jsonReport, sarifReport } from '../output/lintReports.ts';
import { findingsText } from '../output/lintText.ts';
import { patchText } from '../output/patchText.ts';

type LintFormat = (typeof lintFormats)[number];

/** The exit status is 1 if there are errors, or more warnings than allowed. Throws UserError. */
export async function runLint(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags, positionals, lists } = input;
  const format = formatOf(input);
  const isDry = flags.has('dry-run');
  if (isDry && !flags.has('fix')) {
    throw new UserError('usage', '--dry-run needs --fix', { hint: 'Use --fix --dry-run.' });
  }
  const progress = progressLine(io);
  const options: LintOptions = {
    rules: readLevels(lists.get('rule') ?? []),
    fix: isDry ? 'dry-run' : flags.has('fix'),
    signal: io.signal,
    onProgress: progress.show,
  };
  const report = await lintProject(positionals[0] ?? '.', options).finally(progress.clear);
  const shown = withoutHints(report);
  const pathOf = (file: string): string => relative(process.cwd(), join(report.root, file)).split(sep).join('/');
  for (const file of report.unreadable) {
    io.stderr.write(`warning: ${pathOf(file)} was skipped: it is too large\n`);
  }
  if (format === 'json') io.stdout.write(jsonReport(shown));
  else if (format === 'sarif') io.stdout.write(sarifReport(shown, pathOf));
  else if (format === 'github') io.stdout.write(githubReport(shown, pathOf));
  else writeText(shown, isDry, io, pathOf);
  return statusOf(report, values.get('max-warnings'), io);
}

function formatOf({ values, flags }: CommandInput): LintFormat {
  const format = values.get('format') as LintFormat | undefined;
  if (!flags.has('json')) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new UserError('usage', `--json and --format ${format} cannot be used together`, {
    hint: 'Use one of them.',
  });
}

/** Only the editor shows hints. */
function withoutHints(report: LintReport): LintReport {
  const findings = report.findings.filter(({ severity }) => severity !== 'hint');
  return { ...report, findings, counts: { ...report.counts, hint: 0 } };
}

/** In a dry run, stdout contains only the patch, so that it can be piped to `git apply`. */
function writeText(report: LintReport, isDry: boolean, io: CliIo, pathOf: (file: string) => string): void {
  const stream = isDry ? io.stderr : io.stdout;
  const changes = report.fixed
    .map((file) => (isDry ? patchText(pathOf(file.file), file.before, file.after) : fixedText(file, pathOf)))
    .join('');
  io.stdout.write(changes === '' || isDry ? changes : `${changes}\n`);
  stream.write(findingsText(report, colorsFor(stream, io.env), pathOf));
}

function fixedText({ file, fixes }: FixedFile, pathOf: (file: string) => string): string {
  return `${pathOf(file)}: ${countText(fixes.length, 'fix').replace(/fixs$/, 'fixes')}\n${fixes.map((title) => `  ${title}\n`).join('')}`;
}

function statusOf({ counts }: LintReport, maxWarnings: string | undefined, io: CliIo): number {
  if (counts.error > 0) return 1;
  if (maxWarnings === undefined || counts.warning <= Number(maxWarnings)) return 0;
  io.stderr.write(`${countText(counts.warning, 'warning')}, more than --max-warnings ${maxWarnings}\n`);
  return 1;
}

const redrawEvery = 25;

/** Shows the number of checked files, on a terminal only. */
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

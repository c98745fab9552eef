// `framework check`: looks at what compositions show, with default values and with rows, and prints the findings.
import { join, relative, sep } from 'node:path';
import type { CheckEvent, CheckRequest } from '../../renderer-core/check/checkProject.ts';
import type { CheckFinding, CheckReport } from '../../renderer-core/check/checkReport.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { checks } from '../../renderer-core/lint/checkTable.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { featuresOption } from '../../renderer-core/page/features/features.ts';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { clock, engine } from '../engine.ts';
import { readLocaleOptions } from '../options/localeOptions.ts';
import { parseRows } from '../options/rowsOption.ts';
import { readLevels } from '../options/ruleLevels.ts';
import { readVariables } from '../options/variableOptions.ts';
import { type Colors, colorsFor } from '../output/colors.ts';
import { countText, secondsText } from '../output/format.ts';
import { githubReport, sarifReport } from '../output/lintReports.ts';
import { countsText, findingTexts } from '../output/lintText.ts';
import { barText, createLiveLine } from '../output/liveLine.ts';
import { untilAborted } from '../untilAborted.ts';

/** The exit status is 1 if there are errors, rows that cannot be shown, or more warnings than allowed. Throws UserError. */
export async function runCheck(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  const format = flags.has('json') ? 'json' : (values.get('format') ?? 'text');
  const colors = colorsFor(io.stderr, io.env);
  const progress = showProgress(io, colors);
  try {
    const request = await readRequest(input, io);
    const { checkProject } = io.engine ?? engine;
    const all = { ...request, signal: io.signal, onEvent: progress.show };
    const report = await untilAborted(checkProject(all, { ...clock, env: io.env }), io.signal, cancelled);
    progress.clear();
    const shown = { ...report, findings: report.findings.filter(({ severity }) => severity !== 'hint') };
    const pathOf = (file: string): string => relative(process.cwd(), join(report.root, file)).split(sep).join('/');
    const placed = withPlaces(shown);
    if (format === 'json') io.stdout.write(jsonReport(shown));
    else if (format === 'sarif')
      io.stdout.write(sarifReport(placed, pathOf, { name: 'framework check', rules: checks }));
    else if (format === 'github') io.stdout.write(githubReport(placed, pathOf));
    else io.stdout.write(reportText(placed, colorsFor(io.stdout, io.env), pathOf));
    return statusOf(report, values.get('max-warnings'), io);
  } finally {
    progress.clear();
  }
}

/** Before a render: prints the findings to stderr. Throws UserError `composition_invalid` if the render should not start. */
export async function checkFirst(request: CheckRequest, io: CliIo): Promise<void> {
  const colors = colorsFor(io.stderr, io.env);
  const progress = showProgress(io, colors);
  const { checkProject } = io.engine ?? engine;
  const report = await checkProject({ ...request, onEvent: progress.show }, { ...clock, env: io.env }).finally(
    progress.clear,
  );
  const pathOf = (file: string): string => relative(process.cwd(), join(report.root, file)).split(sep).join('/');
  io.stderr.write(reportText(withPlaces(report), colors, pathOf));
  if (statusOf(report, undefined, io) === 0) return;
  throw new UserError('composition_invalid', 'The check found errors; nothing was rendered.', {
    hint: 'Correct them, or render without --check.',
  });
}

const cancelled = (cause: unknown): UserError => new UserError('cancelled', 'The check was cancelled.', { cause });

/** Contains only the given options. */
async function readRequest(input: CommandInput, io: CliIo): Promise<CheckRequest> {
  const { values, flags, lists, positionals } = input;
  const batch = values.get('batch');
  const indices = values.get('rows');
  if (batch === undefined && indices !== undefined)
    throw new UserError('usage', '--rows needs --batch', { hint: 'Add the file with the rows: --batch rows.json' });
  if (batch !== undefined && flags.has('extremes'))
    throw new UserError('usage', '--batch and --extremes cannot be used together', {
      hint: 'Use one after the other.',
    });
  const variables = await readVariables(
    { inline: values.get('variables'), file: values.get('variables-file') },
    io.stdin,
  );
  return {
    projectDir: positionals[0] ?? '.',
    rules: readLevels(lists.get('rule') ?? []),
    ...featuresOption(io.env),
    ...given({
      composition: values.get('composition'),
      output: values.get('output'),
      fps: values.get('fps'),
      aspectRatio: values.get('aspect-ratio'),
      gpu: values.get('gpu') as CheckRequest['gpu'],
      network: values.get('network') as CheckRequest['network'],
      browserPath: values.get('browser'),
      ffmpegPath: values.get('ffmpeg'),
      rows: batch ?? (flags.has('extremes') ? 'extremes' : undefined),
      indices: indices === undefined ? undefined : parseRows(indices),
    }),
    ...variables,
    ...readLocaleOptions(input),
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    ...(flags.has('system-fonts') ? { systemFonts: true } : {}),
    ...(flags.has('all-sizes') ? { allSizes: true } : {}),
  };
}

const jsonReport = ({ texts: _, ...report }: CheckReport): string => `${JSON.stringify(report)}\n`;

function reportText(report: CheckReport, colors: Colors, pathOf: (file: string) => string): string {
  const { counts, findings, looked, sizes, rows, sound, stills, elapsedMs } = report;
  const found = countsText(counts, colors) ?? colors.green('No problems found');
  const where = [
    `${countText(looked, 'frame')} looked at`,
    ...(sizes.length > 1 ? [countText(sizes.length, 'size')] : []),
    ...(rows.length > 0 ? [countText(rows.length, 'row')] : []),
  ];
  const loudness =
    sound?.loudness == null ? [] : [`${sound.loudness.toFixed(1)} LUFS, ${sound.truePeak?.toFixed(1)} dBTP`];
  const failed = rows.flatMap(({ index, label, error }) =>
    error === null ? [] : [`${colors.red('error')} Row ${rowNumber(index)} (${label}) cannot be shown: ${error}\n`],
  );
  return [
    ...findingTexts(report, colors, pathOf),
    ...failed,
    `${found} (${[...where, ...loudness, secondsText(elapsedMs / 1000)].join(', ')})\n`,
    ...(stills.length > 0 ? [`${stills.at(-1)}\n`] : []),
  ].join(findings.length > 0 ? '\n' : '');
}

/** With the rows and sizes of each finding in its message. */
function withPlaces(report: CheckReport): CheckReport {
  const findings = report.findings.map((finding) => {
    const where = placesText(finding, report.sizes);
    return where === '' ? finding : { ...finding, message: `${finding.message} (${where})` };
  });
  return { ...report, findings };
}

/** Sizes only if several were looked at. */
function placesText({ rows, sizes }: CheckFinding, all: readonly string[]): string {
  const ofSizes = sizes.length === all.length ? 'all sizes' : sizes.join(', ');
  return [...(rows.length > 0 ? [rowsText(rows)] : []), ...(all.length > 1 ? [ofSizes] : [])].join('; ');
}

const mostRows = 5;

function rowsText(rows: readonly number[]): string {
  const numbers = rows.slice(0, mostRows).map((row) => String(rowNumber(row)));
  const more = rows.length - numbers.length;
  return `${rows.length === 1 ? 'row' : 'rows'} ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function statusOf({ counts, rows }: CheckReport, maxWarnings: string | undefined, io: CliIo): number {
  if (counts.error > 0 || rows.some(({ error }) => error !== null)) return 1;
  if (maxWarnings === undefined || counts.warning <= Number(maxWarnings)) return 0;
  io.stderr.write(`${countText(counts.warning, 'warning')}, more than --max-warnings ${maxWarnings}\n`);
  return 1;
}

/** Warnings of a render as lines, and on a terminal the progress. */
function showProgress(io: CliIo, colors: Colors) {
  const { draw, clear } = createLiveLine(io.stderr, colors);
  const redraws = io.stderr.isTTY === true;
  return {
    clear,
    show(event: CheckEvent): void {
      if (event.type === 'warning') {
        clear();
        io.stderr.write(`${colors.yellow('warning:')} ${event.message}\n`);
      } else if (redraws) draw(progressText(event));
    },
  };
}

function progressText(event: Exclude<CheckEvent, { type: 'warning' }>): string {
  if (event.type === 'stage') return event.message;
  const { type, done, total } = event;
  return `${barText(done / total)} ${done}/${countText(total, type === 'rows' ? 'row' : 'frame')}`;
}

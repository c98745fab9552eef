// Prepares a batch before its first row renders: reads and checks the rows and their outputs, and finds what is left to do.

import { readFile, statfs } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import { invalidIds } from '../../model/readDeclarations.ts';
import { indexLines, lineAndColumn, positionAt } from '../../model/spans.ts';
import { decodeText } from '../../model/textEncoding.ts';
import { type CheckedRow, checkBatchRows } from '../../plan/batch.ts';
import { type BatchProblem, type BatchRows, batchKind, readBatchRows, rowsOfValues } from '../../plan/batchFile.ts';
import { compositionProblems } from '../../plan/batchValues.ts';
import { chooseFormat, formatTable } from '../../plan/formats.ts';
import { checkOptions, estimateBytes } from '../../plan/plan.ts';
import { locateGiven, type ValuesSource } from '../../plan/valueProblems.ts';
import { findOutput, isStandardOutput } from '../../project/outputPath.ts';
import type { ErrorProblem } from '../../reports/errorJson.ts';
import { foreignFile } from '../output.ts';
import { openProject, prepareIn } from '../prepare.ts';
import type { OpenProject, PreparedRender } from '../types.ts';
import { createFileHasher, hashOptions, recordProject, recordReads } from './batchInputs.ts';
import type { BatchWarning } from './batchReport.ts';
import type { BatchRequest, PreparedBatch } from './batchTypes.ts';
import { createFileList, type FileList, manifestPath, readManifest } from './manifest.ts';
import type { ManifestRow } from './manifestFile.ts';
import { type Comparison, compareRows, recordedRows } from './resume.ts';

/** Reads and checks everything. Throws UserError; its `problems` list every invalid row. */
export async function prepareBatch(request: BatchRequest): Promise<PreparedBatch> {
  if (isStandardOutput(request.output)) {
    throw new UserError('usage', l10n.t('A batch cannot be written to standard output: each row is a file'), {
      hint: l10n.t("Set --output to a path with placeholders, such as 'renders/{index}.mp4'."),
    });
  }
  checkOptions(request);
  const project = await openProject(request);
  const { declarations } = project.entry;
  const { text, file, read } = await readBatch(request, declarations);
  const template = request.output ?? defaultTemplate(project, request);
  const checked = checkBatchRows(read, declarations, template, {
    strict: request.strictVariables ?? false,
    invalid: invalidIds(project.entry.variables),
    common: request.variables ?? {},
    isWindows: sep === '\\',
  });
  const { strictVariables, ...options } = withoutBatch(request);
  const prepare = ({ variables, output }: CheckedRow) => prepareIn(project, { ...options, variables, output });
  const isRequested = requestedRows(read, request.indices);
  const asked = checked.rows.filter(({ index }) => isRequested(index));
  const problems = [
    ...checked.problems.filter(({ row }) => row === null || isRequested(row)),
    ...(await outputProblems(asked, prepare)),
  ];
  const located = [
    ...locate(problems, text, file),
    ...locateCommon(problems, project.graph, request.variablesSource),
    ...compositionProblems(project.graph, asked).map(({ isUnresolved, ...problem }) => ({
      ...problem,
      severity: request.strictVariables && !isUnresolved ? ('error' as const) : ('warning' as const),
      code: 'variable' as const,
    })),
  ];
  throwErrors(located, file);

  const manifest = manifestPath(resolve(checked.template.folder));
  const earlier = await readManifest(manifest);
  const hash = await createFileHasher(project.root);
  const projectFiles = await recordProject(project, hash);
  const rows = pendingRows(checked.rows, prepare, request.capture ?? 'auto');
  const files = createFileList();
  const reasons = new Map<number, string>();
  const positions = [...rows.keys()];
  const isRequestedAt = (at: number) => isRequested(rows[at]?.index ?? 0);
  const requested = positions.filter(isRequestedAt);
  if (request.resume && earlier) {
    const own = requested.map((at) => rows[at] as ManifestRow);
    const compared = await compareRows(own, { manifest: earlier, hash, resume: request.resume });
    for (const [position, one] of compared.entries()) {
      const at = requested[position] as number;
      if ('kept' in one) rows[at] = keptRow(one, files);
      else reasons.set(rows[at]?.index ?? at, one.reason);
    }
  }
  if (earlier) {
    const others = positions.filter((at) => !isRequestedAt(at));
    for (const [at, one] of recordedRows(rows, others, earlier)) rows[at] = keptRow(one, files);
  }
  const todo = requested.filter((at) => rows[at]?.status !== 'completed');
  const withSeverity = (wanted: LocatedProblem['severity']): BatchWarning[] =>
    located.filter(({ severity }) => severity === wanted).map(({ severity: _, code: __, ...warning }) => warning);
  const warnings = withSeverity('warning');
  const firstRow = checked.rows[todo[0] ?? 0];
  const draft = firstRow && prepare(firstRow);
  const estimatedBytes = draft ? estimateBytes(draft.draft) * todo.length : 0;
  if (draft) warnings.push(...draft.warnings.map((message) => ({ message })));
  warnings.push(...(await spaceWarnings(dirname(manifest), estimatedBytes)));
  return {
    project,
    batch: file,
    manifest,
    rows,
    requested,
    todo,
    reasons,
    files,
    recordFiles: async (reads) => [...projectFiles, ...(await recordReads(reads, hash))],
    warnings,
    notes: withSeverity('note'),
    estimatedBytes,
    prepare: (at) => prepare(checked.rows[at] as CheckedRow),
  };
}

/** Whether a row is asked for. Throws UserError `usage` if a row does not exist. */
function requestedRows(
  { rows, problems }: BatchRows,
  indices: readonly number[] | undefined,
): (row: number) => boolean {
  if (indices === undefined) return () => true;
  const known = new Set([...rows.map(({ index }) => index), ...problems.flatMap(({ row }) => row ?? [])]);
  const missing = indices.find((index) => !known.has(index));
  // Without any row, the problem of the file is reported.
  if (known.size > 0 && (indices.length === 0 || missing !== undefined)) {
    const last = Math.max(...known);
    const message = indices.length === 0 ? l10n.t('No row is chosen') : l10n.t`The batch has no row ${missing ?? 0}`;
    throw new UserError(
      'usage',
      `${message}; ${last === 0 ? l10n.t('its only row is 0') : l10n.t`its rows are 0 to ${last}`}`,
      {
        hint: l10n.t('Choose rows with --rows, such as --rows 0,2-4. Rows count from 0.'),
      },
    );
  }
  const asked = new Set(indices);
  return (row) => asked.has(row);
}

/** `renders/<composition>-{index}.<ext>` */
function defaultTemplate({ graph }: OpenProject, { format }: BatchRequest): string {
  const name = graph.entry.replace(/^.*\//, '').replace(/\.html?$/i, '') || 'composition';
  return `renders/${name}-{index}${formatTable[chooseFormat(format, undefined)].extension}`;
}

type ReadBatch = { text: string; file: string | null; read: BatchRows };

async function readBatch(
  request: BatchRequest,
  declarations: OpenProject['entry']['declarations'],
): Promise<ReadBatch> {
  const { rows } = request;
  if (typeof rows !== 'string') return { text: '', file: null, read: rowsOfValues(rows) };
  let bytes: Uint8Array;
  try {
    bytes = await readFile(rows);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const reason =
      { ENOENT: l10n.t('it does not exist'), EISDIR: l10n.t('it is a folder'), EACCES: l10n.t('permission denied') }[
        code
      ] ?? code;
    throw unreadable(l10n.t`Cannot read the batch file ${rows}: ${reason}`, error);
  }
  const { text, invalidAt } = decodeText(bytes, rows);
  if (invalidAt === null)
    return { text, file: resolve(rows), read: readBatchRows(text, batchKind(rows), declarations) };
  throw unreadable(l10n.t`The batch file ${rows} is not UTF-8 text (line ${lineAndColumn(text, invalidAt).line})`);
}

const unreadable = (message: string, cause?: unknown): UserError =>
  new UserError('batch_file_unreadable', message, {
    hint: l10n.t('Set --batch to a JSON, JSONL, CSV or TSV file in UTF-8.'),
    cause,
  });

/** The options of a single render. */
function withoutBatch(request: BatchRequest) {
  const { rows, variables, variablesSource, output, concurrency, failFast, resume, onEvent, ...options } = request;
  return options;
}

/** Checks the outputs' names against the format, and against files that exist already. */
async function outputProblems(
  rows: readonly CheckedRow[],
  prepare: (row: CheckedRow) => PreparedRender,
): Promise<BatchProblem[]> {
  const problems: BatchProblem[] = [];
  for (const [at, row] of rows.entries()) {
    const message = await outputProblem(row, prepare, at === 0);
    const span = { start: 0, end: 0 };
    if (message !== undefined)
      problems.push({ code: 'output', severity: 'error', row: row.index, path: [], span, message });
  }
  return problems;
}

async function outputProblem(
  row: CheckedRow,
  prepare: (row: CheckedRow) => PreparedRender,
  isFirst: boolean,
): Promise<string | undefined> {
  const { output } = row;
  try {
    const isFolder = prepare(row).draft.format === 'png';
    const place = await findOutput(output, false);
    if (place.kind !== 'file') return l10n.t`${output} is a device or a pipe, which cannot hold a row of a batch`;
    const { existing } = place;
    if (!existing) return undefined;
    if (existing.isDirectory() !== isFolder) return l10n.t`${output} is ${isFolder ? 'a file' : 'a folder'}`;
    const foreign = isFolder ? await foreignFile(output) : undefined;
    return foreign && l10n.t`${output} contains files that are not frames (${foreign})`;
  } catch (error) {
    // An error of the options or the composition affects every row: report it once.
    if (!(error instanceof UserError) || isFirst) throw error;
    return error.message;
  }
}

/** Warns if the disk may become full. Throws UserError `disk_full` if it certainly will. */
async function spaceWarnings(folder: string, needed: number): Promise<BatchWarning[]> {
  const free = await freeBytes(folder);
  if (free === null || free >= needed) return [];
  const message = l10n.t`The batch may need ${megabytes(needed)} MB, but only ${megabytes(free)} MB are free in ${folder}`;
  if (free >= needed / 20) return [{ message }];
  throw new UserError('disk_full', message, {
    hint: l10n.t('Free some space, or set --output to a folder on another disk.'),
  });
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

/** Free space for the nearest existing folder, in bytes; null if the system does not report it. */
async function freeBytes(folder: string): Promise<number | null> {
  const state = await statfs(folder).catch(() => undefined);
  if (state) return state.bavail * state.bsize;
  const parent = dirname(folder);
  return parent === folder ? null : freeBytes(parent);
}

type LocatedProblem = BatchWarning & Pick<BatchProblem, 'severity' | 'code'>;

/** Adds the locations in the batch file, if there is one, to the problems that are in it. */
function locate(problems: readonly BatchProblem[], text: string, file: string | null): LocatedProblem[] {
  const lines = indexLines(text);
  return problems
    .filter(({ issue }) => !issue)
    .map(({ severity, code, message, row, span }) => ({
      ...{ severity, code, message },
      ...(row === null ? {} : { row }),
      ...(file === null || code === 'output' ? {} : { place: { file, ...positionAt(lines, span.start) } }),
    }));
}

/** The problems of values for every row. */
function locateCommon(
  problems: readonly BatchProblem[],
  graph: ProjectGraph,
  source: ValuesSource | undefined,
): LocatedProblem[] {
  return problems.flatMap(({ severity, code, issue }) =>
    issue ? [{ severity, code, ...locateGiven(graph, issue, source) }] : [],
  );
}

/** Throws UserError if there are errors among the problems. */
function throwErrors(problems: readonly LocatedProblem[], file: string | null): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const listed = errors.map(({ severity: _, code: __, ...problem }): ErrorProblem => problem);
  const [first] = listed;
  const single = errors.length === 1 && first;
  const code = errors.every((one) => one.code === 'variable') ? 'variables_invalid' : 'batch_invalid';
  throw new UserError(code, single ? rowMessage(single) : summary(listed, file), {
    hint:
      code === 'variables_invalid'
        ? strictHint()
        : l10n.t('Nothing was rendered. Correct the rows and run the command again.'),
    problems: listed,
    ...(single && 'place' in single ? { place: single.place } : {}),
  });
}

const strictHint = () => l10n.t('Correct the values, or omit --strict-variables to render with warnings.');
const rowMessage = ({ row, message }: ErrorProblem) => (row === undefined ? message : l10n.t`Row ${row}: ${message}`);

/** Maximum number of different problems in the message; `problems` has all of them. */
const shownProblems = 100;

/** One line per problem, with all rows that have it. */
function summary(problems: readonly ErrorProblem[], file: string | null): string {
  const rows = new Set(problems.map(({ row }) => row));
  const where = rows.has(undefined)
    ? ''
    : l10n.t` in ${rows.size === 1 ? l10n.t('one row') : l10n.t`${rows.size} rows`}`;
  const head = l10n.t`${problems.length} problems${where}:`;
  const groups = groupProblems(problems, file);
  const lines = groups.slice(0, shownProblems).map(({ label, message }) => `${label}: ${message}`);
  const rest = groups.length - lines.length;
  return [head, ...lines, ...(rest > 0 ? [l10n.t`and ${rest} more; use --json to list all`] : [])].join('\n');
}

/** `label` names the rows or the location: `Row 3 (line 5)`, `Rows 3, 4, 9 and 12 more`, `index.html:3:5`. */
function groupProblems(
  problems: readonly ErrorProblem[],
  batchFile: string | null,
): { label: string; message: string }[] {
  const groups = new Map<string, { problem: ErrorProblem; rows: number[] }>();
  for (const problem of problems) {
    const { message, row } = problem;
    const key = `${inComposition(problem, batchFile)} ${message}`;
    const group = groups.get(key) ?? { problem, rows: [] };
    if (row !== undefined) group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ problem, rows }) => {
    const { message, place } = problem;
    const location = inComposition(problem, batchFile);
    const [row] = rows;
    if (row === undefined) return { label: location ?? l10n.t`Line ${place?.line ?? 1}`, message };
    const line = rows.length === 1 && place?.line !== undefined ? l10n.t`line ${place.line}` : undefined;
    const where = location ?? line;
    const shown = rows.slice(0, 10).join(', ');
    const more = rows.length > 10 ? l10n.t` and ${rows.length - 10} more` : '';
    return { label: `Row${rows.length > 1 ? 's' : ''} ${shown}${more}${where ? ` (${where})` : ''}`, message };
  });
}

/** The location of a problem that is in a composition and not in the batch file. */
function inComposition({ place }: ErrorProblem, batchFile: string | null): string | undefined {
  return place && place.file !== batchFile ? `${place.file}:${place.line}:${place.column}` : undefined;
}

/** The rows as the manifest of a new run lists them. */
function pendingRows(
  rows: readonly CheckedRow[],
  prepare: (row: CheckedRow) => PreparedRender,
  capture: string,
): ManifestRow[] {
  return rows.map((row) => ({
    index: row.index,
    output: resolve(row.output),
    status: 'pending',
    durationMs: null,
    renderTimeMs: null,
    bytes: null,
    error: null,
    startedAt: null,
    completedAt: null,
    variables: row.variables,
    inputs: { options: hashOptions(prepare(row).draft, capture), files: [] },
  }));
}

/** A completed row of an earlier run. Its files are added to those of this run. */
function keptRow({ kept, files }: Extract<Comparison, { kept: ManifestRow }>, list: FileList): ManifestRow {
  const inputs = kept.inputs && files && { options: kept.inputs.options, files: files.map(list.add) };
  return { ...kept, inputs };
}

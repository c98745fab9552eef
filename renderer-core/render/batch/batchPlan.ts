// Prepares a batch before its first row renders: reads and checks the rows and their outputs, and finds what is left to do.

import { readFile, statfs } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { UserError } from '../../errors.ts';
import { type Size, sizeText } from '../../model/declaredSizes.ts';
import { lineAndColumn } from '../../model/text/spans.ts';
import { decodeText } from '../../model/text/textEncoding.ts';
import { invalidIds } from '../../model/variables/readDeclarations.ts';
import { isMisfit } from '../../model/variables/values.ts';
import { type CheckedRow, checkBatchRows, severityOf } from '../../plan/batch.ts';
import { type BatchProblem, type BatchRows, batchKind, readBatchRows, rowsOfValues } from '../../plan/batchFile.ts';
import { type InvalidRows, invalidRowsChoices } from '../../plan/batchRows.ts';
import { compositionProblems } from '../../plan/batchValues.ts';
import { rejectCaptionPath } from '../../plan/captionOutput.ts';
import { chooseFormat, folderContent, formatTable } from '../../plan/formats.ts';
import { rowNumber } from '../../plan/numberRanges.ts';
import { checkOptions } from '../../plan/options.ts';
import { estimateBytes } from '../../plan/plan.ts';
import { sizeOutputs } from '../../plan/sizeOutputs.ts';
import { findOutput, isStandardOutput } from '../../project/output/outputPath.ts';
import { foreignFile } from '../output.ts';
import { inSize, openProject, prepareIn, sizesOf } from '../prepare.ts';
import { findEngine, type Surroundings } from '../session.ts';
import type { OpenProject, PreparedRender } from '../types.ts';
import { checkCaptionOutput } from '../writeCaptions.ts';
import { createFileHasher, hashOptions, recordProject, recordReads } from './batchInputs.ts';
import { type LocatedProblem, locate, locateCommon, throwErrors } from './batchProblems.ts';
import type { BatchWarning } from './batchReport.ts';
import type { BatchRequest, PreparedBatch } from './batchTypes.ts';
import { createFileList, type FileList, manifestPath, readManifest } from './manifest.ts';
import type { ManifestRow } from './manifestFile.ts';
import { type Comparison, compareRows, recordedRows } from './resume.ts';

/**
 * Reads and checks everything. Throws UserError; its `problems` list every invalid row. `writesVideos`: whether the disk needs room
 * for them.
 */
export async function prepareBatch(
  request: BatchRequest,
  { env, writesVideos = true }: Pick<Surroundings, 'env'> & { writesVideos?: boolean },
): Promise<PreparedBatch> {
  if (isStandardOutput(request.output)) {
    throw new UserError('usage', 'A batch cannot be written to standard output: each row is a file', {
      hint: "Set --output to a path with placeholders, such as 'renders/{index}.mp4'.",
    });
  }
  // Only the rows determine an extension that is a placeholder, and with it the format.
  if (request.format !== undefined || !request.output?.endsWith('}')) checkOptions(request);
  rejectCaptionPath(request.captions);
  const invalidRows = invalidRowsOf(request);
  const project = await openProject(request);
  const { declarations } = project.entry;
  const { text, file, read } = await readBatch(request, declarations);
  const template = request.output ?? defaultTemplate(project, request);
  const checked = checkBatchRows(read, declarations, template, {
    strict: request.strictVariables ?? false,
    invalidRows,
    invalid: invalidIds(project.entry.variables),
    common: request.variables ?? {},
    isWindows: sep === '\\',
  });
  const { strictVariables: isStrict = false, ...options } = withoutBatch(request);
  const videos = request.allSizes ? inAllSizes(checked.rows, sizesOf(project, request), request) : checked.rows;
  const prepare = ({ variables, misfits, output, size }: RowVideo) => {
    const laidOut = size ? inSize(project, size) : project;
    return prepareIn(laidOut, checkOptions({ ...options, output }), { variables: without(variables, misfits) });
  };
  const isRequested = requestedRows(read, request.indices);
  const asked = checked.rows.filter(({ index }) => isRequested(index));
  const problems = [
    ...checked.problems.filter(({ row }) => row === null || isRequested(row)),
    ...(await outputProblems(
      videos.filter(({ index }) => isRequested(index)),
      prepare,
    )),
  ];
  const checkedValues =
    invalidRows === 'fail' ? asked : asked.map((row) => ({ ...row, variables: without(row.variables, row.misfits) }));
  const located = [
    ...locate(problems, text, file),
    ...locateCommon(problems, project.graph, request.variablesSource),
    ...compositionProblems(project.graph, checkedValues).map(({ isUnresolved, ...problem }) => ({
      ...problem,
      severity: severityOf(problem.row === undefined ? undefined : problem.issue, {
        strict: isStrict && !isUnresolved,
        invalidRows,
      }),
      code: 'variable' as const,
    })),
  ];
  throwErrors(located, file, isStrict);
  const states = rowStates(checked.rows, located, invalidRows);

  const manifest = manifestPath(resolve(checked.template.folder));
  const earlier = await readManifest(manifest);
  const hash = await createFileHasher(project.root);
  const projectFiles = await recordProject(project, hash);
  const rows = pendingRows(videos, states, prepare, request.capture ?? 'auto');
  const files = createFileList();
  const reasons = new Map<number, string>();
  const positions = [...rows.keys()];
  const isRequestedAt = (at: number) => isRequested(rows[at]?.index ?? 0);
  const requested = positions.filter(isRequestedAt);
  const pending = requested.filter((at) => rows[at]?.status === 'pending');
  if (request.resume && earlier) {
    const own = pending.map((at) => rows[at] as ManifestRow);
    const engine = await findEngine({ ...request, env });
    const compared = await compareRows(own, { manifest: earlier, hash, resume: request.resume, engine });
    for (const [position, one] of compared.entries()) {
      const at = pending[position] as number;
      if ('kept' in one) rows[at] = keptRow(one, files);
      else reasons.set(at, one.reason);
    }
  }
  if (earlier) {
    const others = positions.filter((at) => !isRequestedAt(at));
    for (const [at, one] of recordedRows(rows, others, earlier)) rows[at] = keptRow(one, files);
  }
  const todo = pending.filter((at) => rows[at]?.status === 'pending');
  const withSeverity = (wanted: LocatedProblem['severity']): BatchWarning[] =>
    located.filter(({ severity }) => severity === wanted).map(({ severity: _, code: __, ...warning }) => warning);
  const warnings = withSeverity('warning');
  const firstRow = videos[todo[0] ?? 0];
  const draft = firstRow && prepare(firstRow);
  const estimatedBytes = draft ? estimateBytes(draft.draft) * todo.length : 0;
  if (draft) warnings.push(...draft.warnings.map((message) => ({ message })));
  if (writesVideos) warnings.push(...(await spaceWarnings(dirname(manifest), estimatedBytes)));
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
    prepare: (at) => prepare(videos[at] as RowVideo),
  };
}

/** `size`: one of several. */
type RowVideo = CheckedRow & { size?: Size };

function inAllSizes(rows: readonly CheckedRow[], sizes: readonly Size[], { format }: BatchRequest): RowVideo[] {
  return rows.flatMap((row) => sizeOutputs(sizes, row.output, format).map((video) => ({ ...row, ...video })));
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
    const message = indices.length === 0 ? 'No row is chosen' : `The batch has no row ${rowNumber(missing ?? 0)}`;
    throw new UserError(
      'usage',
      `${message}; ${last === 0 ? 'its only row is 1' : `its rows are 1 to ${rowNumber(last)}`}`,
      {
        hint: 'Choose rows with --rows, such as --rows 1,3-5. Rows are counted from 1.',
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

function without(values: Record<string, unknown>, keys: readonly string[] = []): Record<string, unknown> {
  return keys.length === 0 ? values : Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
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
    const reason = { ENOENT: 'it does not exist', EISDIR: 'it is a folder', EACCES: 'permission denied' }[code] ?? code;
    throw unreadable(`Cannot read the batch file ${rows}: ${reason}`, error);
  }
  const { text, invalidAt } = decodeText(bytes, rows);
  if (invalidAt === null)
    return { text, file: resolve(rows), read: readBatchRows(text, batchKind(rows), declarations) };
  throw unreadable(`The batch file ${rows} is not UTF-8 text (line ${lineAndColumn(text, invalidAt).line})`);
}

const unreadable = (message: string, cause?: unknown): UserError =>
  new UserError('batch_file_unreadable', message, {
    hint: 'Set --batch to a JSON, JSONL, CSV or TSV file in UTF-8.',
    cause,
  });

/** The options of a single render. */
function withoutBatch(request: BatchRequest) {
  const {
    rows,
    variables,
    variablesSource,
    output,
    concurrency,
    failFast,
    allSizes,
    resume,
    invalidRows,
    onEvent,
    ...options
  } = request;
  return options;
}

/** Checks the outputs' names against the format, and against files that exist already. */
async function outputProblems(
  rows: readonly RowVideo[],
  prepare: (row: RowVideo) => PreparedRender,
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
  row: RowVideo,
  prepare: (row: RowVideo) => PreparedRender,
  isFirst: boolean,
): Promise<string | undefined> {
  const { output } = row;
  try {
    const prepared = prepare(row);
    await checkCaptionOutput(prepared);
    const content = folderContent(prepared.draft.format);
    const isFolder = content !== undefined;
    const place = await findOutput(output, false);
    if (place.kind !== 'file') return `${output} is a device or a pipe, which cannot hold a row of a batch`;
    const { existing } = place;
    if (!existing) return undefined;
    if (existing.isDirectory() !== isFolder) return `${output} is ${isFolder ? 'a file' : 'a folder'}`;
    const foreign = isFolder ? await foreignFile(output) : undefined;
    return foreign && `${output} contains other files than ${content} (${foreign})`;
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
  const message = `The batch may need ${megabytes(needed)} MB, but only ${megabytes(free)} MB are free in ${folder}`;
  if (free >= needed / 20) return [{ message }];
  throw new UserError('disk_full', message, {
    hint: 'Free some space, or set --output to a folder on another disk.',
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

/** Throws UserError `usage`. */
function invalidRowsOf({ invalidRows, strictVariables }: BatchRequest): InvalidRows {
  const chosen = invalidRows ?? (strictVariables ? 'fail' : 'defaults');
  if (!invalidRowsChoices.includes(chosen)) {
    throw new UserError('usage', `invalid-rows must be ${invalidRowsChoices.join(', ')} (got "${chosen}")`);
  }
  if (!strictVariables || chosen === 'fail') return chosen;
  throw new UserError('usage', `--strict-variables and --invalid-rows ${chosen} contradict each other`, {
    hint: '--strict-variables renders nothing if a row is invalid. Use only one of them.',
  });
}

type RowState = Partial<Pick<ManifestRow, 'status' | 'warnings' | 'usedDefaults'>>;

/** What the manifest lists about rows with problems, by index. */
function rowStates(
  rows: readonly CheckedRow[],
  problems: readonly LocatedProblem[],
  invalidRows: InvalidRows,
): Map<number, RowState> {
  const states = new Map<number, RowState & { warnings: BatchWarning[] }>();
  for (const { row: index, severity: _, code: __, ...warning } of problems) {
    if (index === undefined) continue;
    const state = states.get(index) ?? { warnings: [] };
    state.warnings.push(warning);
    if (invalidRows === 'skip' && isMisfit(warning.issue)) state.status = 'skipped';
    states.set(index, state);
  }
  for (const { index, misfits } of rows) {
    if (!misfits) continue;
    // A value for every row is listed without a row.
    const state = states.get(index) ?? { warnings: [] };
    const isSkipped = invalidRows === 'skip';
    states.set(index, { ...state, ...(isSkipped ? { status: 'skipped' } : { usedDefaults: misfits }) });
  }
  return states;
}

/** The rows as the manifest of a new run lists them. */
function pendingRows(
  rows: readonly RowVideo[],
  states: ReadonlyMap<number, RowState>,
  prepare: (row: RowVideo) => PreparedRender,
  capture: string,
): ManifestRow[] {
  return rows.map((row) => ({
    index: row.index,
    ...(row.size ? { size: sizeText(row.size) } : {}),
    output: resolve(row.output),
    status: 'pending',
    ...states.get(row.index),
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
  return { ...kept, inputs: { options: kept.inputs.options, files: files.map(list.add) } };
}

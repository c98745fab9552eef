// Everything about a batch that is known before its first row renders: the rows, their outputs, what is left to do.
import { readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type ErrorProblem, UserError } from '../errors.ts';
import { indexLines, placeAt } from '../model/spans.ts';
import { type CheckedRow, checkBatchRows } from '../plan/batch.ts';
import { type BatchProblem, type BatchRows, batchKind, readBatchRows, rowsOfValues } from '../plan/batchFile.ts';
import { estimateBytes } from '../plan/batchSize.ts';
import { chooseFormat, formatTable } from '../plan/formats.ts';
import { hashInputs, hashProject } from './batchInputs.ts';
import { type ManifestRow, manifestPath, readManifest } from './manifest.ts';
import { foreignFile, outputSize } from './output.ts';
import { type OpenProject, openProject, type PreparedRender, prepareIn } from './prepare.ts';
import type { BatchRequest } from './renderBatch.ts';

export type BatchWarning = { message: string; row?: number };

export type PreparedBatch = {
  project: OpenProject;
  /** Absolute path of the batch file; null when the rows were given as values. */
  batch: string | null;
  /** Absolute path. */
  manifest: string;
  /** By index; those already completed by an earlier run are not among `todo`. */
  rows: ManifestRow[];
  todo: number[];
  warnings: BatchWarning[];
  /** What the outputs of `todo` may take, in bytes. */
  estimatedBytes: number;
  /** The render of a row. */
  prepare(index: number): PreparedRender;
};

/** Reads and checks everything. Throws UserError; one with `problems` lists every row that is wrong. */
export async function prepareBatch(request: BatchRequest): Promise<PreparedBatch> {
  const project = await openProject(request);
  const { declarations } = project.entry;
  const { text, file, read } = await readBatch(request, declarations);
  const template = request.output ?? defaultTemplate(project, request);
  const checked = checkBatchRows(read, declarations, template, {
    strict: request.strictVariables ?? false,
    common: request.variables ?? {},
    isWindows: sep === '\\',
  });
  const { strictVariables, ...options } = withoutBatch(request);
  const prepare = ({ variables, output }: CheckedRow) => prepareIn(project, { ...options, variables, output });
  const problems = [...checked.problems, ...(await outputProblems(checked.rows, prepare))];
  refuse(problems, text, file);

  const manifest = manifestPath(resolve(checked.template.folder));
  const earlier = await readManifest(manifest);
  const rows = await startRows(checked.rows, {
    project,
    prepare,
    manifest,
    batch: file,
    capture: request.capture ?? 'auto',
  });
  if (request.resume) await keepCompleted(rows, earlier?.rows ?? []);
  const todo = rows.filter(({ status }) => status !== 'completed').map(({ index }) => index);
  const warnings = problems.map(({ message, row }) => (row === null ? { message } : { message, row }));
  const firstRow = checked.rows[todo[0] ?? 0];
  const draft = firstRow && prepare(firstRow);
  const estimatedBytes = draft ? estimateBytes(draft.draft) * todo.length : 0;
  if (draft) warnings.push(...draft.warnings.map((message) => ({ message })));
  warnings.push(...(await roomWarnings(dirname(manifest), estimatedBytes)));
  return {
    project,
    batch: file,
    manifest,
    rows,
    todo,
    warnings,
    estimatedBytes,
    prepare: (index) => prepare(checked.rows[index] as CheckedRow),
  };
}

/** `renders/<composition>-{index}.<ext>` */
function defaultTemplate({ graph }: OpenProject, { format }: BatchRequest): string {
  const name = graph.entry.replace(/^.*\//, '').replace(/\.html?$/i, '') || 'composition';
  return `renders/${name}-{index}${formatTable[chooseFormat(format, undefined)].extension}`;
}

type Read = { text: string; file: string | null; read: BatchRows };

async function readBatch(request: BatchRequest, declarations: OpenProject['entry']['declarations']): Promise<Read> {
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
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, file: resolve(rows), read: readBatchRows(text, batchKind(rows), declarations) };
  } catch (error) {
    throw unreadable(`The batch file ${rows} is not UTF-8 text`, error);
  }
}

const unreadable = (message: string, cause: unknown): UserError =>
  new UserError('batch_file_unreadable', message, {
    hint: 'Name a JSON, JSONL or CSV file, saved as UTF-8, with --batch.',
    cause,
  });

/** Options of a single render. */
function withoutBatch(request: BatchRequest) {
  const { rows, variables, output, concurrency, failFast, resume, onEvent, ...options } = request;
  return options;
}

/** What the format says to an output's name, and what stands in its place already. */
async function outputProblems(
  rows: readonly CheckedRow[],
  prepare: (row: CheckedRow) => PreparedRender,
): Promise<BatchProblem[]> {
  const problems: BatchProblem[] = [];
  for (const row of rows) {
    const message = await outputFault(row, prepare);
    const span = { start: 0, end: 0 };
    if (message !== undefined)
      problems.push({ code: 'output', severity: 'error', row: row.index, path: [], span, message });
  }
  return problems;
}

async function outputFault(row: CheckedRow, prepare: (row: CheckedRow) => PreparedRender): Promise<string | undefined> {
  const { output } = row;
  try {
    const isFolder = prepare(row).draft.format === 'png';
    const existing = await stat(output).catch(() => undefined);
    if (!existing) return undefined;
    if (existing.isDirectory() !== isFolder) return `${output} is ${isFolder ? 'a file' : 'a folder'}`;
    const foreign = isFolder ? await foreignFile(output) : undefined;
    return foreign && `${output} holds files that are not frames (${foreign})`;
  } catch (error) {
    // A fault of the options or of the composition is every row's: it is told once.
    if (!(error instanceof UserError) || row.index === 0) throw error;
    return error.message;
  }
}

/** Warns where the disk may become full; throws UserError `disk_full` where it will. */
async function roomWarnings(folder: string, needed: number): Promise<BatchWarning[]> {
  const free = await freeBytes(folder);
  if (free === null || free >= needed) return [];
  const message = `The batch may take ${megabytes(needed)} MB, and ${megabytes(free)} MB are free in ${folder}`;
  if (free >= needed / 20) return [{ message }];
  throw new UserError('disk_full', message, {
    hint: 'Free some space, or name a folder on another disk with --output.',
  });
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

/** Of the nearest folder that exists; null where the system does not tell. */
async function freeBytes(folder: string): Promise<number | null> {
  const state = await statfs(folder).catch(() => undefined);
  if (state) return state.bavail * state.bsize;
  const parent = dirname(folder);
  return parent === folder ? null : freeBytes(parent);
}

function refuse(problems: readonly BatchProblem[], text: string, file: string | null): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const lines = indexLines(text);
  const listed = errors.map(
    ({ message, row, span, code }): ErrorProblem => ({
      message,
      ...(row === null ? {} : { row }),
      ...(file === null || code === 'output' ? {} : { place: { file, ...placeAt(lines, span.start) } }),
    }),
  );
  const [first] = listed;
  const single = errors.length === 1 && first;
  const code = errors.every((one) => one.code === 'variable') ? 'variables_invalid' : 'batch_invalid';
  throw new UserError(code, single ? rowMessage(single) : summary(listed), {
    hint: code === 'variables_invalid' ? strictHint : 'Nothing was rendered: correct the rows, and run it again.',
    problems: listed,
    ...(single && 'place' in single ? { place: single.place } : {}),
  });
}

const strictHint = 'Correct the values, or leave out --strict-variables to render with warnings.';
const rowMessage = ({ row, message }: ErrorProblem) => (row === undefined ? message : `Row ${row}: ${message}`);

/** So many different problems are written out; all of them are in `problems`. */
const shownProblems = 100;

/** Rows with the same problem in one line. */
function summary(problems: readonly ErrorProblem[]): string {
  const rows = new Set(problems.map(({ row }) => row));
  const where = rows.has(undefined) ? '' : ` in ${rows.size === 1 ? 'one row' : `${rows.size} rows`}`;
  const head = `${problems.length} problems${where}:`;
  const groups = groupProblems(problems);
  const lines = groups.slice(0, shownProblems).map(({ label, message }) => `${label}: ${message}`);
  const rest = groups.length - lines.length;
  return [head, ...lines, ...(rest > 0 ? [`and ${rest} more; --json lists them all`] : [])].join('\n');
}

/** `label` names the rows: `Row 3 (line 5)`, `Rows 3, 4, 9 and 12 more`. */
export function groupProblems(problems: readonly ErrorProblem[]): { label: string; message: string }[] {
  const groups = new Map<string, ErrorProblem[]>();
  for (const problem of problems) {
    const group = groups.get(problem.message);
    if (group) group.push(problem);
    else groups.set(problem.message, [problem]);
  }
  return [...groups].map(([message, [first, ...others]]) => {
    const line = first?.place?.line === undefined ? '' : ` (line ${first.place.line})`;
    if (first?.row === undefined) return { label: `Line ${first?.place?.line ?? 1}`, message };
    if (others.length === 0) return { label: `Row ${first.row}${line}`, message };
    const rows = [first, ...others].map(({ row }) => row);
    const shown = rows.slice(0, 10).join(', ');
    return { label: `Rows ${shown}${rows.length > 10 ? ` and ${rows.length - 10} more` : ''}`, message };
  });
}

type Starting = {
  project: OpenProject;
  prepare: (row: CheckedRow) => PreparedRender;
  manifest: string;
  batch: string | null;
  capture: string;
};

async function startRows(rows: readonly CheckedRow[], starting: Starting): Promise<ManifestRow[]> {
  const { project, prepare, manifest, batch, capture } = starting;
  const outputs = rows.map(({ output }) => resolve(output));
  const folder = dirname(manifest);
  // Where the outputs are put into the project folder itself, they are left out one by one.
  const own = [manifest, ...(batch === null ? [] : [batch]), ...outputs];
  const isAround = project.root === folder || project.root.startsWith(join(folder, sep));
  const hashed = await hashProject(project.root, new Set(isAround ? own : [...own, folder]));
  return rows.map((row, at) => ({
    index: row.index,
    output: outputs[at] ?? '',
    status: 'pending',
    durationMs: null,
    renderTimeMs: null,
    bytes: null,
    error: null,
    startedAt: null,
    completedAt: null,
    variables: row.variables,
    inputs: hashInputs(hashed, prepare(row).draft, capture),
  }));
}

/** Rows that an earlier run has completed, with the same inputs and a file that is still whole. */
async function keepCompleted(rows: ManifestRow[], earlier: readonly ManifestRow[]): Promise<void> {
  const done = new Map(earlier.filter(({ status }) => status === 'completed').map((row) => [row.output, row]));
  for (const [at, row] of rows.entries()) {
    const known = done.get(row.output);
    if (!known || known.inputs !== row.inputs || !(await isWhole(known))) continue;
    rows[at] = { ...known, index: row.index, variables: row.variables };
  }
}

/** Outputs appear whole, so their size tells whether somebody has put something else there. */
async function isWhole({ output, bytes }: ManifestRow): Promise<boolean> {
  return bytes !== null && (await outputSize(output).catch(() => null)) === bytes;
}

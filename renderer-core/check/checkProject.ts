// Checks what a composition shows and how it sounds: with its default values, and with those of each row.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { isCheck } from '../lint/checkTable.ts';
import type { FindingSeverity } from '../lint/finding.ts';
import { rules } from '../lint/ruleTable.ts';
import { type LintSettings, type RuleLevel, readLintConfig } from '../lint/settings.ts';
import { frameTime } from '../model/frameGrid.ts';
import { configFile } from '../model/projectConfig.ts';
import { type ExtremeRow, extremeRows } from '../plan/extremeRows.ts';
import { checkOptions } from '../plan/options.ts';
import { prepareBatch } from '../render/batch/batchPlan.ts';
import type { BatchRequest } from '../render/batch/batchTypes.ts';
import { rowError } from '../render/batch/renderBatch.ts';
import { emitWarnings, launch } from '../render/pipeline.ts';
import { openProject, prepareIn } from '../render/prepare.ts';
import { reportProgress } from '../render/progress.ts';
import type { Surroundings } from '../render/session.ts';
import type { OpenProject, PreparedRender, RenderPlace, RenderRequest } from '../render/types.ts';
import type { CheckedRow, CheckFinding, CheckReport } from './checkReport.ts';
import { drawStills, type Still } from './findingImages.ts';
import { type Problem, worstProblems } from './findings.ts';
import { fontProblems } from './fontProblems.ts';
import { type CheckLimits, readLimits } from './limits.ts';
import { locate } from './locate.ts';
import { compareRow, framesForRows } from './rowProblems.ts';
import { checkSound } from './soundProblems.ts';
import { type Walked, walkPage } from './walkPage.ts';

export type CheckRequest = Pick<
  RenderRequest,
  | 'projectDir'
  | 'composition'
  | 'variables'
  | 'variablesSource'
  | 'strictVariables'
  | 'fps'
  | 'browserPath'
  | 'ffmpegPath'
  | 'gpu'
  | 'network'
  | 'allowHosts'
  | 'systemFonts'
  | 'timezone'
  | 'locale'
  | 'features'
  | 'signal'
> & {
  /** Levels by rule id; they override those of the project's `framework.json`. */
  rules?: Readonly<Record<string, RuleLevel>>;
  /** Rows whose values are checked too: see `BatchRequest`. `extremes`: rows at the limits of the declarations. */
  rows?: BatchRequest['rows'] | 'extremes';
  indices?: readonly number[];
  /** Folder for images of the findings. */
  output?: string;
  onEvent?: (event: CheckEvent) => void;
};

export type CheckEvent =
  | { type: 'stage'; message: string }
  | { type: 'warning'; message: string }
  | { type: 'frames'; done: number; total: number }
  | { type: 'rows'; done: number; total: number };

/** Throws UserError as a render does, and `cancelled`. */
export const checkProject = (request: CheckRequest, surroundings: Surroundings): Promise<CheckReport> =>
  checkProjectWith(launch, request, surroundings);

/** `checkProject` with another stage 2: `launchStage` may use a browser that is already open. */
export async function checkProjectWith(
  launchStage: typeof launch,
  request: CheckRequest,
  surroundings: Surroundings,
): Promise<CheckReport> {
  const emit = request.onEvent ?? (() => undefined);
  emit({ type: 'stage', message: 'Checking the project' });
  const startedAt = surroundings.now();
  const project = await openProject(request);
  const settings = readSettings(project, request.rules);
  // Options of a render that a check does not need have their defaults.
  const prepared = prepareIn(project, checkOptions({ ...request, output: 'checked.mp4' }), request);
  const rows = await rowsOf(request, project, surroundings);
  emit({ type: 'stage', message: 'Starting the browser' });
  return launchStage({ gpu: 'auto', ...request, ...surroundings, root: project.root }, async (place) => {
    const pictures = await mkdtemp(join(place.session.workspace.folder, 'check-'));
    const run: Run = { request, settings, place, pictures, graph: prepared.graph, stills: [] };
    const { findings, walked, sound } = await checkDefaults(prepared, run);
    const checked: CheckedRow[] = [];
    let looked = walked.texts.length;
    const frames = framesForRows(walked);
    for (const [done, { index, label, prepared }] of rows.entries()) {
      emit({ type: 'rows', done, total: rows.length });
      const row = await checkRow({ index, prepared, walked, frames }, run);
      looked += row.looked;
      const own = row.findings.filter((finding) => !isOfDefaults(findings, finding));
      for (const finding of own) addFinding(findings, finding, index);
      checked.push({ index, label, findings: own.length, error: row.error });
    }
    const stills =
      request.output === undefined ? [] : await drawStills(run.stills, findings, walked.plan, request.output, place);
    const counts: Record<FindingSeverity, number> = { error: 0, warning: 0, info: 0, hint: 0 };
    for (const { severity } of findings) counts[severity]++;
    return {
      root: project.root,
      composition: prepared.graph.entry,
      frames: walked.plan.frames,
      looked,
      durationSeconds: frameTime(walked.plan.frames, walked.plan.fps),
      counts,
      findings: sorted(findings),
      rows: checked,
      sound,
      stills,
      elapsedMs: Math.round(surroundings.now() - startedAt),
      texts: new Map([...prepared.graph.files].map(([file, { text }]) => [file, text])),
    };
  });
}

/** What the checks of the defaults and of rows share. `stills`: where the images of findings are. */
type Run = {
  request: CheckRequest;
  settings: Settings;
  place: RenderPlace;
  pictures: string;
  graph: PreparedRender['graph'];
  stills: Still[];
};

async function checkDefaults(prepared: PreparedRender, run: Run) {
  const { request, place, settings, pictures } = run;
  const progress = reportProgress((event) => {
    if (event.type === 'stage' || event.type === 'warning')
      request.onEvent?.({ type: event.type, message: event.message });
  }, place.session.now);
  emitWarnings(prepared, progress.emit);
  progress.emit({ type: 'stage', stage: 'capture', message: 'Looking at the frames' });
  const walked = await walkPage(prepared, place, {
    limits: settings.limits,
    pictureFolder: request.output === undefined ? undefined : pictures,
    onFrame: (frame, { frames }) => request.onEvent?.({ type: 'frames', done: frame + 1, total: frames }),
    emit: progress.emit,
    signal: place.session.signal,
  });
  const { sound, problems } = await checkSound(walked, place, pictures);
  const all = worstProblems([...walked.problems, ...problems, ...fontProblems(walked)]);
  return { findings: locateAll(all, walked, run, null), walked, sound };
}

function locateAll(
  problems: readonly Problem[],
  { plan, pictures }: Pick<Walked, 'plan' | 'pictures'>,
  run: Run,
  row: number | null,
): CheckFinding[] {
  return problems.flatMap((problem) => {
    const finding = locate(problem, run.graph, run.settings.lint, { fps: plan.fps, row });
    const picture = pictures.get(problem.frame);
    if (finding && picture !== undefined) run.stills.push({ finding, picture });
    return finding ?? [];
  });
}

type RowTask = { index: number; prepared: PreparedRender; walked: Walked; frames: readonly number[] };

type RowResult = { findings: CheckFinding[]; error: string | null; looked: number };

/** A row that cannot be shown has an error, and the others are checked all the same. */
async function checkRow({ index, prepared, walked, frames }: RowTask, run: Run): Promise<RowResult> {
  const { request, place, settings, pictures } = run;
  const folder = join(pictures, `row-${index}`);
  if (request.output !== undefined) await mkdir(folder);
  try {
    const own = await walkPage(prepared, place, {
      limits: settings.limits,
      only: frames,
      pictureFolder: request.output === undefined ? undefined : folder,
      emit: () => undefined,
      signal: place.session.signal,
    });
    const problems = worstProblems([...own.problems, ...compareRow(own, walked), ...fontProblems(own)]);
    return { findings: locateAll(problems, own, run, index), error: null, looked: own.texts.length };
  } catch (error) {
    if (place.session.signal.aborted || !(error instanceof UserError) || isFatal(error)) throw error;
    if (request.output !== undefined) await rm(folder, { recursive: true, force: true });
    return { findings: [], error: rowError(error).message, looked: 0 };
  }
}

const isFatal = ({ code }: UserError): boolean => ['browser_failed', 'disk_full', 'cancelled'].includes(code);

const isSame = (a: CheckFinding, { rule, file, span }: CheckFinding): boolean =>
  a.rule === rule && a.file === file && a.span.start === span.start;

/** What the default values show too does not depend on the row. */
const isOfDefaults = (findings: readonly CheckFinding[], finding: CheckFinding): boolean =>
  findings.some((one) => one.row === null && isSame(one, finding));

/** Rows with the same finding share one. */
function addFinding(findings: CheckFinding[], finding: CheckFinding, row: number): void {
  const known = findings.find((one) => isSame(one, finding));
  if (known) known.rows.push(row);
  else findings.push(finding);
}

const sorted = (findings: CheckFinding[]): CheckFinding[] =>
  findings.sort((a, b) => a.file.localeCompare(b.file) || a.span.start - b.span.start || a.frame - b.frame);

type Settings = { lint: LintSettings; limits: CheckLimits };

/** Throws UserError `config_invalid` and `usage`. */
function readSettings({ files, root }: OpenProject, given: CheckRequest['rules'] = {}): Settings {
  const unknown = Object.keys(given).find((id) => !isCheck(id) && !rules.some((rule) => rule.id === id));
  if (unknown !== undefined) throw new UserError('usage', `Unknown rule "${unknown}"`);
  const text = files.read(configFile) ?? '{}';
  const { settings } = readLintConfig(text);
  const { limits, problems } = readLimits(text);
  const [first] = problems;
  if (first)
    throw new UserError('config_invalid', first.message, { place: { file: join(root, configFile), line: first.line } });
  return { lint: { rules: { ...settings.rules, ...given } }, limits };
}

type GivenRow = { index: number; label: string; prepared: PreparedRender };

/** Throws UserError as a batch does. */
async function rowsOf(request: CheckRequest, project: OpenProject, surroundings: Surroundings): Promise<GivenRow[]> {
  const { rules: _, output: __, onEvent: ___, rows, ...options } = request;
  if (rows === undefined) return [];
  const extremes = rows === 'extremes' ? extremeRowsOf(project) : undefined;
  if (extremes?.length === 0) return [];
  const given = extremes?.map(({ values }) => values) ?? (rows as BatchRequest['rows']);
  // Where no videos or manifests of the project are.
  const output = join(tmpdir(), 'framework-check', '{index}.mp4');
  const batch = await prepareBatch({ ...options, rows: given, output }, { env: surroundings.env, writesVideos: false });
  return batch.requested.flatMap((at) => {
    const row = batch.rows[at];
    const label = row && (extremes?.[row.index]?.name ?? labelOf(row.variables, project));
    return row ? [{ index: row.index, label: label ?? '', prepared: batch.prepare(at) }] : [];
  });
}

/** Variables that sources are bound to name files. */
function extremeRowsOf({ entry }: OpenProject): ExtremeRow[] {
  const sources = new Set(entry.bindings.flatMap(({ kind, id }) => (kind === 'src' ? [id.text] : [])));
  return extremeRows(entry.declarations, (id) => sources.has(id));
}

const longestLabel = 60;

/** The values of a row, as far as its label has room for them. */
function labelOf(values: Readonly<Record<string, unknown>>, { entry }: OpenProject): string {
  const texts = entry.declarations.flatMap(({ id }) => (typeof values[id] === 'string' ? [String(values[id])] : []));
  const label = texts.join(', ');
  return label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;
}

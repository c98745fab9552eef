// Checks what a composition shows and how it sounds: with its default values, and with those of each row.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { isCheck } from '../lint/checkTable.ts';
import type { FindingSeverity } from '../lint/finding.ts';
import { rules } from '../lint/ruleTable.ts';
import { type LintSettings, type RuleLevel, readLintConfig } from '../lint/settings.ts';
import { isSameSize, type Size, sizeText } from '../model/declaredSizes.ts';
import { frameTime } from '../model/frameGrid.ts';
import { configFile } from '../model/projectConfig.ts';
import { type ExtremeRow, extremeRows } from '../plan/extremeRows.ts';
import { checkOptions } from '../plan/options.ts';
import { knownSize } from '../plan/plan.ts';
import { type SizeOptions, videoSize, withoutSize } from '../plan/resolution.ts';
import { prepareBatch } from '../render/batch/batchPlan.ts';
import type { BatchRequest } from '../render/batch/batchTypes.ts';
import { rowError } from '../render/batch/renderBatch.ts';
import { emitWarnings, launch } from '../render/pipeline.ts';
import { openProject, prepareIn, sizesOf } from '../render/prepare.ts';
import { reportProgress } from '../render/progress.ts';
import type { Surroundings } from '../render/session.ts';
import type { OpenProject, PreparedRender, ProgressReporter, RenderPlace, RenderRequest } from '../render/types.ts';
import type { CheckFinding, CheckReport, SoundFacts } from './checkReport.ts';
import { drawStills, type Still } from './findingImages.ts';
import { type Problem, worstProblems } from './findings.ts';
import { fontProblems } from './fontProblems.ts';
import { type CheckLimits, readLimits } from './limits.ts';
import { locate } from './locate.ts';
import { compareRow, framesForRows } from './rowProblems.ts';
import { addRow, addSize, isOfDefaults, sorted } from './sameFindings.ts';
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
  | keyof SizeOptions
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
  /** Looks at each size that the composition declares. */
  allSizes?: boolean;
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
  const sizes = await preparedSizes(request, project, surroundings);
  const [first] = sizes;
  emit({ type: 'stage', message: 'Starting the browser' });
  return launchStage({ gpu: 'auto', ...request, ...surroundings, root: project.root }, async (place) => {
    const { graph } = first.prepared;
    const pictures = await mkdtemp(join(place.session.workspace.folder, 'check-'));
    const run: Run = { request, settings, place, pictures, graph, stills: [], progress: progressOf(request, place) };
    emitWarnings(first.prepared, run.progress.emit);
    const findings: CheckFinding[] = [];
    const checked: CheckedSize[] = [];
    for (const one of sizes) {
      const message = `Looking at the frames${sizes.length > 1 ? ` in ${one.size}` : ''}`;
      run.progress.emit({ type: 'stage', stage: 'capture', message });
      const result = await checkSize(one, run);
      for (const finding of result.findings) addSize(findings, finding);
      checked.push(result);
    }
    const stills =
      request.output === undefined
        ? []
        : await drawStills(run.stills, findings, { folder: request.output, isOneSize: sizes.length === 1 }, place);
    const counts: Record<FindingSeverity, number> = { error: 0, warning: 0, info: 0, hint: 0 };
    for (const { severity } of findings) counts[severity]++;
    const { plan, sound } = checked[0] as CheckedSize;
    return {
      root: project.root,
      composition: graph.entry,
      sizes: sizes.map(({ size }) => size),
      frames: plan.frames,
      looked: checked.reduce((sum, { looked }) => sum + looked, 0),
      durationSeconds: frameTime(plan.frames, plan.fps),
      counts,
      findings: sorted(findings),
      rows: first.rows.map(({ index, label }) => ({
        index,
        label,
        findings: findings.filter(({ rows }) => rows.includes(index)).length,
        error: rowErrorIn(checked, index),
      })),
      sound,
      stills,
      elapsedMs: Math.round(surroundings.now() - startedAt),
      texts: new Map([...graph.files].map(([file, { text }]) => [file, text])),
    };
  });
}

/** What the checks of all sizes and rows share. `stills`: where the images of findings are. */
type Run = {
  request: CheckRequest;
  settings: Settings;
  place: RenderPlace;
  pictures: string;
  graph: PreparedRender['graph'];
  stills: Still[];
  progress: ProgressReporter;
};

/** Hands on what is not about the progress of a render. */
const progressOf = ({ onEvent }: CheckRequest, { session }: RenderPlace): ProgressReporter =>
  reportProgress((event) => {
    if (event.type === 'stage' || event.type === 'warning') onEvent?.({ type: event.type, message: event.message });
  }, session.now);

/** A layout that is looked at, such as `1080x1920`. */
type SizeTask = { size: string; prepared: PreparedRender; rows: GivenRow[] };

/** Everything that can be known before a browser starts. Throws UserError. */
async function preparedSizes(
  request: CheckRequest,
  project: OpenProject,
  surroundings: Surroundings,
): Promise<[SizeTask, ...SizeTask[]]> {
  const own = knownSize(project.size, project.graph.entry);
  const tasks: SizeTask[] = [];
  for (const layout of layoutsOf(request, project, own)) {
    // More pixels and bars change nothing of a layout.
    const sized = { ...withoutSize(request), ...(isSameSize(layout, own) ? {} : layout) };
    tasks.push({
      size: sizeText(layout),
      // Options of a render that a check does not need have their defaults.
      prepared: prepareIn(project, checkOptions({ ...sized, output: 'checked.mp4' }), sized),
      rows: await rowsOf(sized, project, surroundings),
    });
  }
  return tasks as [SizeTask, ...SizeTask[]];
}

/** All sizes, or the layout of a video with the given options. */
function layoutsOf(request: CheckRequest, project: OpenProject, own: Size): Size[] {
  if (request.allSizes) return sizesOf(project, request);
  const { width, height } = videoSize(
    own,
    checkOptions({ ...request, output: 'checked.mp4' }).size,
    project.entry.sizes,
  ).page;
  return [{ width, height }];
}

/** `errors`: those of rows that cannot be shown, by their index. */
type CheckedSize = Pick<Walked, 'plan'> & {
  size: string;
  findings: CheckFinding[];
  looked: number;
  errors: Map<number, string>;
  sound: SoundFacts | null;
};

function rowErrorIn(sizes: readonly CheckedSize[], index: number): string | null {
  const found = sizes.find(({ errors }) => errors.has(index));
  return found ? `${sizes.length > 1 ? `${found.size}: ` : ''}${found.errors.get(index)}` : null;
}

async function checkSize({ size, prepared, rows }: SizeTask, all: Run): Promise<CheckedSize> {
  const run = { ...all, pictures: join(all.pictures, size) };
  await mkdir(run.pictures);
  const { findings, walked, sound } = await checkDefaults(prepared, run);
  const errors = new Map<number, string>();
  let looked = walked.texts.length;
  const frames = framesForRows(walked);
  for (const [done, { index, prepared }] of rows.entries()) {
    run.request.onEvent?.({ type: 'rows', done, total: rows.length });
    const row = await checkRow({ index, prepared, walked, frames }, run);
    looked += row.looked;
    if (row.error !== null) errors.set(index, row.error);
    const own = row.findings.filter((finding) => !isOfDefaults(findings, finding));
    for (const finding of own) addRow(findings, finding, index);
  }
  return { size, plan: walked.plan, findings, looked, errors, sound };
}

async function checkDefaults(prepared: PreparedRender, run: Run) {
  const { request, place, settings, pictures, progress } = run;
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
  const size = { width: plan.width, height: plan.height };
  return problems.flatMap((problem) => {
    const finding = locate(problem, run.graph, run.settings.lint, { fps: plan.fps, row, size: sizeText(size) });
    const picture = pictures.get(problem.frame);
    if (finding && picture !== undefined) run.stills.push({ finding, picture, size });
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
  const { rules: _, output: __, onEvent: ___, allSizes: ____, rows, ...options } = request;
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

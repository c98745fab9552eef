// Everything about a render that is known before a browser starts: the project, its faults, the values and the plan.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { Composition } from '../model/composition.ts';
import { buildGraph, type GraphProblem, type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { resolveTimeline } from '../model/timing.ts';
import { checkValues, type ValueIssue } from '../model/values.ts';
import { draftPlan, type PlanDraft, planWarnings } from '../plan/plan.ts';
import type { ProjectFiles } from '../plan/projectPaths.ts';
import { resolveProject } from '../project/paths.ts';
import type { RenderRequest } from './renderVideo.ts';

/** A project that has been read and found without faults. */
export type OpenProject = {
  root: string;
  graph: ProjectGraph;
  files: ProjectFiles;
  /** The composition that is rendered; its path is the graph's `entry`. */
  entry: Composition;
};

export type PreparedRender = Omit<OpenProject, 'entry'> & {
  draft: PlanDraft;
  issues: ValueIssue[];
  /** What is worth saying beside the issues. */
  warnings: string[];
};

/** Throws UserError for whatever would make the render fail later. */
export async function prepareRender(request: RenderRequest): Promise<PreparedRender> {
  return prepareIn(await openProject(request), request);
}

/** Reads the composition and everything that it embeds. Throws UserError for their faults. */
export async function openProject(request: Pick<RenderRequest, 'projectDir' | 'composition'>): Promise<OpenProject> {
  const { root, composition } = await resolveProject(request.projectDir, request.composition);
  const files = projectFiles(root);
  const graph = buildGraph(composition, files.read);
  refuseFaults(graph, files);
  const entry = graph.files.get(composition);
  if (!entry) throw new Error(`the graph has no ${composition}`);
  return { root, graph, files, entry };
}

/** Checks one render's values and options. Throws UserError. */
export function prepareIn(
  { entry, ...project }: OpenProject,
  request: Omit<RenderRequest, 'projectDir'>,
): PreparedRender {
  const issues = checkValues(entry.declarations, request.variables ?? {});
  if (request.strictVariables && issues.length > 0) throw strictError(issues);
  const facts = {
    width: entry.width?.value ?? null,
    height: entry.height?.value ?? null,
    duration: entry.duration?.value ?? null,
    fps: entry.fps?.raw ?? null,
  };
  const draft = draftPlan(facts, {
    composition: project.graph.entry,
    ...pick(request, ['variables', 'output', 'fps', 'format', 'codec', 'quality', 'hdr', 'resolution']),
  });
  return { ...project, draft, issues, warnings: [...undeclared(project.graph), ...planWarnings(draft)] };
}

/** Declarations that cannot be read declare nothing; a composition's scripts mostly have defaults of their own. */
function undeclared(graph: ProjectGraph): string[] {
  return [...graph.files].flatMap(([file, { variables, text }]) => {
    if (!variables.problem) return [];
    const { message, span } = variables.problem;
    return [`${file}:${lineAndColumn(text, span.start).line}: ${message}. Until then no variable is declared.`];
  });
}

/** Whether there is a file at a path, but only behind a link that leads out of the project folder. */
type LinkedFiles = ProjectFiles & { leadsOut(path: string): boolean };

/** Files inside `root`, also through links, as long as those stay inside. */
function projectFiles(root: string): LinkedFiles {
  const realRoot = realpathSync(root);
  const inside = (path: string): string | undefined => {
    const full = join(root, path);
    if (!existsSync(full)) return undefined;
    const real = realpathSync(full);
    return real.startsWith(join(realRoot, '/')) && statSync(real).isFile() ? real : undefined;
  };
  return {
    exists: (path) => inside(path) !== undefined,
    leadsOut: (path) =>
      inside(path) === undefined && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
    read: (path) => {
      const real = inside(path);
      return real === undefined ? undefined : readFileSync(real, 'utf8');
    },
  };
}

const faultHints: Record<string, string> = {
  missing: 'Correct the path in data-composition-src, or add the file.',
  empty: 'Put a composition into the file: an element with data-composition-id.',
  circular: 'A composition cannot embed itself; take one of the mounts out.',
  outside: 'Embed files of the project folder only.',
  'no-composition': 'Add data-composition-id to the outermost element of the composition.',
};

/** Faults of the embedding, and of what would be read wrongly: the first one, by file and line. */
function refuseFaults(graph: ProjectGraph, files: LinkedFiles): void {
  const [fault] = graph.problems.filter(({ severity }) => severity === 'error');
  if (fault) {
    const { message, hint } = linkFault(graph, fault, files) ?? {
      message: fault.message,
      hint: faultHints[fault.code],
    };
    throw faultError(graph, fault.file, fault.span.start, message, hint);
  }
  for (const [file, composition] of graph.files) {
    const [problem] = composition.problems.filter(
      ({ severity, code }) => severity === 'error' && code !== 'invalid-declarations',
    );
    if (problem) throw faultError(graph, file, problem.span.start, problem.message);
    refuseTiming(graph, file);
  }
}

/** A file that is missing only because a link leads out of the project folder to it. */
function linkFault(graph: ProjectGraph, fault: GraphProblem, files: LinkedFiles) {
  const mount = graph.mounts.find(({ from, host }) => from === fault.file && host.src.span === fault.span);
  const link = referenceCandidates(fault.file, mount?.host.src.text ?? '').find(files.leadsOut);
  if (link === undefined) return undefined;
  return {
    message: `${link} is a link that leads out of the project folder`,
    hint: 'Copy the file into the project folder: nothing outside it is used.',
  };
}

/** Starts that cannot be resolved. Lengths that only the page or a file tells are left to the page. */
function refuseTiming(graph: ProjectGraph, file: string): void {
  const composition = graph.files.get(file);
  const { problems } = resolveTimeline(composition?.clips ?? []);
  const problem = problems.find(({ severity, code }) => severity === 'error' && code !== 'unprobed-duration');
  if (!problem) return;
  throw new UserError('timing_invalid', problem.message, {
    place: { file, ...lineAndColumn(composition?.text ?? '', problem.span.start) },
    hint: 'Correct data-start: seconds, or the id of a clip in the same file whose length is known.',
  });
}

function faultError(graph: ProjectGraph, file: string, offset: number, message: string, hint?: string): UserError {
  const text = graph.files.get(file)?.text ?? '';
  return new UserError('composition_invalid', message, {
    place: { file, ...lineAndColumn(text, offset) },
    ...(hint ? { hint } : {}),
  });
}

function strictError(issues: ValueIssue[]): UserError {
  const list = issues.map(({ message }) => message).join('\n');
  return new UserError('variables_invalid', list, {
    hint: 'Correct the values, or leave out --strict-variables to render with a warning.',
  });
}

/** The keys of `source` that have a value: options that were not given must not appear at all. */
function pick<T extends object, K extends keyof T>(source: T, keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]])) as Pick<
    T,
    K
  >;
}

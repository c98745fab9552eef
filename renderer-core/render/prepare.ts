// Everything about a render that is known before a browser starts: the project, its faults, the values and the plan.
import type { Composition } from '../model/composition.ts';
import { buildGraph, type ProjectGraph } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { checkValues, type ValueIssue } from '../model/values.ts';
import { refuseFaults, refuseIssues } from '../plan/faults.ts';
import { draftPlan, factsOf, type PlanDraft, planWarnings } from '../plan/plan.ts';
import type { ProjectFiles } from '../plan/projectPaths.ts';
import { resolveProject } from '../project/paths.ts';
import { type FilesInside, readInside } from '../project/readInside.ts';
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
  return readProject(root, composition, readInside(root));
}

/** The same for a project whose files are read by `files`, and whose composition is known to be there. */
export function readProject(root: string, composition: string, files: FilesInside): OpenProject {
  const graph = buildGraph(composition, files.read);
  refuseFaults(graph, files.leadsOut);
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
  if (request.strictVariables) refuseIssues(issues);
  const draft = draftPlan(factsOf(entry), {
    composition: project.graph.entry,
    ...pick(request, [
      'variables',
      'output',
      'fps',
      'format',
      'codec',
      'quality',
      'hdr',
      'resolution',
      'width',
      'height',
    ]),
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

/** The keys of `source` that have a value: options that were not given must not appear at all. */
function pick<T extends object, K extends keyof T>(source: T, keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]])) as Pick<
    T,
    K
  >;
}

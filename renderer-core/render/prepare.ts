// Stage 1, prepare: reads the project and checks it, the values and the options, before a browser starts.
import { projectFontSheets } from '../fonts/projectFonts.ts';
import { buildGraph } from '../model/graph.ts';
import { entrySize } from '../plan/entrySize.ts';
import { checkOptions, draftPlan, factsOf, planWarnings } from '../plan/plan.ts';
import { assertValidProject, attributeWarnings } from '../plan/projectErrors.ts';
import { sizeOptionNames } from '../plan/resolution.ts';
import { assertNoValueProblems, findValueProblems } from '../plan/valueProblems.ts';
import { resolveProject } from '../project/findProject.ts';
import { type FilesInside, readInside } from '../project/readInside.ts';
import type { OpenProject, PreparedRender, RenderRequest } from './types.ts';

/** Throws UserError for everything that would make the render fail later and can be known now. */
export async function prepare(request: RenderRequest): Promise<PreparedRender> {
  checkOptions(request);
  return prepareIn(await openProject(request), request);
}

/** Reads the composition and everything that it embeds. Throws UserError if they have errors. */
export async function openProject(request: Pick<RenderRequest, 'projectDir' | 'composition'>): Promise<OpenProject> {
  const { root, composition } = await resolveProject(request.projectDir, request.composition);
  return readProject(root, composition, readInside(root));
}

/** Like `openProject`, with files read by `files`. `composition` must exist. */
export function readProject(root: string, composition: string, files: FilesInside): OpenProject {
  const graph = buildGraph(composition, files.read);
  assertValidProject(graph, files.escapesProject);
  const entry = graph.files.get(composition);
  if (!entry) throw new Error(`the graph has no ${composition}`);
  const size = entrySize(composition, entry, files);
  return { root, graph, files: { ...files, fontSheets: projectFontSheets(files) }, entry, size };
}

/** Checks one render's values and options. Throws UserError. */
export function prepareIn(
  { entry, size, ...project }: OpenProject,
  request: Omit<RenderRequest, 'projectDir'>,
): PreparedRender {
  const valueProblems = findValueProblems(project.graph, request.variables ?? {}, request.variablesSource);
  if (request.strictVariables) assertNoValueProblems(valueProblems);
  const draft = draftPlan(factsOf(entry, size), {
    composition: project.graph.entry,
    ...pickDefined(request, [
      'variables',
      'output',
      'fps',
      'format',
      'codec',
      'quality',
      'hdr',
      'systemFonts',
      'timezone',
      'locale',
      'from',
      'to',
      ...sizeOptionNames,
    ]),
  });
  return { ...project, draft, valueProblems, warnings: [...attributeWarnings(project.graph), ...planWarnings(draft)] };
}

/** The keys of `source` that have a value: options that were not given must not appear at all. */
export function pickDefined<T extends object, K extends keyof T>(source: T, keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]])) as Pick<
    T,
    K
  >;
}

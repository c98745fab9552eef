// Stage 1, prepare: reads the project and checks it, the values and the options, before a browser starts.
import { projectFontSheets } from '../fonts/projectFonts.ts';
import { buildGraph } from '../model/graph.ts';
import { textEncodings } from '../model/text/textEncodings.ts';
import { undeclaredMessage } from '../model/variables/undeclaredMessage.ts';
import { differencesFromPage } from '../plan/differencesFromPage.ts';
import { entrySize } from '../plan/entrySize.ts';
import { checkOptions, draftPlan, factsOf, planWarnings } from '../plan/plan.ts';
import { assertValidProject, attributeWarnings } from '../plan/projectErrors.ts';
import { sizeOptionNames } from '../plan/resolution.ts';
import { assertNoValueProblems, findValueProblems } from '../plan/valueProblems.ts';
import { assertDecodable } from '../project/decodeFile.ts';
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
  const { pages, fallbacks, undeclared, invalid } = textEncodings(graph.files, files);
  assertDecodable(invalid);
  const read = (path: string) => files.read(path, fallbacks.get(path));
  const warnings = undeclared.map(undeclaredMessage);
  const encodings = { page: pages.get(composition) ?? 'utf-8', fallbacks };
  return {
    root,
    graph,
    files: { ...files, read, encodings, fontSheets: projectFontSheets(files) },
    entry,
    size,
    warnings,
  };
}

/** Checks one render's values and options. Throws UserError. */
export function prepareIn(
  { entry, size, warnings, ...project }: OpenProject,
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
  const ofProject = [...warnings, ...attributeWarnings(project.graph), ...planWarnings(draft)];
  const all = [...ofProject, ...differencesFromPage(project.graph, project.files.read)];
  return { ...project, draft, valueProblems, warnings: all };
}

/** The keys of `source` that have a value: options that were not given must not appear at all. */
export function pickDefined<T extends object, K extends keyof T>(source: T, keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]])) as Pick<
    T,
    K
  >;
}

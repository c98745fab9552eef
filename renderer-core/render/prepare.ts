// Stage 1, prepare: reads the project and checks it, the values and the options, before a browser starts.
import { projectFontSheets } from '../fonts/projectFonts.ts';
import { buildGraph } from '../model/graph.ts';
import { textEncodings } from '../model/text/textEncodings.ts';
import { undeclaredMessage } from '../model/variables/undeclaredMessage.ts';
import { differencesFromPage } from '../plan/differencesFromPage.ts';
import { entrySize } from '../plan/entrySize.ts';
import { type CheckedOptions, checkOptions } from '../plan/options.ts';
import { draftPlan, factsOf, planWarnings } from '../plan/plan.ts';
import { assertValidProject, attributeWarnings } from '../plan/projectErrors.ts';
import { assertNoValueProblems, findValueProblems } from '../plan/valueProblems.ts';
import { assertDecodable } from '../project/decodeFile.ts';
import { resolveProject } from '../project/findProject.ts';
import { type FilesInside, readInside } from '../project/readInside.ts';
import type { OpenProject, PreparedRender, RenderRequest } from './types.ts';

/** Throws UserError for everything that would make the render fail later and can be known now. */
export async function prepare(request: RenderRequest): Promise<PreparedRender> {
  const options = checkOptions(request);
  return prepareIn(await openProject(request), options, request);
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

/** The values of a render, and how they are checked. */
export type GivenValues = Pick<RenderRequest, 'variables' | 'variablesSource' | 'strictVariables'>;

/** Checks one render's values. Throws UserError. */
export function prepareIn(
  { entry, size, warnings, ...project }: OpenProject,
  options: CheckedOptions,
  { variables, variablesSource, strictVariables }: GivenValues,
): PreparedRender {
  const { graph, files } = project;
  const valueProblems = findValueProblems(graph, variables ?? {}, variablesSource);
  if (strictVariables) assertNoValueProblems(valueProblems);
  const draft = draftPlan(factsOf(entry, size), options, { composition: graph.entry, variables });
  const ofProject = [...warnings, ...attributeWarnings(graph), ...planWarnings(draft)];
  return { ...project, draft, valueProblems, warnings: [...ofProject, ...differencesFromPage(graph, files.read)] };
}

// Stage 1, prepare: reads the project and checks it, the values and the options, before a browser starts.
import { UserError } from '../errors.ts';
import { projectFontSheets } from '../fonts/projectFonts.ts';
import { attr } from '../model/attributes.ts';
import { allSizes, type Size, sizeText } from '../model/declaredSizes.ts';
import { buildGraph } from '../model/graph.ts';
import { textEncodings } from '../model/text/textEncodings.ts';
import { undeclaredMessage } from '../model/variables/undeclaredMessage.ts';
import { differencesFromPage } from '../plan/differencesFromPage.ts';
import { entrySize } from '../plan/entrySize.ts';
import { type CheckedOptions, checkOptions } from '../plan/options.ts';
import { draftPlan, factsOf, knownSize, planWarnings } from '../plan/plan.ts';
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

/** A project whose composition is laid out in one of its sizes, whatever the options are. */
export const inSize = (project: OpenProject, size: Size): OpenProject => ({
  ...project,
  size,
  entry: { ...project.entry, sizes: [] },
});

/** All sizes of a composition. Throws UserError `usage` if it declares none, or if `options` are about one of them. */
export function sizesOf(
  { entry, graph, size }: OpenProject,
  options: Pick<RenderRequest, 'aspectRatio' | 'width' | 'height'>,
): Size[] {
  const shape = (['aspectRatio', 'width', 'height'] as const).find((name) => options[name] !== undefined);
  if (shape !== undefined) {
    const other = shape === 'aspectRatio' ? 'an aspect ratio' : `a ${shape}`;
    throw new UserError('usage', `All sizes cannot be combined with ${other}`, {
      hint: 'Each size has its own. A render takes --resolution for the pixels of all shorter sides.',
    });
  }
  const own = knownSize(size, graph.entry);
  if (entry.sizes.length > 0) return allSizes(own, entry.sizes);
  const other = own.width === own.height ? '1920x1080' : `${own.height}x${own.width}`;
  throw new UserError('usage', 'The composition declares no sizes', {
    hint: `Add ${attr.sizes}="${sizeText(own)} ${other}" to the root composition element.`,
    place: { file: graph.entry },
  });
}

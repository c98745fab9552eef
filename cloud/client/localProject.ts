import { UserError } from '../../renderer-core/errors.ts';
import { projectFontSheets } from '../../renderer-core/fonts/projectFonts.ts';
import type { Size } from '../../renderer-core/model/declaredSizes.ts';
import { buildGraph, type ProjectGraph } from '../../renderer-core/model/graph.ts';
import { textEncodings } from '../../renderer-core/model/text/textEncodings.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { undeclaredMessage } from '../../renderer-core/model/variables/undeclaredMessage.ts';
import { entrySize } from '../../renderer-core/plan/entrySize.ts';
import { checkOptions } from '../../renderer-core/plan/options.ts';
import { completePlan, draftPlan, factsOf, type PlanDraft } from '../../renderer-core/plan/plan.ts';
import { assertValidProject } from '../../renderer-core/plan/projectErrors.ts';
import { aspectRatioName, type SizeOptions } from '../../renderer-core/plan/resolution.ts';
import {
  assertNoValueProblems,
  findValueProblems,
  locatedMessage,
  type ValuesSource,
} from '../../renderer-core/plan/valueProblems.ts';
import { assertDecodable } from '../../renderer-core/project/decodeFile.ts';
import { resolveProject } from '../../renderer-core/project/findProject.ts';
import { type FilesInside, readInside } from '../../renderer-core/project/readInside.ts';
import { insidePath, listUploadFiles, type UploadFile } from '../../renderer-core/project/uploadFiles.ts';
import { checkArchiveFiles } from './archiveLimits.ts';
import { aspectRatios, type OrderSettings } from './renderRequest.ts';
import { checkRequiredFiles } from './requiredFiles.ts';

export type LocalProject = {
  /** Absolute path. */
  root: string;
  /** The given settings, with the entry composition if it is not index.html, and with the aspect ratio if it is a common one. */
  settings: OrderSettings;
  files: UploadFile[];
  warnings: string[];
};

export type LocalProjectOptions = {
  projectDir: string;
  composition?: string | undefined;
  settings: OrderSettings;
  variablesSource?: ValuesSource | undefined;
  /** The text that the user wrote; the settings contain it as a number. */
  fps?: string | undefined;
  output?: string | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Throws UserError for every error that would make the hosted render fail and that can be detected locally:
 * `composition_not_found`, `composition_invalid`, `timing_invalid`, `no_duration`, `asset_missing`, `variables_invalid`
 * with strict checking, and errors of `listUploadFiles`.
 */
export async function readLocalProject(options: LocalProjectOptions): Promise<LocalProject> {
  const { settings, output, signal } = options;
  const { root, composition } = await resolveProject(options.projectDir, options.composition);
  const inside = readInside(root);
  const graph = buildGraph(composition, inside.read);
  const fontSheets = projectFontSheets(inside);
  assertValidProject(graph, inside.escapesProject);
  const { invalid, undeclared } = textEncodings(graph.files, inside);
  assertDecodable(invalid);
  const { page, warnings } = checkEntry(graph, inside, options);
  const except = output === undefined ? [] : insidePath(root, output);
  const sent = await listUploadFiles(root, { except, ...(signal ? { signal } : {}) });
  checkArchiveFiles(sent.files);
  const paths = new Set(sent.files.map(({ path }) => path));
  const isUploaded = (path: string) => paths.has(path);
  if (!isUploaded(composition)) {
    const reason = sent.whyIgnored(composition) ?? 'is not among the uploaded files';
    throw new UserError('composition_not_found', `The composition ${composition} ${reason}`, {
      hint: 'Move the composition, or change .frameworkignore.',
    });
  }
  const { exists, read } = inside;
  const needed = checkRequiredFiles(
    { graph, fontSheets, isUploaded, exists, read, whyIgnored: sent.whyIgnored },
    settings.variables ?? {},
  );
  return {
    root,
    settings: {
      ...settings,
      ...(composition === 'index.html' ? {} : { composition }),
      ...detectAspectRatio(page, settings),
    },
    files: sent.files,
    warnings: [...undeclared.map(undeclaredMessage), ...warnings, ...sent.warnings, ...needed],
  };
}

/** Checks the values, size and duration of the entry composition as a local render does. */
function checkEntry(graph: ProjectGraph, inside: FilesInside, { settings, variablesSource, fps }: LocalProjectOptions) {
  const entry = graph.files.get(graph.entry);
  if (!entry) throw new Error(`the graph has no ${graph.entry}`);
  const { variables = {}, strict_variables: isStrict, format, quality } = settings;
  const problems = findValueProblems(graph, variables, variablesSource);
  if (isStrict) assertNoValueProblems(problems);
  const options = checkOptions({ ...given({ fps, format, quality }), ...sizeOf(settings) });
  const subject = { composition: graph.entry, variables };
  const draft = draftPlan(factsOf(entry, entrySize(graph.entry, entry, inside)), options, subject);
  refuseNoDuration(draft, graph);
  return { page: draft.page, warnings: problems.map(locatedMessage) };
}

const sizeOf = ({
  resolution,
  width,
  height,
  aspect_ratio: aspectRatio,
  fit,
  background,
}: OrderSettings): SizeOptions => given({ resolution, width, height, aspectRatio, fit, background }) as SizeOptions;

/** The composition's own ratio if the API has a name for it, unless the settings contain another one. */
function detectAspectRatio(page: Size, { aspect_ratio: asked, width, height }: OrderSettings): OrderSettings {
  if (asked !== undefined || (width !== undefined && height !== undefined)) return {};
  const own = aspectRatios.find((name) => name === aspectRatioName(page));
  return own === undefined ? {} : { aspect_ratio: own };
}

/** Scripts, clips and media may define the duration when the page runs. Without any of them, there is none. */
function refuseNoDuration(draft: PlanDraft, graph: ProjectGraph): void {
  const files = [...graph.files.values()];
  const mayDefine = files.some(({ scripts, clips, media }) => scripts.length + clips.length + media.length > 0);
  if (draft.duration !== null || !mayDefine) completePlan(draft);
}

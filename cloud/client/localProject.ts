// A project on this machine, made ready to be sent: its faults, the entry's values and shape, and which files go along.
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UserError } from '../errors.ts';
import { buildGraph, type ProjectGraph } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { checkValues } from '../model/values.ts';
import { refuseFaults, refuseIssues } from '../plan/faults.ts';
import { completePlan, draftPlan, factsOf, type PlanDraft } from '../plan/plan.ts';
import { resolveProject } from '../project/paths.ts';
import { readInside } from '../project/readInside.ts';
import { listSentFiles, type SentFile } from '../project/sentFiles.ts';
import { checkArchiveFiles } from './archiveFiles.ts';
import { aspectRatioOf, detectAspectRatio } from './aspectRatio.ts';
import { checkNeededFiles } from './neededFiles.ts';
import type { OrderSettings } from './order.ts';

export type LocalProject = {
  /** Absolute. */
  root: string;
  /** The order with what the project adds: the entry composition where it is not index.html, and its aspect ratio. */
  settings: OrderSettings;
  files: SentFile[];
  warnings: string[];
};

export type LocalProjectOptions = {
  projectDir: string;
  composition?: string | undefined;
  settings: OrderSettings;
  /** As the user wrote it: the order has a number. */
  fps?: string | undefined;
  output?: string | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Throws UserError for whatever would make the render fail there and can be known here: `composition_not_found`,
 * `composition_invalid`, `timing_invalid`, `no_duration`, `asset_missing`, `variables_invalid` with strict checking, and
 * what listing the files throws.
 */
export async function readLocalProject(options: LocalProjectOptions): Promise<LocalProject> {
  const { settings, output, signal } = options;
  const { root, composition } = await resolveProject(options.projectDir, options.composition);
  const inside = readInside(root);
  const graph = buildGraph(composition, inside.read);
  refuseFaults(graph, inside.leadsOut);
  const { size, warnings } = checkEntry(graph, options);
  const except = output === undefined ? [] : insidePath(root, output);
  const sent = await listSentFiles(root, { except, ...(signal ? { signal } : {}) });
  checkArchiveFiles(sent.files);
  const paths = new Set(sent.files.map(({ path }) => path));
  const isSent = (path: string) => paths.has(path);
  if (!isSent(composition)) {
    const why = sent.whyIgnored(composition) ?? 'is not among the files that are sent';
    throw new UserError('composition_not_found', `The composition ${composition} ${why}`, {
      hint: 'Move it, or change .frameworkignore.',
    });
  }
  const { exists, read } = inside;
  const needed = checkNeededFiles(
    { graph, isSent, exists, read, whyIgnored: sent.whyIgnored },
    settings.variables ?? {},
  );
  return {
    root,
    settings: {
      ...settings,
      ...(composition === 'index.html' ? {} : { composition }),
      aspect_ratio: settings.aspect_ratio ?? detectAspectRatio(composition, size.width, size.height),
    },
    files: sent.files,
    warnings: [...warnings, ...sent.warnings, ...needed],
  };
}

/** The entry's values, size and length, checked as a render here would. */
function checkEntry(graph: ProjectGraph, { settings, fps }: LocalProjectOptions) {
  const entry = graph.files.get(graph.entry);
  if (!entry) throw new Error(`the graph has no ${graph.entry}`);
  const { variables = {}, strict_variables: isStrict, format, quality } = settings;
  const issues = checkValues(entry.declarations, variables);
  if (isStrict) refuseIssues(issues);
  const draft = draftPlan(factsOf(entry), {
    composition: graph.entry,
    variables,
    ...(fps === undefined ? {} : { fps }),
    ...(format === undefined ? {} : { format }),
    ...(quality === undefined ? {} : { quality }),
  });
  refuseEndless(draft, graph);
  const asked = settings.aspect_ratio;
  const own = aspectRatioOf(draft.width, draft.height);
  const warnings = [
    ...undeclared(graph),
    ...issues.map(({ message }) => message),
    ...(asked !== undefined && asked !== own
      ? [`${graph.entry} is ${draft.width}x${draft.height}, and will be rendered at ${asked}`]
      : []),
  ];
  return { size: { width: draft.width, height: draft.height }, warnings };
}

/** A length that only the page can tell is left to it; without scripts, clips and media there is nothing to tell one. */
function refuseEndless(draft: PlanDraft, graph: ProjectGraph): void {
  const files = [...graph.files.values()];
  const canTell = files.some(({ scripts, clips, media }) => scripts.length + clips.length + media.length > 0);
  if (draft.duration !== null || !canTell) completePlan(draft);
}

/** Declarations that cannot be read declare nothing. */
function undeclared(graph: ProjectGraph): string[] {
  return [...graph.files].flatMap(([file, { variables, text }]) => {
    if (!variables.problem) return [];
    const { message, span } = variables.problem;
    return [`${file}:${lineAndColumn(text, span.start).line}: ${message}. Until then no variable is declared.`];
  });
}

/** The project-relative path of a file that lies in the project folder. */
function insidePath(root: string, file: string): string[] {
  const path = relative(realpathSync(root), resolve(file));
  return path === '' || path.startsWith('..') || isAbsolute(path) ? [] : [path.split(sep).join('/')];
}

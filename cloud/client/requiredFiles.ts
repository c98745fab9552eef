// Checks that the files that a composition references are uploaded.
import { UserError } from '../../renderer-core/errors.ts';
import { isLoadable, linkRels } from '../../renderer-core/model/assets.ts';
import { attr } from '../../renderer-core/model/attributes.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import { type ProjectGraph, referenceBase, referenceCandidates } from '../../renderer-core/model/graph.ts';
import { type ProjectInstance, projectInstances } from '../../renderer-core/model/projectInstances.ts';
import { sourceUse } from '../../renderer-core/model/sourceElements.ts';
import { findCssUrls } from '../../renderer-core/model/text/cssUrls.ts';
import { encodePath } from '../../renderer-core/model/text/percentText.ts';
import { lineAndColumn } from '../../renderer-core/model/text/spans.ts';
import { isPlaceholder } from '../../renderer-core/model/variables/placeholders.ts';
import type { ErrorProblem } from '../../renderer-core/reports/errorJson.ts';

export type UploadedProject = {
  graph: ProjectGraph;
  /** The style sheets with the fonts of the project, which all of its pages load. */
  fontSheets: readonly string[];
  isUploaded(path: string): boolean;
  /** Whether a local render would find the file. */
  exists(path: string): boolean;
  read(path: string): string | undefined;
  whyIgnored(path: string): string | undefined;
};

/** `isCertain`: the page always loads the file. `base`: what the reference is relative to. */
type FileReference = {
  from: string;
  base: string;
  line?: number;
  column?: number;
  reference: string;
  isCertain: boolean;
};

/**
 * Returns warnings about referenced files that are not uploaded. Throws UserError `asset_missing`, listing all files that
 * the page always loads and that do not exist.
 */
export function checkRequiredFiles(project: UploadedProject, variables: Readonly<Record<string, unknown>>): string[] {
  const warnings: string[] = [];
  const missing: ErrorProblem[] = [];
  for (const { from, base, line, column, reference, isCertain } of fileReferences(project, variables)) {
    const candidates = referenceCandidates(base, reference);
    if (candidates.length === 0 || candidates.some(project.isUploaded)) continue;
    const where = line === undefined ? from : `${from}:${line}`;
    const local = candidates.find(project.exists);
    if (local !== undefined) {
      const reason = project.whyIgnored(local) ?? 'is not among the uploaded files';
      warnings.push(`${where} references ${local}, which ${reason}, so it is not uploaded. ${fixFor(local)}`);
    } else if (isCertain) {
      const place = { file: from, ...(line === undefined || column === undefined ? {} : { line, column }) };
      missing.push({ message: `The file ${candidates[0]} does not exist`, place });
    } else warnings.push(`${where} references ${candidates[0]}, which does not exist`);
  }
  if (missing.length > 0) throw missingError(missing);
  return [...new Set(warnings)];
}

function fixFor(path: string): string {
  if (/(?:^|\/)\./.test(path)) return 'Rename it so that no part of its path starts with a dot.';
  return 'Copy it to another folder, or include it in .frameworkignore with a pattern that starts with "!".';
}

function missingError(missing: ErrorProblem[]): UserError {
  const [first] = missing;
  const more = missing.slice(1).map(({ message, place }) => `${place?.file}:${place?.line}: ${message}`);
  return new UserError('asset_missing', [first?.message ?? '', ...more].join('\n'), {
    hint: 'Add the file to the project folder, or correct the path. Without it, the render would fail.',
    problems: missing,
    ...(first?.place ? { place: first.place } : {}),
  });
}

function* fileReferences(
  project: UploadedProject,
  variables: Readonly<Record<string, unknown>>,
): Generator<FileReference> {
  const { graph } = project;
  for (const [from, composition] of graph.files) {
    const at = (offset: number) => lineAndColumn(composition.text, offset);
    const baseAt = (offset: number) => referenceBase(from, composition, offset);
    for (const { element, url, span, attribute } of composition.assetReferences) {
      // A variable or another program replaces the URL before the page loads it.
      if (element.attributes.has(attr.varSrc) || isPlaceholder(url)) continue;
      const use = sourceUse(element);
      if (use === 'never') continue;
      if (element.tag === 'link' && !linkRels(element).includes('stylesheet')) continue;
      // A style that no element uses does not load its files.
      const isCertain = use === 'always' && attribute !== null && attribute !== 'style' && attribute !== 'srcset';
      yield { from, base: baseAt(span.start), ...at(span.start), reference: url, isCertain };
    }
    const linked = composition.stylesheets.map(({ href }) =>
      referenceCandidates(baseAt(href.span.start), href.text).find(project.exists),
    );
    for (const sheet of linked) if (sheet !== undefined) yield* stylesheetReferences(project, sheet);
  }
  for (const sheet of project.fontSheets) {
    yield { from: graph.entry, base: graph.entry, reference: `/${encodePath(sheet)}`, isCertain: true };
    yield* stylesheetReferences(project, sheet);
  }
  for (const { file, composition, values } of projectInstances(graph, variables)) {
    const base = referenceBase(file, composition);
    for (const reference of boundSources(composition, values)) yield { from: file, base, reference, isCertain: false };
  }
  for (const { from, host, target } of graph.mounts) {
    const embedding = graph.files.get(from);
    const { start } = host.src.span;
    const place = lineAndColumn(embedding?.text ?? '', start);
    const base = referenceBase(from, embedding ?? { base: null }, start);
    if (target !== null) yield { from, base, ...place, reference: host.src.text, isCertain: false };
  }
}

/** Files that variables assign to elements. */
function boundSources({ bindings }: Composition, values: ProjectInstance['values']): string[] {
  return bindings.flatMap(({ kind, id }) => {
    const source = kind === 'src' ? values[id.text] : undefined;
    return typeof source === 'string' && isLoadable(source.trim()) ? [source] : [];
  });
}

function* stylesheetReferences(project: UploadedProject, sheet: string): Generator<FileReference> {
  const css = project.read(sheet) ?? '';
  for (const { url, span } of findCssUrls(css)) {
    // A file that does not exist locally is missing in a local render too, so it is not reported here.
    const exists = referenceCandidates(sheet, url).some(project.exists);
    if (isLoadable(url) && exists) {
      yield { from: sheet, base: sheet, ...lineAndColumn(css, span.start), reference: url, isCertain: false };
    }
  }
}

// The files that a composition names, and which of them would not be there where it is rendered.
import type { ErrorProblem } from '../errors.ts';
import { UserError } from '../errors.ts';
import { isLoadable, linkRels } from '../model/assets.ts';
import { attr } from '../model/attributes.ts';
import type { Composition } from '../model/composition.ts';
import { findCssUrls } from '../model/cssUrls.ts';
import { type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { isPlaceholder } from '../model/placeholders.ts';
import { lineAndColumn } from '../model/spans.ts';

/** The project as it is here, and what of it is sent. */
export type SentProject = {
  graph: ProjectGraph;
  isSent(path: string): boolean;
  /** Whether the page can be shown it here. */
  exists(path: string): boolean;
  read(path: string): string | undefined;
  whyIgnored(path: string): string | undefined;
};

/** `isCertain`: the page asks for it whatever happens. */
type Need = { from: string; line?: number; column?: number; reference: string; isCertain: boolean };

/**
 * Sentences about needed files that stay here although they exist. Throws UserError `asset_missing`, with all of them, for
 * files that the page certainly asks for and that are nowhere.
 */
export function checkNeededFiles(project: SentProject, variables: Readonly<Record<string, unknown>>): string[] {
  const warnings: string[] = [];
  const missing: ErrorProblem[] = [];
  for (const need of neededFiles(project, variables)) {
    const { from, line, column, reference } = need;
    const candidates = referenceCandidates(from, reference);
    if (candidates.length === 0 || candidates.some(project.isSent)) continue;
    const where = line === undefined ? from : `${from}:${line}`;
    const here = candidates.find(project.exists);
    if (here !== undefined) {
      const why = project.whyIgnored(here) ?? 'is not among the files that are sent';
      warnings.push(`${where} needs ${here}, which ${why}: the service will not have it. ${wayOut(here)}`);
    } else if (need.isCertain) {
      const place = { file: from, ...(line === undefined || column === undefined ? {} : { line, column }) };
      missing.push({ message: `The file ${candidates[0]} does not exist`, place });
    } else warnings.push(`${where} names ${candidates[0]}, which does not exist`);
  }
  if (missing.length > 0) throw missingError(missing);
  return [...new Set(warnings)];
}

function wayOut(path: string): string {
  if (/(?:^|\/)\./.test(path)) return 'Give it a name without a dot in front.';
  return 'Copy it into another folder, or take it back in .frameworkignore with a pattern that begins with "!".';
}

function missingError(missing: ErrorProblem[]): UserError {
  const [first] = missing;
  const more = missing.slice(1).map(({ message, place }) => `${place?.file}:${place?.line}: ${message}`);
  return new UserError('asset_missing', [first?.message ?? '', ...more].join('\n'), {
    hint: 'Add the file to the project folder, or correct the path that names it: the render would fail.',
    problems: missing,
    ...(first?.place ? { place: first.place } : {}),
  });
}

function* neededFiles(project: SentProject, variables: Readonly<Record<string, unknown>>): Generator<Need> {
  const { graph } = project;
  for (const [from, composition] of graph.files) {
    const at = (offset: number) => lineAndColumn(composition.text, offset);
    for (const { element, url, span, attribute } of composition.assetReferences) {
      // A variable, or another program, puts another file there before it is needed.
      if (element.attributes.has(attr.varSrc) || isPlaceholder(url)) continue;
      if (element.tag === 'link' && !linkRels(element).includes('stylesheet')) continue;
      // A style that nothing uses may name a file that is not there.
      const isCertain = attribute !== null && attribute !== 'style' && attribute !== 'srcset';
      yield { from, ...at(span.start), reference: url, isCertain };
    }
    for (const reference of boundSources(composition, from === graph.entry ? variables : {})) {
      yield { from, reference, isCertain: false };
    }
    yield* styleSheetNeeds(project, from, composition);
  }
  for (const { from, host, target } of graph.mounts) {
    const place = lineAndColumn(graph.files.get(from)?.text ?? '', host.src.span.start);
    if (target !== null) yield { from, ...place, reference: host.src.text, isCertain: false };
  }
}

/** Files that variables put into elements: the given values, else the declared defaults. */
function boundSources(composition: Composition, given: Readonly<Record<string, unknown>>): string[] {
  const ids = new Set(composition.bindings.filter(({ kind }) => kind === 'src').map(({ id }) => id.text));
  return composition.declarations.flatMap(({ id, default: value }) => {
    const source = Object.hasOwn(given, id) ? given[id] : value;
    return ids.has(id) && typeof source === 'string' && isLoadable(source.trim()) ? [source] : [];
  });
}

function* styleSheetNeeds(project: SentProject, from: string, composition: Composition): Generator<Need> {
  for (const { href } of composition.stylesheets) {
    const sheet = referenceCandidates(from, href.text).find(project.exists);
    const css = sheet === undefined ? undefined : project.read(sheet);
    if (sheet === undefined || css === undefined) continue;
    for (const { url, span } of findCssUrls(css)) {
      // In a style sheet, what is missing here is missing in every render; only what stays here is news.
      const isHere = referenceCandidates(sheet, url).some(project.exists);
      if (isLoadable(url) && isHere) {
        yield { from: sheet, ...lineAndColumn(css, span.start), reference: url, isCertain: false };
      }
    }
  }
}

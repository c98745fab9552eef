// Rules for embedded files: missing files, files without a composition, cycles, and duplicate ids.
import { attr } from '../../model/attributes.ts';
import { referenceBase, referenceCandidates } from '../../model/graph.ts';
import type { Host } from '../../model/instances.ts';
import type { RuleContext, RuleFinding } from '../context.ts';
import { pathFixes, replaceText, similarPaths } from '../pathSuggestions.ts';

/** Hosts whose file does not exist. */
export function missingCompositions(context: RuleContext): RuleFinding[] {
  const { composition, project, path } = context;
  return composition.hosts.flatMap((host) => {
    const { src } = host;
    if (src.text === '')
      return [{ message: `${attr.compositionSrc} must be the path of a file (got an empty value)`, span: src.span }];
    if (project.target(path, src.text) !== null) return [];
    const base = referenceBase(path, composition, src.span.start);
    const candidates = referenceCandidates(base, src.text);
    if (candidates.length === 0)
      return [{ message: `"${src.text}" is not a file inside the project folder`, span: src.span }];
    // The file exists but is not HTML (another rule), or the files of the project are unknown.
    if (candidates.some((candidate) => project.exists(candidate) !== false)) return [];
    const wanted = candidates[0] ?? src.text;
    const similar = similarPaths(wanted, project.files()).filter((file) => file !== path);
    const fixes = pathFixes(context, base, src.text, similar, replaceText(context, src.span));
    const [near] = similar;
    const hint = near ? `; did you mean ${near}?` : '';
    return [{ message: `${src.text} does not exist${hint}`, span: src.span, fixes }];
  });
}

/** Hosts whose file contains no composition. */
export function notCompositions({ composition, project, path }: RuleContext): RuleFinding[] {
  return composition.hosts.flatMap(({ src }) => {
    if (src.text === '') return [];
    const target = project.target(path, src.text);
    if (target === null) {
      const base = referenceBase(path, composition, src.span.start);
      const other = referenceCandidates(base, src.text).find((candidate) => project.exists(candidate) === true);
      return other ? [{ message: `${other} is not an HTML file`, span: src.span }] : [];
    }
    if (project.composition(target)?.root) return [];
    const message = `${target} contains no composition: it is empty, or no element has ${attr.compositionId}`;
    return [{ message, span: src.span }];
  });
}

/** Hosts that embed this file again, directly or through other files. */
export function circularCompositions(context: RuleContext): RuleFinding[] {
  const { composition, path, project } = context;
  return composition.hosts.flatMap((host) => {
    const cycle = pathBack(context, host);
    if (!cycle) return [];
    const related = cycle.slice(0, -1).flatMap((file, index) => {
      const next = project
        .composition(file)
        ?.hosts.find((each) => project.target(file, each.src.text) === (cycle[index + 1] ?? path));
      return next ? [{ file, span: next.src.span, message: `${file} embeds ${cycle[index + 1] ?? path}` }] : [];
    });
    return [{ message: `${path} embeds itself: ${[path, ...cycle].join(' → ')}`, span: host.src.span, related }];
  });
}

/** The files from a host's target back to this file, inclusive; undefined if the target does not embed this file. */
function pathBack({ project, path }: RuleContext, host: Host): string[] | undefined {
  const first = project.target(path, host.src.text);
  if (first === null) return undefined;
  const cameFrom = new Map<string, string | null>([[first, null]]);
  // The loop adds to the queue.
  for (const file of cameFrom.keys()) {
    if (file === path) return pathTo(file, cameFrom);
    for (const { src } of project.composition(file)?.hosts ?? []) {
      const next = project.target(file, src.text);
      if (next !== null && !cameFrom.has(next)) cameFrom.set(next, file);
    }
  }
  return undefined;
}

function pathTo(file: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const files: string[] = [];
  for (let at: string | null = file; at !== null; at = cameFrom.get(at) ?? null) files.unshift(at);
  return files;
}

/** Compositions with the same id in one file. Timelines are registered by id, so they would share one. */
export function duplicateCompositionIds(context: RuleContext): RuleFinding[] {
  const { composition, path } = context;
  const first = new Map<string, { start: number; end: number }>();
  if (composition.id) first.set(composition.id.text, composition.id.span);
  return composition.inlineCompositions.flatMap(({ id }) => {
    const other = first.get(id.text);
    if (!other) first.set(id.text, id.span);
    if (!other || id.text === '') return [];
    const related = [{ file: path, span: other, message: 'The first composition with this id' }];
    return [{ message: `Two compositions in this file have the id "${id.text}"`, span: id.span, related }];
  });
}

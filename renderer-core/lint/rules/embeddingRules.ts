// Rules for what a file embeds: composition files that are missing, hold no composition, or lead back here.
import { attr } from '../model/attributes.ts';
import { referenceCandidates } from '../model/graph.ts';
import type { Host } from '../model/instances.ts';
import { isPlaceholder } from '../model/placeholders.ts';
import type { Found, RuleContext } from './context.ts';
import { nearestPath, replaceReference } from './paths.ts';

/** A source that no file of the project answers. */
export function missingCompositions(context: RuleContext): Found[] {
  const { composition, project, path } = context;
  return composition.hosts.flatMap((host) => {
    const { src } = host;
    if (src.text === '')
      return [{ message: `${attr.compositionSrc} is empty; it must be the path of a file`, span: src.span }];
    if (project.target(path, src.text) !== null || isPlaceholder(src.text)) return [];
    const candidates = referenceCandidates(path, src.text);
    if (candidates.length === 0)
      return [{ message: `"${src.text}" is not a file inside the project folder`, span: src.span }];
    // A file that is there and is no HTML file; or nobody knows which files there are.
    if (candidates.some((candidate) => project.exists(candidate) !== false)) return [];
    const wanted = candidates[0] ?? src.text;
    const found = nearestPath(wanted, project.files());
    const near = found === path ? undefined : found;
    const fixes = near ? [replaceReference(context, src.span, src.text, near)] : [];
    const hint = near ? `; did you mean ${near}?` : '';
    return [{ message: `${src.text} does not exist${hint}`, span: src.span, fixes }];
  });
}

/** A source that is there, but that nothing can be embedded from. */
export function notCompositions({ composition, project, path }: RuleContext): Found[] {
  return composition.hosts.flatMap(({ src }) => {
    if (src.text === '') return [];
    const target = project.target(path, src.text);
    if (target === null) {
      const other = referenceCandidates(path, src.text).find((candidate) => project.exists(candidate) === true);
      return other ? [{ message: `${other} is not an HTML file`, span: src.span }] : [];
    }
    if (project.composition(target)?.root) return [];
    const message = `${target} holds no composition: it is empty, or no element in it has ${attr.compositionId}`;
    return [{ message, span: src.span }];
  });
}

/** A source that embeds this file again, directly or by way of others. */
export function circularCompositions(context: RuleContext): Found[] {
  const { composition, path, project } = context;
  return composition.hosts.flatMap((host) => {
    const way = wayBack(context, host);
    if (!way) return [];
    const related = way.slice(0, -1).flatMap((file, index) => {
      const next = project
        .composition(file)
        ?.hosts.find((each) => project.target(file, each.src.text) === (way[index + 1] ?? path));
      return next ? [{ file, span: next.src.span, message: `${file} embeds ${way[index + 1] ?? path}` }] : [];
    });
    return [{ message: `${path} embeds itself: ${[path, ...way].join(' → ')}`, span: host.src.span, related }];
  });
}

/** The files from a host's target back to this file, this one included; undefined where no way leads back. */
function wayBack({ project, path }: RuleContext, host: Host): string[] | undefined {
  const first = project.target(path, host.src.text);
  if (first === null) return undefined;
  const cameFrom = new Map<string, string | null>([[first, null]]);
  // The queue grows while it is walked.
  for (const file of cameFrom.keys()) {
    if (file === path) return wayTo(file, cameFrom);
    for (const { src } of project.composition(file)?.hosts ?? []) {
      const next = project.target(file, src.text);
      if (next !== null && !cameFrom.has(next)) cameFrom.set(next, file);
    }
  }
  return undefined;
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const way: string[] = [];
  for (let at: string | null = file; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
  return way;
}

/** Several compositions of one file under one id: timelines are registered by id, so they would share one. */
export function duplicateCompositionIds(context: RuleContext): Found[] {
  const { composition, path } = context;
  const first = new Map<string, { start: number; end: number }>();
  if (composition.id) first.set(composition.id.text, composition.id.span);
  return composition.inlineCompositions.flatMap(({ id }) => {
    const other = first.get(id.text);
    if (!other) first.set(id.text, id.span);
    if (!other || id.text === '') return [];
    const related = [{ file: path, span: other, message: 'The first composition with this id' }];
    return [{ message: `Two compositions of this file are called "${id.text}"`, span: id.span, related }];
  });
}

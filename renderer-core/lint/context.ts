// What a rule is given: one composition file, its project, and what several rules would else work out each for itself.
import type { Clip } from '../model/clips.ts';
import type { Composition } from '../model/composition.ts';
import type { Host, InlineComposition, InstanceValues } from '../model/instances.ts';
import type { Span } from '../model/spans.ts';
import { indexById, resolveTimeline, type Timeline } from '../model/timing.ts';
import { type VariableReads, variableReads } from '../model/variableReads.ts';
import type { FindingSeverity, Fix, RelatedPlace, TextEdit } from './finding.ts';
import type { Project } from './project.ts';

/** What a rule finds. `severity` is given only where it is not the rule's own. */
export type Found = {
  message: string;
  span: Span;
  severity?: FindingSeverity;
  related?: readonly RelatedPlace[];
  fixes?: readonly Fix[];
  isUnnecessary?: boolean;
};

/** Values for an instance of a composition, and the composition whose declarations they must fit. */
export type Instance = { values: InstanceValues; target: { path: string; composition: Composition } };

export type RuleContext = {
  project: Project;
  path: string;
  text: string;
  composition: Composition;
  /** Each is worked out when it is first asked for. */
  reads(): VariableReads;
  timeline(): Timeline;
  instances(): readonly Instance[];
  /** Clips by each of the names that a start can call them by, in document order. */
  clipsById(): ReadonlyMap<string, readonly Clip[]>;
};

export function createContext(project: Project, path: string, composition: Composition): RuleContext {
  return {
    project,
    path,
    text: composition.text,
    composition,
    reads: once(() => variableReads(composition)),
    timeline: once(() => resolveTimeline(composition.clips, naturalDuration(project, path, composition))),
    instances: once(() => findInstances(project, path, composition)),
    clipsById: once(() => indexById(composition.clips)),
  };
}

/** The file that a host embeds; undefined when there is none or it is no composition. */
export function targetOf(project: Project, path: string, host: Host): Instance['target'] | undefined {
  const target = project.target(path, host.src.text);
  const composition = target === null ? undefined : project.composition(target);
  return target === null || !composition?.root ? undefined : { path: target, composition };
}

/** A fix of the file that is looked at. */
export function fixHere({ path }: RuleContext, title: string, edits: readonly TextEdit[], isSafe = false): Fix {
  return { title, edits: [{ file: path, edits }], isSafe };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function findInstances(project: Project, path: string, composition: Composition): Instance[] {
  const own = { path, composition };
  const instances = (elements: readonly (Host | InlineComposition)[]): Instance[] =>
    elements.flatMap((element) => {
      const target = 'src' in element ? targetOf(project, path, element) : own;
      return element.values && target ? [{ values: element.values, target }] : [];
    });
  return [...instances(composition.hosts), ...instances(composition.inlineCompositions)];
}

/** A host without a duration lasts as long as what it embeds. */
function naturalDuration(project: Project, path: string, { hosts }: Composition): (clip: Clip) => number | undefined {
  const byClip = new Map(hosts.map((host) => [host.clip, host]));
  return (clip) => {
    const host = byClip.get(clip);
    return (host && targetOf(project, path, host)?.composition.duration?.value) ?? undefined;
  };
}

// The context of a rule: one composition file, its project, and results that several rules share.
import type { Clip } from '../model/clips.ts';
import type { Composition } from '../model/composition.ts';
import type { Host, InlineComposition, InstanceValues } from '../model/instances.ts';
import type { Span } from '../model/text/spans.ts';
import { indexById, resolveTimeline, type Timeline } from '../model/timing.ts';
import { type VariableReads, variableReads } from '../model/variables/variableReads.ts';
import type { FindingSeverity, Fix, RelatedInformation, TextEdit } from './finding.ts';
import { misplacedIds } from './misplacedDeclarations.ts';
import type { Project } from './project.ts';

/** A finding of a rule. `severity` is set only if it differs from that of the rule. */
export type RuleFinding = {
  message: string;
  span: Span;
  severity?: FindingSeverity;
  related?: readonly RelatedInformation[];
  fixes?: readonly Fix[];
  isUnnecessary?: boolean;
  /** It is right even if there is a placeholder of a template engine in its span. */
  isCertain?: boolean;
  fonts?: readonly string[];
};

/** The values of an instance, and the composition that declares its variables. */
export type Instance = { values: InstanceValues; target: { path: string; composition: Composition } };

export type RuleContext = {
  project: Project;
  path: string;
  text: string;
  composition: Composition;
  /** The following are computed on first use. */
  reads(): VariableReads;
  /** The variables of declarations on the wrong element; `unknown` if their JSON is invalid. */
  misplacedIds(): ReadonlySet<string> | 'unknown';
  timeline(): Timeline;
  instances(): readonly Instance[];
  /** Clips by each of their ids, in document order. */
  clipsById(): ReadonlyMap<string, readonly Clip[]>;
};

export function createContext(project: Project, path: string, composition: Composition): RuleContext {
  return {
    project,
    path,
    text: composition.text,
    composition,
    reads: once(() => variableReads(composition)),
    misplacedIds: once(() => misplacedIds(composition)),
    timeline: once(() => resolveTimeline(composition.clips, naturalDuration(project, path, composition))),
    instances: once(() => findInstances(project, path, composition)),
    clipsById: once(() => indexById(composition.clips)),
  };
}

/** The composition that a host embeds; undefined if there is none. */
export function targetOf(project: Project, path: string, host: Host): Instance['target'] | undefined {
  const target = project.target(path, host.src.text);
  const composition = target === null ? undefined : project.composition(target);
  return target === null || !composition?.root ? undefined : { path: target, composition };
}

/** Creates a fix that edits only the current file. */
export function fixInFile({ path }: RuleContext, title: string, edits: readonly TextEdit[], isSafe = false): Fix {
  return { title, edits: [{ file: path, edits }], isSafe };
}

/** A fix for the most likely of several intentions, such as the known name that is most similar to a misspelled one. */
export function likelyFix(context: RuleContext, title: string, edits: readonly TextEdit[]): Fix {
  return { ...fixInFile(context, title, edits), isPreferred: true };
}

/** A function that computes its result on the first call. */
export function once<T>(compute: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
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

/** A host without a duration has the duration of the embedded composition. */
function naturalDuration(project: Project, path: string, { hosts }: Composition): (clip: Clip) => number | undefined {
  const byClip = new Map(hosts.map((host) => [host.clip, host]));
  return (clip) => {
    const host = byClip.get(clip);
    return (host && targetOf(project, path, host)?.composition.duration?.value) ?? undefined;
  };
}

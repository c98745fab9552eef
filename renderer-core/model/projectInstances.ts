// The instances of a project's files: the entry, and each mount with the values that reach it.
import type { Composition } from './composition.ts';
import type { ProjectGraph } from './graph.ts';
import { instanceValues } from './variables/passedValues.ts';
import { mergeValues } from './variables/values.ts';

/** A file with the values of its variables. */
export type ProjectInstance = { file: string; composition: Composition; values: Readonly<Record<string, unknown>> };

/**
 * Every instance when the entry has the given values, embedding files before embedded ones. Mounts of a file with equal values
 * are listed once, because a project can mount a file very often.
 */
export function projectInstances(graph: ProjectGraph, given: Readonly<Record<string, unknown>>): ProjectInstance[] {
  const targets = new Map(graph.mounts.map(({ host, target }) => [host, target]));
  const instances: ProjectInstance[] = [];
  const seen = new Set<string>();
  const add = (file: string, composition: Composition, values: ProjectInstance['values']): void => {
    const key = `${file}\n${JSON.stringify(values)}`;
    if (!seen.has(key)) instances.push({ file, composition, values });
    seen.add(key);
  };
  const entry = graph.files.get(graph.entry);
  if (entry) add(graph.entry, entry, mergeValues(entry.declarations, given));
  // The loop adds to the list.
  for (const { composition, values } of instances) {
    for (const host of composition.hosts) {
      const target = targets.get(host);
      const embedded = target ? graph.files.get(target) : undefined;
      if (!target || !embedded) continue;
      add(target, embedded, instanceValues(embedded.declarations, host.values?.values ?? {}, values).values);
    }
  }
  return instances;
}

// The values that a script sets on a host before the scripts of its mount run.
import { attr } from '../../../model/attributes.ts';
import { instanceValues, unresolvedMessage } from '../../../model/variables/passedValues.ts';
import { checkValues, inFile } from '../../../model/variables/values.ts';
import type { HostValueProblem, InstanceConfig } from '../page.ts';
import { findMount, type HostValues, type MountConnection } from '../scope.ts';

/** `show` is called with the element of a mount and the variables that have changed. Changes the values of the instances. */
export function createHostValues(
  document: Document,
  instances: readonly InstanceConfig[],
  show: MountConnection['show'],
): HostValues {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const settled = new Set<string>();
  const changed = new Set<string>();
  const problems: HostValueProblem[] = [];

  const settle = (id: string): void => {
    const instance = byId.get(id);
    const mount = findMount(document, id);
    if (!instance?.host || !mount || settled.has(id)) return;
    settled.add(id);
    const { host } = instance;
    settle(host.embedding);
    const text = mount.getAttribute(attr.variableValues) ?? '';
    if (text === host.given && !changed.has(host.embedding)) return;
    changed.add(id);
    const given = parseValues(text);
    if (typeof given === 'string') problems.push({ message: given, place: host.place, isMalformed: true });
    const embedding = byId.get(host.embedding)?.values ?? {};
    const found = instanceValues(host.declarations, typeof given === 'string' ? {} : given, embedding);
    const { place } = host;
    for (const one of found.unresolved) problems.push({ message: unresolvedMessage(one), place, isUnresolved: true });
    for (const { message } of checkValues(host.declarations, found.passed, host.invalid))
      problems.push({ message: inFile(message, host.target), place });
    show(mount, replaceValues(instance, found.values));
  };
  return {
    settle,
    settleAll() {
      for (const { id } of instances) settle(id);
    },
    problems: () => problems,
  };
}

/** Returns the ids of the variables that have changed. The URLs of project files were computed for the previous values. */
function replaceValues(instance: InstanceConfig, values: Record<string, unknown>): Set<string> {
  const isSame = (id: string) => instance.values[id] === values[id];
  const changed = new Set(Object.keys(values).filter((id) => !isSame(id)));
  instance.sources = Object.fromEntries(Object.entries(instance.sources ?? {}).filter(([id]) => isSame(id)));
  instance.values = values;
  return changed;
}

/** The values, or a message. */
function parseValues(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {};
  let value: unknown;
  let cause = '';
  try {
    value = JSON.parse(text);
  } catch (error) {
    cause = `: ${(error as Error).message}`;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return `${attr.variableValues}, as a script has set it, must be a JSON object${cause}`;
}

// The composition at the top level and its mounts: their variables, globals and timelines.
import { type HostValueProblem, type InstanceConfig, instanceAttribute, topInstance } from './page.ts';

/** The timelines of one instance by composition id. */
export type TimelineRegistry = Record<string, unknown>;

/** The globals of a mount: its own `window` and `document`, and everything that its scripts define. */
export type Globals = Record<PropertyKey, unknown>;

export type Scopes = {
  /** A copy of the instance's merged values. */
  values(instanceId: string): Record<string, unknown>;
  /** The URL of a variable whose value is a project file; undefined for other variables. */
  source(instanceId: string, variableId: string): string | undefined;
  /** The number of scripts that run in the scope of a mount. */
  scripts(instanceId: string): number;
  /** The mounts whose code has run, by instance id. */
  mounts: Map<string, { globals: Globals; timelines: TimelineRegistry }>;
  /** The timelines of each instance. Those of the top level are in `window.__timelines`. */
  registries(): { instanceId: string; timelines: TimelineRegistry }[];
};

/** The values that scripts set on hosts. */
export type HostValues = {
  /** Reads the values on the host of a mount. Later changes have no effect. */
  settle(instanceId: string): void;
  /** `settle` for all mounts. */
  settleAll(): void;
  problems(): HostValueProblem[];
};

/** What mounts need from the page around them. */
export type MountConnection = {
  scopes: Scopes;
  instances: readonly InstanceConfig[];
  /** Runs code of a mount with this element; null if it was removed. */
  runIn<Result>(mount: Element | null, code: () => Result): Result;
  /** Call with the mount's element after code of the mount has run. */
  claim(mount: Element | null): void;
  /** Call with the mount's element and the ids of the variables whose values have changed. */
  show(mount: Element, changed: ReadonlySet<string>): void;
  /** Only in pages with mounts. */
  hostValues?: HostValues;
};

/** The element that the instance was mounted into; null for the top level. */
export function findMount(document: Document, instanceId: string): Element | null {
  return document.querySelector(`[${instanceAttribute}="${instanceId}"]`);
}

export function createScopes(window: Window, instances: InstanceConfig[]): Scopes {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const mounts: Scopes['mounts'] = new Map();
  return {
    values: (id) => ({ ...byId.get(id)?.values }),
    source: (id, variableId) => byId.get(id)?.sources?.[variableId],
    scripts: (id) => byId.get(id)?.scripts ?? 0,
    mounts,
    registries: () => [
      { instanceId: topInstance, timelines: (window as { __timelines?: TimelineRegistry }).__timelines ?? {} },
      // A script may have replaced the object.
      ...[...mounts].flatMap(([instanceId, { timelines, globals }]) =>
        [...new Set([timelines, globals.__timelines ?? {}])].map((registry) => ({
          instanceId,
          timelines: registry as TimelineRegistry,
        })),
      ),
    ],
  };
}

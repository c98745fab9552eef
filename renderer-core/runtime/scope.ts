// A file can be mounted many times in one page: the scripts of each mount get their own elements, globals and variables.
import { type InstanceConfig, instanceAttribute, topInstance } from './page.ts';

/** The timelines of one instance by composition id. */
export type TimelineRegistry = Record<string, unknown>;

type ScopedFunction = (window: unknown, document: unknown, framework: unknown, timelines: TimelineRegistry) => void;

export type Scopes = {
  /** A copy of the instance's merged values. */
  values(instanceId: string): Record<string, unknown>;
  /** The URL of a variable whose value is a project file; undefined for other variables. */
  source(instanceId: string, variableId: string): string | undefined;
  /** Runs a mount's scripts with `window`, `document`, `__framework` and `__timelines` bound to the mount. */
  run(instanceId: string, script: ScopedFunction): void;
  /** The timelines of each instance. Those of the top level are in `window.__timelines`. */
  registries(): { instanceId: string; timelines: TimelineRegistry }[];
};

/** The element that the instance was mounted into; null for the top level. */
export function findMount(document: Document, instanceId: string): Element | null {
  return document.querySelector(`[${instanceAttribute}="${instanceId}"]`);
}

/** `ran` is called with the mount's element after each of its scripts. */
export function createScopes(
  window: Window & typeof globalThis,
  instances: InstanceConfig[],
  ran: (mount: Element | null) => void,
): Scopes {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const mounted = new Map<
    string,
    { globals: Parameters<ScopedFunction>; timelines: TimelineRegistry; own: { __timelines?: unknown } }
  >();

  const values = (id: string) => ({ ...(byId.get(id)?.values ?? {}) });

  const mount = (id: string) => {
    const known = mounted.get(id);
    if (known) return known;
    const timelines: TimelineRegistry = {};
    const root = () => findMount(window.document, id) ?? window.document.body;
    const framework = Object.freeze({ getVariables: () => values(id) });
    const document = scopedDocument(window.document, root);
    const own = Object.assign(Object.create(null), { document, __framework: framework, __timelines: timelines });
    const globals: Parameters<ScopedFunction> = [scopedWindow(window, own), document, framework, timelines];
    const scope = { globals, timelines, own };
    mounted.set(id, scope);
    return scope;
  };

  return {
    values,
    source: (id, variableId) => byId.get(id)?.sources?.[variableId],
    run(id, script) {
      const { globals } = mount(id);
      const execute = () => script(...globals);
      const root = findMount(window.document, id);
      const gsap = (window as { gsap?: { context?: (run: () => void, scope?: unknown) => unknown } }).gsap;
      // GSAP resolves selectors in the document; with a context it resolves them in the mount.
      try {
        if (root && typeof gsap?.context === 'function') gsap.context(execute, root);
        else execute();
      } finally {
        ran(root);
      }
    },
    registries: () => [
      { instanceId: topInstance, timelines: (window as { __timelines?: TimelineRegistry }).__timelines ?? {} },
      // A script may have replaced the object.
      ...[...mounted].flatMap(([instanceId, { timelines, own }]) =>
        [...new Set([timelines, own.__timelines ?? {}])].map((registry) => ({
          instanceId,
          timelines: registry as TimelineRegistry,
        })),
      ),
    ],
  };
}

/** A proxy of `document` whose queries are limited to the mount. */
function scopedDocument(document: Document, root: () => Element): Document {
  const own: Record<string, unknown> = {
    querySelector: (selector: string) => root().querySelector(selector),
    querySelectorAll: (selector: string) => root().querySelectorAll(selector),
    getElementById: (id: string) => root().querySelector(`[id="${CSS.escape(id)}"]`) ?? document.getElementById(id),
    getElementsByClassName: (name: string) => root().getElementsByClassName(name),
    getElementsByTagName: (name: string) => root().getElementsByTagName(name),
  };
  return new Proxy(document, {
    get: (target, key) => {
      if (typeof key === 'string' && Object.hasOwn(own, key)) return own[key];
      return bound(target, key);
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  });
}

/** A proxy of `window` that stores new globals in `overlay`, so that mounts do not overwrite each other's globals. */
function scopedWindow(window: Window & typeof globalThis, overlay: Record<PropertyKey, unknown>): Window {
  // The target is an empty object: a proxy of the window could not override its non-configurable properties.
  const proxy = new Proxy({} as Window, {
    get: (_, key) => {
      if (key === 'window' || key === 'self' || key === 'globalThis') return proxy;
      return key in overlay ? overlay[key] : bound(window, key);
    },
    has: (_, key) => key in overlay || key in window,
    set: (_, key, value) => {
      // Properties that the browser defines (location, onresize, ...) are set on the real window.
      if (key in overlay || !(key in window)) overlay[key] = value;
      else Reflect.set(window, key, value);
      return true;
    },
    deleteProperty: (_, key) => delete overlay[key],
  });
  return proxy;
}

/** Binds host methods, which reject a proxy as `this`. Classes and other values are returned unchanged. */
function bound(target: object, key: PropertyKey): unknown {
  const value = Reflect.get(target, key);
  return typeof value === 'function' && !('prototype' in value) ? value.bind(target) : value;
}

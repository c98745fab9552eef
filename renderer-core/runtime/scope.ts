// One file can be mounted many times in one page: each mount's scripts see their own elements, globals and variables.
import { type InstanceConfig, instanceAttribute, topInstance } from './page.ts';

/** Timelines that one instance registered, by composition id. */
export type TimelineRegistry = Record<string, unknown>;

type ScopedFunction = (window: unknown, document: unknown, framework: unknown, timelines: TimelineRegistry) => void;

export type Scopes = {
  /** A fresh copy of the instance's merged values. */
  values(instanceId: string): Record<string, unknown>;
  /** The URL of a variable that names a file of the project; undefined for any other value. */
  source(instanceId: string, variableId: string): string | undefined;
  /** Runs a mount's scripts with `window`, `document`, `__framework` and `__timelines` bound to the mount. */
  run(instanceId: string, script: ScopedFunction): void;
  /** Timelines registered by each instance; the top level's are `window.__timelines`. */
  registries(): { instanceId: string; timelines: TimelineRegistry }[];
};

/** `ran` is called with the mount's element after each of its scripts. */
export function createScopes(
  window: Window & typeof globalThis,
  instances: InstanceConfig[],
  ran: (mount: Element | null) => void,
): Scopes {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const mounted = new Map<
    string,
    {
      window: unknown;
      document: unknown;
      framework: unknown;
      timelines: TimelineRegistry;
      own: { __timelines?: unknown };
    }
  >();

  const values = (id: string) => ({ ...(byId.get(id)?.values ?? {}) });

  const mount = (id: string) => {
    const known = mounted.get(id);
    if (known) return known;
    const timelines: TimelineRegistry = {};
    const root = () => window.document.querySelector(`[${instanceAttribute}="${id}"]`) ?? window.document.body;
    const framework = Object.freeze({ getVariables: () => values(id) });
    const document = scopedDocument(window.document, root);
    const own = Object.assign(Object.create(null), { document, __framework: framework, __timelines: timelines });
    const scope = { window: scopedWindow(window, own), document, framework, timelines, own };
    mounted.set(id, scope);
    return scope;
  };

  return {
    values,
    source: (id, variableId) => byId.get(id)?.sources?.[variableId],
    run(id, script) {
      const scope = mount(id);
      const execute = () => script(scope.window, scope.document, scope.framework, scope.timelines);
      const root = window.document.querySelector(`[${instanceAttribute}="${id}"]`);
      const gsap = (window as { gsap?: { context?: (run: () => void, scope?: unknown) => unknown } }).gsap;
      // GSAP resolves selector strings against the document; its own context gives them the mount as their scope.
      try {
        if (root && typeof gsap?.context === 'function') gsap.context(execute, root);
        else execute();
      } finally {
        ran(root);
      }
    },
    registries: () => [
      { instanceId: topInstance, timelines: (window as { __timelines?: TimelineRegistry }).__timelines ?? {} },
      // A script may have put an object of its own in the place of the one it was given.
      ...[...mounted].flatMap(([instanceId, { timelines, own }]) =>
        [...new Set([timelines, own.__timelines ?? {}])].map((registry) => ({
          instanceId,
          timelines: registry as TimelineRegistry,
        })),
      ),
    ],
  };
}

/** `document` whose look-ups stay inside the mount. Everything else is the page's own document. */
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

/** `window` whose new globals go into `overlay`, so that two mounts do not overwrite each other's. */
function scopedWindow(window: Window & typeof globalThis, overlay: Record<PropertyKey, unknown>): Window {
  // The proxy's target is an empty object: a proxy of the window itself must not answer for its fixed properties.
  const proxy = new Proxy({} as Window, {
    get: (_, key) => {
      if (key === 'window' || key === 'self' || key === 'globalThis') return proxy;
      return key in overlay ? overlay[key] : bound(window, key);
    },
    has: (_, key) => key in overlay || key in window,
    set: (_, key, value) => {
      // A property that the browser itself defines (location, onresize, ...) belongs to the real window.
      if (key in overlay || !(key in window)) overlay[key] = value;
      else Reflect.set(window, key, value);
      return true;
    },
    deleteProperty: (_, key) => delete overlay[key],
  });
  return proxy;
}

/** Host methods refuse a proxy as `this`; classes and plain values are passed on as they are. */
function bound(target: object, key: PropertyKey): unknown {
  const value = Reflect.get(target, key);
  return typeof value === 'function' && !('prototype' in value) ? value.bind(target) : value;
}

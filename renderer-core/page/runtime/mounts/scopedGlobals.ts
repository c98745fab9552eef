// The window and document that the scripts of one mount see.
import type { Globals } from '../scope.ts';

/** Selectors for the elements around a page. */
const pageSelector = /^\s*(?:html|body|:root)\s*$/i;

/**
 * A proxy of `document` whose queries are limited to the mount. `root` is its host, which also stands for `html` and `body`;
 * `script` is the element of the script that is running.
 */
export function scopedDocument(document: Document, root: () => Element, script: () => Element | null): Document {
  const own = {
    get documentElement() {
      return root();
    },
    get body() {
      return root();
    },
    querySelector: (selector: string) => (pageSelector.test(selector) ? root() : root().querySelector(selector)),
    querySelectorAll: (selector: string) => root().querySelectorAll(selector),
    getElementById: (id: string) => root().querySelector(`[id="${CSS.escape(id)}"]`) ?? document.getElementById(id),
    getElementsByClassName: (name: string) => root().getElementsByClassName(name),
    getElementsByTagName: (name: string) => root().getElementsByTagName(name),
    get currentScript() {
      return script() ?? document.currentScript;
    },
    ...scopedListeners(document, () => proxy),
  };
  const handlers = createHandlers(document, () => proxy);
  const proxy: Document = new Proxy(document, {
    get: (target, key) => {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      return handlers.has(key) ? handlers.get(key) : bound(target, key);
    },
    set: (target, key, value) => (handlers.has(key) ? handlers.set(key, value) : Reflect.set(target, key, value)),
  });
  return proxy;
}

/** A proxy of `window` that stores new globals in `globals`, so that mounts do not overwrite each other's globals. */
export function scopedWindow(
  window: Window & typeof globalThis,
  globals: Globals,
  isBuiltIn: (key: PropertyKey) => boolean,
): Window {
  const handlers = createHandlers(window, () => proxy);
  // The target is an empty object: a proxy of the window could not override its non-configurable properties.
  const proxy: Window = new Proxy({} as Window, {
    get: (_, key) => {
      if (key in globals) return globals[key];
      return handlers.has(key) ? handlers.get(key) : bound(window, key);
    },
    has: (_, key) => key in globals || key in window,
    set: (_, key, value) => {
      // Properties such as location are set on the real window. Its name is a usual variable.
      if (key in globals || !isBuiltIn(key) || key === 'name') globals[key] = value;
      else if (handlers.has(key)) handlers.set(key, value);
      else Reflect.set(window, key, value);
      return true;
    },
    deleteProperty: (_, key) => delete globals[key],
  });
  return proxy;
}

/** Call before scripts run. Returns whether a property is of the browser or the runtime, not of a script or an element. */
export function builtIns(window: Window & typeof globalThis): (key: PropertyKey) => boolean {
  const own = new Set(Reflect.ownKeys(window) as PropertyKey[]);
  return (key) => own.has(key) || key in window.EventTarget.prototype;
}

/** Functions to add and remove listeners of `target`, whose `this` is `self`. */
export function scopedListeners(target: Window | Document, self: () => unknown) {
  const wrappers = new WeakMap<object, EventListener>();
  const wrapped = (listener: EventListener): EventListener => {
    if (typeof listener !== 'function') return listener;
    const wrapper = wrappers.get(listener) ?? ((event) => listener.call(self(), event));
    wrappers.set(listener, wrapper);
    return wrapper;
  };
  const call =
    (method: 'addEventListener' | 'removeEventListener') => (type: string, listener: EventListener, options?: object) =>
      target[method](type, wrapped(listener), options);
  return { addEventListener: call('addEventListener'), removeEventListener: call('removeEventListener') };
}

/** Handler properties such as `onresize` of one mount. The page has only one of each, so mounts add listeners instead. */
function createHandlers(target: Window | Document, self: () => unknown) {
  const listeners = new Map<PropertyKey, { value: (event: Event) => unknown; listener(event: Event): void }>();
  return {
    // The arguments of `onerror` are not an event.
    has: (key: PropertyKey) => typeof key === 'string' && key.startsWith('on') && key !== 'onerror' && key in target,
    get: (key: PropertyKey) => listeners.get(key)?.value ?? null,
    set(key: PropertyKey, value: unknown): boolean {
      const type = String(key).slice(2);
      const before = listeners.get(key);
      if (before) target.removeEventListener(type, before.listener);
      listeners.delete(key);
      if (typeof value !== 'function') return true;
      const listener = (event: Event) => {
        if (value.call(self(), event) === false) event.preventDefault();
      };
      listeners.set(key, { value: value as (event: Event) => unknown, listener });
      target.addEventListener(type, listener);
      return true;
    },
  };
}

/** Binds host methods, which reject a proxy as `this`. Classes and other values are returned unchanged. */
function bound(target: object, key: PropertyKey): unknown {
  const value = Reflect.get(target, key);
  return typeof value === 'function' && !('prototype' in value) ? value.bind(target) : value;
}

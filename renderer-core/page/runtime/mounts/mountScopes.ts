// Runs the scripts and handlers of each mount with globals of its own.
import { scriptAttribute } from '../page.ts';
import { runAndReport } from '../runAndReport.ts';
import { findMount, type Globals, type MountConnection, type TimelineRegistry } from '../scope.ts';
import { createMountElements, type MountElements } from './mountElements.ts';
import { builtIns, scopedDocument, scopedListeners, scopedWindow } from './scopedGlobals.ts';

/**
 * Makes the globals of a script available to the others of its mount: `declared` has an accessor for each name, `vars` are
 * those that keep the value of an earlier script, `assigned` are names that the script sets without a declaration.
 */
type Share = (declared: Globals, vars: string[], assigned: string[]) => void;

/** Returns the code of a script as a function. `page/assemble/mountScripts.ts` writes it. */
type ScopedScript = (this: Globals, share: Share) => () => void;

export type MountScopes = {
  /** Runs a script of a mount with the mount's globals; `index` is its number in the file. */
  run(instanceId: string, index: number, script: ScopedScript): void;
  /** Calls a handler of a mount, but not before the page is parsed and the mount's scripts have run. Returns its result. */
  handle(instanceId: string, handler: (globals: Globals) => unknown): unknown;
};

type Mount = {
  globals: Globals;
  timelines: TimelineRegistry;
  /** Calls code of the mount, so that libraries find its elements, and claims what it creates. */
  enter<Result>(code: () => Result): Result;
  /** The element of the running script. */
  script: Element | null;
  /** The number of scripts that have not run yet, and handlers that wait for them. */
  remaining: number;
  waiting: (() => void)[];
};

export function createMountScopes(window: Window & typeof globalThis, connection: MountConnection): MountScopes {
  const mounts = new Map<string, Mount>();
  const isBuiltIn = builtIns(window);
  const elements = createMountElements(window);
  const mountOf = (id: string): Mount => {
    const mount = mounts.get(id) ?? createMount(window, id, connection, { isBuiltIn, elements });
    mounts.set(id, mount);
    connection.scopes.mounts.set(id, mount);
    return mount;
  };
  window.addEventListener('DOMContentLoaded', () => {
    for (const mount of mounts.values()) runWaiting(mount);
    elements.settle();
  });
  return {
    run(id, index, script) {
      window.document.currentScript?.remove();
      runScript(window, mountOf(id), id, index, script);
    },
    handle(id, handler) {
      const mount = mountOf(id);
      const run = () => mount.enter(() => handler(mount.globals));
      // Scripts of the page may still set values on the host: it must not matter when an image arrives.
      if (mount.remaining <= 0 && window.document.readyState !== 'loading') return run();
      mount.waiting.push(run);
      return undefined;
    },
  };
}

function createMount(
  window: Window & typeof globalThis,
  id: string,
  { scopes, runIn, claim, hostValues }: MountConnection,
  { isBuiltIn, elements }: { isBuiltIn(key: PropertyKey): boolean; elements: MountElements },
): Mount {
  const element = () => findMount(window.document, id);
  const globals: Globals = Object.create(null);
  const own = scopedWindow(window, globals, isBuiltIn);
  const mount: Mount = {
    globals,
    timelines: {},
    enter(code) {
      hostValues?.settle(id);
      try {
        return elements.enter(id, () => runIn(element(), code));
      } finally {
        claim(element());
      }
    },
    script: null,
    remaining: scopes.scripts(id),
    waiting: [],
  };
  const root = () => element() ?? window.document.body;
  Object.assign(globals, {
    window: own,
    self: own,
    globalThis: own,
    document: scopedDocument(window.document, root, () => mount.script),
    ...scopedListeners(window, () => own),
    customElements: elements.registryOf(id),
    __framework: Object.freeze({ getVariables: () => scopes.values(id) }),
    __timelines: mount.timelines,
    setTimeout: scopedTimer(window, 'setTimeout', mount),
    setInterval: scopedTimer(window, 'setInterval', mount),
  });
  return mount;
}

/** A timer function whose handlers run in the mount, also those that are strings. */
function scopedTimer(
  window: Window & typeof globalThis,
  name: 'setTimeout' | 'setInterval',
  { globals, enter }: Pick<Mount, 'globals' | 'enter'>,
) {
  return (handler: unknown, ...rest: unknown[]): unknown => {
    const run =
      typeof handler === 'function'
        ? (...args: unknown[]) => enter(() => handler.apply(globals.window, args))
        : () => enter(() => new window.Function(`with(this){${handler}\n}`).call(globals));
    return Reflect.apply(window[name], window, [run, ...rest]);
  };
}

function runScript(window: Window, mount: Mount, id: string, index: number, script: ScopedScript): void {
  const { globals } = mount;
  const share: Share = (declared, vars, assigned) => {
    const before = vars.filter((name) => name in globals).map((name) => [name, globals[name]] as const);
    Object.defineProperties(globals, Object.getOwnPropertyDescriptors(declared));
    for (const [name, value] of before) globals[name] = value;
    // Elements with an id are inherited properties of the window.
    for (const name of assigned) if (!Object.hasOwn(window, name) || name === 'name') globals[name] ??= undefined;
  };
  mount.script = window.document.querySelector(`[${scriptAttribute}="${id}.${index}"]`);
  try {
    mount.enter(() => script.call(globals, share).call(globals.window));
  } finally {
    mount.script = null;
    mount.remaining--;
    if (window.document.readyState !== 'loading') runWaiting(mount);
  }
}

function runWaiting({ remaining, waiting }: Mount): void {
  if (remaining <= 0) for (const run of waiting.splice(0)) runAndReport(run);
}

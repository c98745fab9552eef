// Custom elements that mounts define. The page has one registry, so the element that it knows stands for the classes of all
// mounts of a file: each element gets the class of the mount that contains it, and so its values.
import { instanceAttribute } from '../page.ts';

type Page = Window & typeof globalThis;
type Class = CustomElementConstructor & { observedAttributes?: string[]; formAssociated?: boolean };
type Callbacks = Record<string, ((...args: unknown[]) => void) | undefined>;

export type MountElements = {
  /** `customElements` for the scripts of a mount. */
  registryOf(mount: string): CustomElementRegistry;
  /** Runs code of a mount. Elements that it creates have the classes of the mount. */
  enter<Result>(mount: string, code: () => Result): Result;
  /** All scripts of all mounts have run. */
  settle(): void;
};

/** `registered`: the class in the browser's registry. `waiting`: elements whose mount has not defined its class yet. */
type Definition = { registered: Class; classes: Map<string, Class>; waiting: Set<HTMLElement> };

const callbacks = [
  'connectedCallback',
  'disconnectedCallback',
  'connectedMoveCallback',
  'adoptedCallback',
  'attributeChangedCallback',
  'formAssociatedCallback',
  'formDisabledCallback',
  'formResetCallback',
  'formStateRestoreCallback',
];

export function createMountElements(window: Page): MountElements {
  const { customElements, HTMLElement } = window;
  const definitions = new Map<string, Definition>();
  /** The definition of a class of a mount, and the class of an element. */
  const definitionOf = new WeakMap<object, Definition>();
  const classOf = new WeakMap<Element, Class>();
  let entered: string | undefined;
  let isSettled = false;
  let constructing: HTMLElement | undefined;

  /** Stands for HTMLElement as the base of the classes: returns the element that already exists. */
  function Base(): HTMLElement {
    const existing = constructing;
    constructing = undefined;
    if (existing) return existing;
    const target = new.target as unknown as Class;
    const definition = definitionOf.get(target);
    const created = Reflect.construct(HTMLElement, [], definition?.registered ?? target) as HTMLElement;
    if (definition) Object.setPrototypeOf(created, target.prototype);
    classOf.set(created, target);
    return created;
  }
  Base.prototype = HTMLElement.prototype;
  Object.setPrototypeOf(Base, HTMLElement);

  function construct(element: HTMLElement, given: Class): void {
    classOf.set(element, given);
    Object.setPrototypeOf(element, given.prototype);
    constructing = element;
    try {
      new given();
    } finally {
      constructing = undefined;
    }
  }
  /** Constructs an element that its mount has not defined until now, with what it has missed. */
  function constructLate(element: HTMLElement, given: Class): void {
    construct(element, given);
    for (const name of given.observedAttributes ?? [])
      if (element.hasAttribute(name))
        call(element, 'attributeChangedCallback', [name, null, element.getAttribute(name), null]);
    if (element.isConnected) call(element, 'connectedCallback', []);
  }
  function call(element: HTMLElement, name: string, args: unknown[]): void {
    (classOf.get(element)?.prototype as Callbacks | undefined)?.[name]?.apply(element, args);
  }
  /** The class of the nearest mount around the element. Outside of mounts, and without one, that of the first mount. */
  function classFor(element: HTMLElement, { classes }: Definition): Class | undefined {
    const around = [...mountsAround(element)];
    const [nearest = entered] = around;
    if (!isSettled) return nearest === undefined ? undefined : classes.get(nearest);
    const owner = [...around, entered ?? ''].find((mount) => classes.has(mount));
    return owner === undefined ? [...classes.values()][0] : classes.get(owner);
  }
  function register(name: string, { observedAttributes, formAssociated = false }: Class): Definition {
    class Registered extends HTMLElement {
      static observedAttributes = observedAttributes ?? [];
      static formAssociated = formAssociated;
      constructor() {
        super();
        const given = classFor(this, definition);
        if (given) construct(this, given);
        else definition.waiting.add(this);
      }
    }
    const definition: Definition = { registered: Registered, classes: new Map(), waiting: new Set() };
    for (const callback of callbacks)
      Object.defineProperty(Registered.prototype, callback, {
        value(this: HTMLElement, ...args: unknown[]) {
          // A script that was called by a promise has created it outside of the document.
          const given = isSettled && definition.waiting.has(this) ? classFor(this, definition) : undefined;
          if (given && definition.waiting.delete(this)) constructLate(this, given);
          else call(this, callback, args);
        },
      });
    definitions.set(name, definition);
    return definition;
  }
  function define(mount: string, name: string, given: Class): void {
    const isNew = !definitions.has(name);
    const definition = definitions.get(name) ?? register(name, given);
    if (definition.classes.has(mount)) customElements.define(name, given);
    definition.classes.set(mount, given);
    definitionOf.set(given, definition);
    replaceBase(given, HTMLElement, Base as unknown as Class);
    if (isNew) customElements.define(name, definition.registered);
    takeWaiting(definition);
  }
  function takeWaiting(definition: Definition): void {
    for (const element of definition.waiting) {
      const found = classFor(element, definition);
      if (found && definition.waiting.delete(element)) constructLate(element, found);
    }
  }

  return {
    registryOf(mount) {
      const own: Partial<CustomElementRegistry> = {
        define(name, given, options) {
          const isOwn = given.prototype instanceof HTMLElement && options?.extends === undefined;
          if (isOwn && (definitions.has(name) || !customElements.get(name))) define(mount, name, given as Class);
          // Elements of the page, and built-in elements that another mount has extended.
          else if (!customElements.get(name)) customElements.define(name, given, options);
        },
        get: (name) => definitions.get(name)?.classes.get(mount) ?? customElements.get(name),
      };
      return new Proxy(customElements, {
        get(target, key) {
          const value: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
    enter(mount, code) {
      const before = entered;
      entered = mount;
      try {
        return code();
      } finally {
        entered = before;
      }
    },
    settle() {
      isSettled = true;
      for (const definition of definitions.values()) takeWaiting(definition);
    },
  };
}

/** The ids of the mounts around an element, also around the shadow trees that contain it, nearest first. */
function* mountsAround(element: Element): Generator<string> {
  let node: Node | null = element;
  while (node) {
    const id: string | null | undefined = (node as Partial<Element>).getAttribute?.(instanceAttribute);
    if (typeof id === 'string') yield id;
    node = node.parentNode ?? (node as Partial<ShadowRoot>).host ?? null;
  }
}

/** Replaces the base of a class, or of the class that it extends. Both may have been replaced before. */
function replaceBase(given: Class, base: Class, replacement: Class): void {
  let top: object = given;
  for (let next = Object.getPrototypeOf(top); next && next !== base && next !== replacement; ) {
    top = next;
    next = Object.getPrototypeOf(top);
  }
  if (Object.getPrototypeOf(top) === base) Object.setPrototypeOf(top, replacement);
}

// Variable bindings: data-var-text, data-var-src and the --<id> custom properties, filled with the values of their instance.
// Those of the markup are already in it (page/assemble/boundElements.ts).
import { attr } from '../../model/attributes.ts';
import { boundIds, boundProperties, boundSource, boundText } from '../../model/variables/boundValues.ts';
import { boundAttribute, instanceAttribute, topInstance } from './page.ts';
import type { Scopes } from './scope.ts';

const bindable = `[${attr.varText}],[${attr.varSrc}],[${attr.compositionId}],[${instanceAttribute}]`;

export type Bindings = {
  /** Binds elements that scripts have added, also those that got their first attribute later. */
  update(): void;
  /** Binds the elements of a mount again to the variables whose values have changed. */
  rebind(mount: Element, changed: ReadonlySet<string>): void;
};

/** Binds each element once: what scripts make of it stays. Observers run before the next script, so it sees the values. */
export function observeBindings(document: Document, scopes: Scopes): Bindings {
  const known = new WeakSet<Element>();
  const visit = (element: Element): void => {
    if (known.has(element)) return;
    known.add(element);
    // A copy may have got other variables.
    if (element.getAttribute(boundAttribute) === boundIds((name) => element.getAttribute(name)))
      addProperties(element, scopes);
    else bind(element, scopes);
  };
  const visitAll = (root: ParentNode): void => {
    for (const element of root.querySelectorAll(bindable)) visit(element);
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(bindable)) visit(node);
        visitAll(node);
      }
    }
  });
  observer.observe(document, { childList: true, subtree: true });
  return {
    update: () => visitAll(document),
    rebind(mount, changed) {
      const instance = instanceOf(mount);
      for (const element of [mount, ...mount.querySelectorAll(bindable)])
        if (instanceOf(element) === instance) bind(element, scopes, (id) => changed.has(id));
    },
  };
}

/** The id of the instance that contains an element: its nearest mount, or the top level. */
export function instanceOf(element: Element): string {
  return element.closest(`[${instanceAttribute}]`)?.getAttribute(instanceAttribute) ?? topInstance;
}

function bind(element: Element, scopes: Scopes, isWanted: (id: string) => boolean = () => true): void {
  const instance = instanceOf(element);
  const values = scopes.values(instance);
  const textId = element.getAttribute(attr.varText);
  if (textId !== null && isWanted(textId)) {
    const text = boundText(values[textId]) ?? element.textContent;
    if (element.textContent !== text) element.textContent = text;
  }
  const srcId = element.getAttribute(attr.varSrc);
  if (srcId !== null && isWanted(srcId)) {
    const source = boundSource(element.localName, values[srcId]);
    if (source !== undefined) element.setAttribute('src', scopes.source(instance, srcId) ?? source);
  }
  if (!hasProperties(element)) return;
  for (const [name, text] of boundProperties(values))
    if (isWanted(name.slice(2))) element.style.setProperty(name, text);
}

/** Adds the custom properties that the markup cannot express. */
function addProperties(element: Element, scopes: Scopes): void {
  if (!hasProperties(element)) return;
  for (const [name, text] of boundProperties(scopes.values(instanceOf(element))))
    if (element.style.getPropertyValue(name) === '') element.style.setProperty(name, text);
}

const hasProperties = (element: Element): element is HTMLElement | SVGElement =>
  (element.hasAttribute(instanceAttribute) || element.hasAttribute(attr.compositionId)) &&
  (element instanceof HTMLElement || element instanceof SVGElement);

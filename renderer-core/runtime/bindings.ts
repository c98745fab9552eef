// Variable bindings: data-var-text, data-var-src and the --<id> custom properties, filled with the values of their instance.
import { attr } from '../model/attributes.ts';
import { hasCustomProperty } from '../model/values.ts';
import { instanceAttribute, topInstance } from './page.ts';
import type { Scopes } from './scope.ts';

const bindable = `[${attr.varText}],[${attr.varSrc}],[${attr.compositionId}],[${instanceAttribute}]`;
const mediaTags = new Set(['IMG', 'VIDEO', 'AUDIO', 'SOURCE']);

/** Fills bindings while the document is parsed. Observers run before each script, so scripts see the values. */
export function observeBindings(document: Document, scopes: Scopes): { apply(root?: ParentNode): void; stop(): void } {
  const apply = (root: ParentNode) => {
    if (root instanceof Element && root.matches(bindable)) bind(root, scopes);
    for (const element of root.querySelectorAll(bindable)) bind(element, scopes);
  };
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      for (const node of record.addedNodes) if (node instanceof Element) apply(node);
    }
  });
  observer.observe(document, { childList: true, subtree: true });
  return { apply: (root = document) => apply(root), stop: () => observer.disconnect() };
}

/** The id of the instance that contains an element: its nearest mount, or the top level. */
export function instanceOf(element: Element): string {
  return element.closest(`[${instanceAttribute}]`)?.getAttribute(instanceAttribute) ?? topInstance;
}

function bind(element: Element, scopes: Scopes): void {
  const instance = instanceOf(element);
  const values = scopes.values(instance);
  const textId = element.getAttribute(attr.varText);
  if (textId !== null && isScalar(values[textId])) {
    const text = String(values[textId]);
    if (element.textContent !== text) element.textContent = text;
  }
  const srcId = element.getAttribute(attr.varSrc);
  if (srcId !== null && mediaTags.has(element.tagName)) {
    const url = scopes.source(instance, srcId) ?? values[srcId];
    if (typeof url === 'string' && url !== '' && isMediaUrl(url) && element.getAttribute('src') !== url)
      element.setAttribute('src', url);
  }
  if (element.hasAttribute(instanceAttribute) || element.hasAttribute(attr.compositionId))
    setProperties(element, values);
}

function setProperties(element: Element, values: Record<string, unknown>): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  for (const [id, value] of Object.entries(values)) {
    if (isScalar(value) && hasCustomProperty(id)) element.style.setProperty(`--${id}`, String(value));
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Allows only relative, http, https, blob and `data:image/` URLs, so that values cannot run scripts. */
export function isMediaUrl(url: string): boolean {
  // Browsers ignore control characters and spaces when they parse the scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i
    .exec([...url].filter((character) => character > ' ').join(''))?.[1]
    ?.toLowerCase();
  if (scheme === undefined || ['http', 'https', 'blob'].includes(scheme)) return true;
  return scheme === 'data' && /^\s*data:image\//i.test(url);
}

// Finds the shadow roots of a page.
type Realm = Window & typeof globalThis;

/** The document and the shadow trees in it. */
export type Trees = () => readonly Tree[];
export type Tree = Document | ShadowRoot;

/** Calls `onRoot` for each root that scripts or the page's markup create. Closed roots in markup cannot be found. */
export function watchShadowRoots(window: Realm, onRoot: (root: ShadowRoot) => void): void {
  const { document } = window;
  const known = new WeakSet<ShadowRoot>();
  const add = (root: ShadowRoot): void => {
    if (known.has(root)) return;
    known.add(root);
    onRoot(root);
  };
  const { attachShadow } = window.Element.prototype;
  window.Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    add(root);
    return root;
  };
  const addInside = (parent: Document | ShadowRoot): void => {
    const elements = document.createTreeWalker(parent, window.NodeFilter.SHOW_ELEMENT);
    while (elements.nextNode()) {
      const { shadowRoot } = elements.currentNode as Element;
      if (!shadowRoot) continue;
      add(shadowRoot);
      addInside(shadowRoot);
    }
  };
  document.addEventListener('DOMContentLoaded', () => addInside(document));
}

/** Returns the elements with this name in the document and in its shadow trees. */
export function finder<Found extends Element>(document: Document, trees: Trees, name: string): () => Found[] {
  // The document keeps this list, so only the shadow trees are searched.
  const inDocument = document.getElementsByTagName(name) as unknown as HTMLCollectionOf<Found>;
  return () => trees().flatMap((tree) => [...(tree === document ? inDocument : tree.querySelectorAll<Found>(name))]);
}

/** The element outside all shadow roots that contains `element`. */
export function outermost(element: Element): Element {
  const root = element.getRootNode();
  return 'host' in root ? outermost(root.host as Element) : element;
}

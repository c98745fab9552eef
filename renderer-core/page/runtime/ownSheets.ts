// Style sheets of the product. Scripts of the page do not see them, so that `document.styleSheets[0]` is the author's first.

type Page = Window & typeof globalThis;
type Adopting = { [adopt]?: (sheet: CSSStyleSheet) => void };

const adopt = Symbol.for('framework.adopt');

/** Adds a constructed sheet to the document. */
export function adoptSheet(document: Document, sheet: CSSStyleSheet): void {
  const adoptOwn = (document as Adopting)[adopt];
  if (adoptOwn) adoptOwn(sheet);
  else document.adoptedStyleSheets.push(sheet);
}

/** Processing instructions load sheets like links, and are no elements. Pages have no others. */
const isInstruction = (node: Node | null | undefined): boolean => node?.nodeType === Node.PROCESSING_INSTRUCTION_NODE;

/** Loads sheets before those of the page. Scripts wait for them. */
export function loadSheets(document: Document, urls: readonly string[]): void {
  for (const url of urls) {
    const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const instruction = document.createProcessingInstruction('xml-stylesheet', `href="${address}" type="text/css"`);
    document.insertBefore(instruction, document.documentElement);
  }
}

/** The sheets that `loadSheets` has loaded. */
export function loadedSheets(document: Document): CSSStyleSheet[] {
  return [...document.childNodes].flatMap((node) => (node as Partial<ProcessingInstruction>).sheet ?? []);
}

/** Call before scripts run. */
export function hideOwnSheets(window: Page): void {
  hideLoadedSheets(window);
  hideAdoptedSheets(window);
}

function hideLoadedSheets({ document, StyleSheetList }: Page): void {
  const real = document.styleSheets;
  const visible = () => [...real].filter(({ ownerNode }) => !isInstruction(ownerNode));
  const item = (index: number) => visible()[index] ?? null;
  const list = new Proxy(Object.create(StyleSheetList.prototype) as StyleSheetList, {
    get(target, key) {
      if (key === 'item') return item;
      if (key === 'length' || key === Symbol.iterator || /^\d+$/.test(String(key))) {
        const sheets = visible();
        const value: unknown = Reflect.get(sheets, key);
        return key === Symbol.iterator ? () => sheets.values() : value;
      }
      return Reflect.get(target, key);
    },
    has: (target, key) => (/^\d+$/.test(String(key)) ? Number(key) < visible().length : key in target),
    ownKeys: () => Object.keys(visible()),
    getOwnPropertyDescriptor: (_, key) => {
      const property = Object.getOwnPropertyDescriptor(visible(), key);
      return key === 'length' ? undefined : property && { ...property, writable: false, configurable: true };
    },
  });
  Object.defineProperty(document, 'styleSheets', { configurable: true, get: () => list });
}

function hideAdoptedSheets({ document, Document }: Page): void {
  const property = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
  if (!property?.set) return;
  const { set } = property;
  const own: CSSStyleSheet[] = [];
  const authors: CSSStyleSheet[] = [];
  const write = (next: CSSStyleSheet[]) => set.call(document, [...own, ...next]);
  // While methods such as `splice` run, the array has holes.
  const present = () => authors.filter(Boolean);
  const list = new Proxy(authors, {
    set(target, key, value) {
      // Throws for what is not a sheet, before it is in the array.
      if (/^\d+$/.test(String(key))) write([...present(), value]);
      const isSet = Reflect.set(target, key, value);
      write(present());
      return isSet;
    },
  });
  Object.defineProperty(document, 'adoptedStyleSheets', {
    configurable: true,
    get: () => list,
    set(given: Iterable<CSSStyleSheet>) {
      const next = [...given];
      write(next);
      authors.splice(0, authors.length, ...next);
    },
  });
  Object.defineProperty(document, adopt, {
    value(sheet: CSSStyleSheet) {
      if (own.includes(sheet)) return;
      own.push(sheet);
      write(present());
    },
  });
}

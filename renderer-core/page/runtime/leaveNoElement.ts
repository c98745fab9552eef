// Imported first by each script of the runtime: removes its element, so that the page's scripts do not find it.
globalThis.document?.currentScript?.remove();

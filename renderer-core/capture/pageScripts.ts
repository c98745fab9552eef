// The built scripts that run inside pages, read from where the build puts them.
import { readFile } from 'node:fs/promises';

export type PageScript = 'runtime.js' | 'inPage.js' | 'frameWriter.js' | 'convert.wasm';

/** Beside the bundle that holds this code; seen from the sources, below dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : './page/', import.meta.url);

export function readPageScript(name: PageScript): Promise<Uint8Array> {
  return readFile(new URL(name, folder));
}

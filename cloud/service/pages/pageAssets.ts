// The style sheet and the script of the web pages, as `esbuild.mjs` builds them from `assets/`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Next to the bundle that contains this code; when run from the sources, in dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/service/' : './service/', import.meta.url);

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const sha256 = (text: string) => createHash('sha256').update(text);

export const pageStyle = read('pageStyle.css');

/** The path contains a hash of the content, so browsers may cache it forever. */
export const stylePath = `/style-${sha256(pageStyle).digest('hex').slice(0, 12)}.css`;

/** Written into every page; the content security policy allows no script with another hash. */
export const pageScript = read('pageScript.js');
export const scriptHash = `sha256-${sha256(pageScript).digest('base64')}`;

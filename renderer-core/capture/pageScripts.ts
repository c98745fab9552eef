// The built scripts that run inside pages: where the build puts them, and where the page finds them.
import { fileURLToPath } from 'node:url';
import type { VirtualFile } from '../project/server.ts';

/** Beside the bundle that holds this code; seen from the sources, below dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : './page/', import.meta.url);

const javascript = 'text/javascript; charset=utf-8';

/** Absolute path of the script that has to run before everything in the composition's own page. */
export const runtimeFile = fileURLToPath(new URL('runtime.js', folder));

/** The page's demultiplexer. */
export const videoFileFile = fileURLToPath(new URL('videoFile.js', folder));

/** What the preview's page loads, beside itself. */
export const previewFiles: [name: string, file: VirtualFile][] = [
  ['preview.js', javascript],
  ['preview.css', 'text/css; charset=utf-8'],
].map(([name = '', type = '']) => [name, { file: fileURLToPath(new URL(name, folder)), type }]);

/** What the capture page loads, by its path on the page's server. */
export const captureFiles: [path: string, file: VirtualFile][] = [
  ['inPage.js', javascript],
  ['frameWriter.js', javascript],
  ['videoFile.js', javascript],
  ['convert.wasm', 'application/wasm'],
].map(([name = '', type = '']) => [
  `/__framework/${name}`,
  { file: fileURLToPath(new URL(name, folder)), type, stays: true },
]);

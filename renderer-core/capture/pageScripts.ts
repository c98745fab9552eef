// The built scripts that run inside pages: their files, and their paths on the project server.
import { fileURLToPath } from 'node:url';
import { features } from '../page/features/features.ts';
import type { VirtualFile } from '../project/serve/projectServer.ts';

/** In the folder of the bundle; when this file runs as source, in dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : './page/', import.meta.url);

const javascript = 'text/javascript; charset=utf-8';
const webAssembly = 'application/wasm';

/** Absolute path of the script that runs first in the composition's own page. */
export const runtimeFile = fileURLToPath(new URL('runtime.js', folder));

/** The demultiplexer, by its path on the project server. The preview loads it too. */
export const mediaScripts = ['videoFile.js', 'mediabunny.js'].map((name) => servedFile(name, javascript));

/** Files that the preview's page loads. */
export const previewFiles: [name: string, file: VirtualFile][] = [
  ['preview.js', javascript],
  ['elementMenu.js', javascript],
  ['preview.css', 'text/css; charset=utf-8'],
].map(([name = '', type = '']) => [name, { file: fileURLToPath(new URL(name, folder)), type }]);

/** The script that reports what a page shows, by its path on the project server. */
export const inspectScript = '/__framework/inspect.js';

/** Files that the capture page loads, by their path on the project server. */
export const captureFiles = [
  ...mediaScripts,
  servedFile('inPage.js', javascript),
  servedFile('frameWriter.js', javascript),
  servedFile('inspect.js', javascript),
  ...features
    .flatMap(({ scripts }) => scripts ?? [])
    .map((name) => servedFile(name, name.endsWith('.wasm') ? webAssembly : javascript)),
  servedFile('convert.wasm', webAssembly),
];

function servedFile(name: string, type: string): [path: string, file: VirtualFile] {
  return [`/__framework/${name}`, { file: fileURLToPath(new URL(name, folder)), type, immutable: true }];
}

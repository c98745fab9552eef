// Builds everything that ships into dist/: the CLI, the SDK, the language server, the editor's extension, the page
// scripts and the pixel converter (WebAssembly).
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { nodeServer, serverWorker } from './scripts/serverBundles.mjs';

const run = promisify(execFile);

await rm('dist', { recursive: true, force: true });
await mkdir('dist/page', { recursive: true });

// What runs inside the page: plain scripts, no imports left.
const page = build({
  entryPoints: {
    runtime: 'renderer-core/runtime/main.ts',
    inPage: 'renderer-core/capture/inPage.ts',
    frameWriter: 'renderer-core/capture/frameWriter.ts',
    preview: 'renderer-core/previewPage/main.ts',
  },
  outdir: 'dist/page',
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  minify: true,
  metafile: true,
});

// The page's demultiplexer, which only compositions with media load.
const pageModule = build({
  entryPoints: { videoFile: 'renderer-core/capture/videoFile.ts' },
  outdir: 'dist/page',
  bundle: true,
  format: 'esm',
  target: 'chrome120',
  minify: true,
  metafile: true,
});

const bundledPackages = {
  // css-tree's sources read data files from their own folder; its browser bundle carries them.
  'css-tree': 'css-tree/dist/csstree.esm',
  // What the browser driver would download browsers with: 2 MB for what is never done here.
  'proxy-agent': './scripts/noProxyAgent.mjs',
};

/** Packages that are not modules ask for others with it. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

// What runs in Node. Packages that carry a binary stay outside: they find it beside their own files.
const node = build({
  entryPoints: {
    cli: 'renderer-core/cli/main.ts',
    index: 'renderer-core/index.ts',
    renderWorker: 'renderer-core/service/renderWorker.ts',
    functionPackage: 'renderer-core/serverless/functionPackage.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // jsonc-parser's CommonJS build cannot be bundled.
  mainFields: ['module', 'main'],
  alias: bundledPackages,
  // The last is what pg would use if somebody had installed it.
  external: ['@sparticuz/chromium', '@ffmpeg-installer/ffmpeg', 'ffmpeg-static', 'libsql', 'pg-native'],
  banner: { js: requireBanner },
  metafile: true,
});

// The function of the serverless stack: one file beside its page scripts, to be packed by itself.
const lambda = build({
  entryPoints: { handler: 'renderer-core/serverless/handler.ts' },
  outdir: 'dist/lambda',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  mainFields: ['module', 'main'],
  alias: bundledPackages,
  external: ['@sparticuz/chromium', '@ffmpeg-installer/ffmpeg', 'ffmpeg-static'],
  banner: { js: requireBanner },
  minify: true,
  metafile: true,
});

const server = build({ ...nodeServer, outdir: 'dist' });
const worker = build({ ...serverWorker, outdir: 'dist' });

// The editor's extension: `.cjs`, because a browser's extension host knows no other kind of module. On a computer the
// language client, which is nearly all of it, is a file of its own: no window waits for it.
const extension = build({
  entryPoints: { extension: 'client/extension.ts', nodeClient: 'client/nodeClient.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  external: ['vscode'],
  plugins: [
    {
      name: 'own file',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/nodeClient\.ts$/ }, () => ({ path: './nodeClient.cjs', external: true })),
    },
  ],
  metafile: true,
});
const webExtension = build({
  entryPoints: { webExtension: 'client/webExtension.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'browser',
  format: 'cjs',
  target: 'es2022',
  minify: true,
  external: ['vscode'],
  metafile: true,
});

// What runs inside the editor's webviews: a script for each file of the folder, with the styles that it imports.
const webviews = build({
  entryPoints: (await readdir('client/webview').catch(() => []))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `client/webview/${name}`),
  outdir: 'dist/webview',
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  minify: true,
  metafile: true,
});

// Pixel conversion, written in AssemblyScript because it needs SIMD and exact integer arithmetic.
const pixels = run(process.execPath, [
  'node_modules/assemblyscript/bin/asc.js',
  'renderer-core/capture/convert.as.ts',
  ...['-O3', '--enable', 'simd', '--runtime', 'stub', '--importMemory', '--initialMemory', '1'],
  ...['-o', 'dist/page/convert.wasm'],
]);

const results = await Promise.all([page, pageModule, node, lambda, server, worker, extension, webExtension, webviews]);
await pixels;
await finishLambda();
await writeFile(
  'dist/meta.json',
  JSON.stringify({
    inputs: Object.assign({}, ...results.map((r) => r.metafile.inputs)),
    outputs: Object.assign({}, ...results.map((r) => r.metafile.outputs)),
  }),
);

/** Page scripts beside the function's bundle, and a hash of it all in it: segments of other code are not taken over. */
async function finishLambda() {
  await cp('dist/page', 'dist/lambda/page', { recursive: true });
  const hash = createHash('sha256');
  for (const name of ['handler.mjs', ...(await readdir('dist/page')).sort().map((file) => `page/${file}`)]) {
    hash.update(await readFile(`dist/lambda/${name}`));
  }
  const bundle = await readFile('dist/lambda/handler.mjs', 'utf8');
  await writeFile('dist/lambda/handler.mjs', bundle.replaceAll('@code-version@', hash.digest('hex').slice(0, 16)));
}

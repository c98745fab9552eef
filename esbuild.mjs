// Builds everything that ships into dist/: the CLI, the SDK, the language server, the editor's extension, the page
// scripts and the pixel converters (WebAssembly). With `--watch`, builds again after every change and checks types.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build, context } from 'esbuild';
import { server, serverWorker, shortManifest } from './scripts/serverBundles.mjs';
import { servicePages } from './scripts/servicePages.mjs';

const run = promisify(execFile);

/** Scripts that run inside pages: plain scripts without imports. */
const page = {
  entryPoints: {
    runtime: 'renderer-core/page/main.ts',
    inPage: 'renderer-core/capture/page/inPage.ts',
    frameWriter: 'renderer-core/capture/page/frameWriter.ts',
    inspect: 'renderer-core/check/page/inspect.ts',
    preview: 'preview/page/main.ts',
  },
  outdir: 'dist/page',
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  minify: true,
};

/**
 * Modules that pages load when they need them: the demultiplexer, a feature for backdrop filters, a popup of the preview.
 * The language server reads durations with the same demultiplexer.
 */
const pageModule = {
  entryPoints: {
    videoFile: 'renderer-core/capture/page/videoFile.ts',
    backdropReach: 'renderer-core/page/features/backdrop/backdropReach.ts',
    readDuration: 'server/projects/readDuration.ts',
    elementMenu: 'preview/page/editing/elementMenu.ts',
  },
  outdir: 'dist/page',
  bundle: true,
  splitting: true,
  // The only shared module. A second one is an error.
  chunkNames: 'mediabunny',
  format: 'esm',
  target: 'chrome120',
  minify: true,
};

const alias = {
  // The package's own entry reads data files next to it.
  'css-tree': './scripts/cssTree.mjs',
  // puppeteer-core downloads browsers with it, which this project does itself. It is a third of the Lambda function's code.
  'proxy-agent': './scripts/noProxyAgent.mjs',
};

/** CommonJS packages inside an ES module call `require` for Node's own modules. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

/** Used by the command line and by the language server, which are separate builds: they also run in web workers. */
const parsers = {
  entryPoints: { parsers: 'renderer-core/model/text/parsers.ts', encodings: 'renderer-core/model/text/encodings.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: ['node20', 'es2022'],
  minify: true,
};

/** Parts that are in a file of their own, next to the bundle. */
const separateFiles = {
  name: 'load shared parts from their files',
  setup({ onResolve }) {
    onResolve({ filter: /\/parsers\.ts$/ }, () => ({ path: './parsers.js', external: true }));
    onResolve({ filter: /\/encodings\.ts$/ }, () => ({ path: './encodings.js', external: true }));
    // The demultiplexer is large, and it is next to the page scripts already.
    onResolve({ filter: /^\.\/readDuration\.ts$/ }, () => ({ path: './page/readDuration.js', external: true }));
  },
};

/** Packages with a binary are not bundled: they find it by their own path. */
const packagesWithBinaries = ['@sparticuz/chromium'];

const node = {
  entryPoints: {
    cli: 'cli/main.ts',
    index: 'sdk/index.ts',
    renderWorker: 'cloud/service/queue/renderWorker.ts',
    projectThread: 'cloud/service/storage/projectThread.ts',
    renderHost: 'renderer-core/render/host/hostMain.ts',
    functionPackage: 'serverless/deploy/functionPackage.ts',
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
  alias,
  // pg loads pg-native only where a user has installed it.
  external: [...packagesWithBinaries, 'libsql', 'pg-native'],
  plugins: [shortManifest, separateFiles],
  banner: { js: requireBanner },
};

/** A program of its own: `findFfmpeg` returns its path. */
const embeddedFfmpeg = {
  entryPoints: { embeddedFfmpeg: 'renderer-core/media/embedded/embeddedFfmpeg.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  plugins: [
    {
      name: 'load the libraries of the npm package only',
      setup: ({ onResolve }) =>
        onResolve({ filter: /\/binding\.js$/ }, ({ importer }) =>
          importer.includes('node-av') ? { path: resolve('renderer-core/media/embedded/addon.ts') } : undefined,
        ),
    },
  ],
};

/** The Lambda functions: one file each, next to the page scripts, packed separately. */
const lambda = {
  entryPoints: { handler: 'serverless/handler.ts', webhook: 'serverless/webhooks/webhookHandler.ts' },
  outdir: 'dist/lambda',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  mainFields: ['module', 'main'],
  alias,
  external: packagesWithBinaries,
  banner: { js: requireBanner },
  minify: true,
};

/**
 * The extension on a computer. Extension hosts in browsers only load CommonJS, hence `.cjs` everywhere. The language
 * client is most of the code; it is a separate file, so that no window waits for it. So are commands that are used rarely.
 */
const extension = {
  entryPoints: {
    addFont: 'client/fonts/addFont.ts',
    addVariable: 'client/form/addVariable.ts',
    extension: 'client/extension.ts',
    checkCommands: 'client/check/checkCommands.ts',
    comparePanel: 'client/preview/comparePanel.ts',
    dialogPanel: 'client/renderDialog/dialogPanel.ts',
    doctorPage: 'client/setup/doctorPage.ts',
    insertBlock: 'client/create/insertBlock.ts',
    newComposition: 'client/create/newComposition.ts',
    nodeClient: 'client/language/nodeClient.ts',
    partEdits: 'client/preview/partEdits.ts',
    promptForSize: 'client/render/promptForSize.ts',
    signIn: 'client/account/signIn.ts',
    uninstall: 'client/uninstall.ts',
    videoPage: 'client/render/video/videoPage.ts',
  },
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
      name: 'separate files for dynamic imports',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/[\w/]+\.ts$/ }, ({ path, kind }) =>
          kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : undefined,
        ),
    },
  ],
};

const webExtension = {
  entryPoints: { webExtension: 'client/webExtension.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'browser',
  format: 'cjs',
  target: 'es2022',
  minify: true,
  external: ['vscode'],
};

/** Scripts of the editor's webviews: one for each file of the folder, with the styles that it imports. */
const webviews = {
  entryPoints: (await readdir('client/webview'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `client/webview/${name}`),
  outdir: 'dist/webview',
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  minify: true,
};

const builds = [
  page,
  pageModule,
  parsers,
  node,
  embeddedFfmpeg,
  lambda,
  { ...embeddedFfmpeg, outdir: 'dist/lambda' },
  { ...server, outdir: 'dist', plugins: [...server.plugins, separateFiles] },
  { ...serverWorker, outdir: 'dist' },
  extension,
  webExtension,
  webviews,
  servicePages,
].map((options) => ({ ...options, metafile: true }));

await rm('dist', { recursive: true, force: true });
await mkdir('dist/page', { recursive: true });
if (process.argv.includes('--watch')) await watch();
else await buildOnce();

async function buildOnce() {
  const [results] = await Promise.all([
    Promise.all(builds.map((options) => build(options))),
    buildPixelConverters(),
    copyFonts(),
  ]);
  await finishLambda();
  await writeFile(
    'dist/meta.json',
    JSON.stringify({
      inputs: Object.assign({}, ...results.map((r) => r.metafile.inputs)),
      outputs: Object.assign({}, ...results.map((r) => r.metafile.outputs)),
    }),
  );
}

/** Builds readable code with source maps after every change, and checks types in a second process. Ends with Ctrl-C. */
async function watch() {
  await Promise.all([buildPixelConverters(), copyFonts()]);
  const readable = builds.map((options) => ({ ...options, minify: false, sourcemap: true, logLevel: 'info' }));
  const contexts = await Promise.all(readable.map((options) => context(options)));
  await Promise.all(contexts.map((one) => one.rebuild()));
  console.log('[dev] first build finished');
  await Promise.all(contexts.map((one) => one.watch()));
  const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--watch', '--preserveWatchOutput'];
  spawn(process.execPath, tsc, { stdio: 'inherit' });
}

/** Pixel conversion is written in AssemblyScript because it needs SIMD, exact integer arithmetic and tables of half floats. */
async function buildPixelConverters() {
  const compile = (name, sources, ...options) =>
    run(process.execPath, [
      'node_modules/assemblyscript/bin/asc.js',
      ...sources.map((source) => `renderer-core/${source}.as.ts`),
      ...['-O3', '--enable', 'simd', '--runtime', 'stub', ...options, '-o', `dist/page/${name}.wasm`],
    ]);
  const frames = ['capture/page/convert', 'capture/page/deepPixels'];
  await Promise.all([
    compile('convert', frames, '--importMemory', '--initialMemory', '1'),
    compile('hdrFrames', ['page/features/hdrVideo/hdrFrames'], '--initialMemory', '4'),
  ]);
}

function copyFonts() {
  return run(process.execPath, ['--import', 'tsx', 'scripts/includedFonts.ts']);
}

/** Copies the page scripts next to the function, and puts a hash of all its code into it: segments of other code are not reused. */
async function finishLambda() {
  await cp('dist/page', 'dist/lambda/page', { recursive: true });
  const hash = createHash('sha256');
  for (const name of [
    'handler.mjs',
    'embeddedFfmpeg.mjs',
    ...(await readdir('dist/page')).sort().map((file) => `page/${file}`),
  ]) {
    hash.update(await readFile(`dist/lambda/${name}`));
  }
  const bundle = await readFile('dist/lambda/handler.mjs', 'utf8');
  await writeFile('dist/lambda/handler.mjs', bundle.replaceAll('@code-version@', hash.digest('hex').slice(0, 16)));
}

// Build options of the language server, for the build and for tests that start it.
import { builtinModules } from 'node:module';

/** @type {Pick<import('esbuild').BuildOptions, 'bundle' | 'minify'> & { metafile: true }} */
const common = { bundle: true, minify: true, metafile: true };

/** CommonJS packages call `require` for Node's modules, which ES modules do not have. They import them instead. */
const importNodeModules = {
  name: 'import the modules of Node',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`) }, ({ path, kind }) =>
      kind === 'require-call' ? { path: path.replace('node:', ''), namespace: 'node' } : { path, external: true },
    );
    onLoad({ filter: /./, namespace: 'node' }, ({ path }) => ({ contents: `export * from 'node:${path}'` }));
  },
};

/**
 * The server for Node and the server for web workers, as modules that share nearly all of their code. Code splitting also
 * keeps rarely used code out of the startup.
 */
export const server = {
  ...common,
  entryPoints: { server: 'server/nodeMain.ts', serverModule: 'server/browserMain.ts' },
  splitting: true,
  chunkNames: 'server-[hash]',
  platform: 'neutral',
  conditions: ['node', 'browser'],
  // jsonc-parser's CommonJS build cannot be bundled.
  mainFields: ['module', 'main'],
  alias: {
    // css-tree's sources read data files from their own folder; its browser bundle includes them.
    'css-tree': 'css-tree/dist/csstree.esm',
    // The other build reads files, and is not needed: the server translates nothing with this package.
    '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js',
  },
  plugins: [importNodeModules],
  format: 'esm',
  target: ['node20', 'es2022'],
};

/** The script of the web worker, which imports the module. */
export const serverWorker = {
  ...common,
  entryPoints: { serverWorker: 'server/workerScript.ts' },
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
};

// Build options of the language server, for the build and for tests that start it.
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';

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

/** Of the package for encodings, the variant without modules of Node, which also runs in web workers. */
const encodingsForWorkers = {
  name: 'bundle encodings for web workers',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onLoad, esbuild }) {
    onLoad({ filter: /[\\/]encodings\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({ ...encodings, entryPoints: [path], write: false });
      return { contents: outputFiles[0]?.text ?? '' };
    });
  },
};

/** @type {Pick<import('esbuild').BuildOptions, 'bundle' | 'minify' | 'platform' | 'mainFields' | 'format' | 'target'>} */
const encodings = {
  bundle: true,
  minify: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: ['node20', 'es2022'],
};

/** Of package.json, programs need only what they say about themselves; the extension's part of it is large. */
export const shortManifest = {
  name: 'shorten the manifest',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onLoad }) {
    onLoad({ filter: /package\.json$/ }, async ({ path }) => {
      if (path !== resolve('package.json')) return undefined;
      const { name, version, homepage } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ name, version, homepage }), loader: 'json' };
    });
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
    // The other build reads files, and is not needed: the server translates nothing with this package.
    '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js',
  },
  plugins: [importNodeModules, encodingsForWorkers, shortManifest],
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

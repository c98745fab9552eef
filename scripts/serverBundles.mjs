// Build options of the language server, for the build and for tests that start it.

/** @type {import('esbuild').BuildOptions & { metafile: true }} */
const common = {
  bundle: true,
  minify: true,
  // jsonc-parser's CommonJS build cannot be bundled.
  mainFields: ['module', 'main'],
  // css-tree's sources read data files from their own folder; its browser bundle includes them.
  alias: { 'css-tree': 'css-tree/dist/csstree.esm' },
  metafile: true,
};

/** For Node. Code splitting keeps rarely used code out of the startup. */
export const nodeServer = {
  ...common,
  entryPoints: { server: 'server/nodeMain.ts' },
  splitting: true,
  chunkNames: 'server-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
};

/** For web workers: a single file. */
export const serverWorker = {
  ...common,
  entryPoints: { serverWorker: 'server/browserMain.ts' },
  platform: 'browser',
  mainFields: ['browser', 'module', 'main'],
  format: 'iife',
  target: 'es2022',
};

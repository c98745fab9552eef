// How the language server is bundled: for the build, and for the tests that start it.

/** @type {import('esbuild').BuildOptions & { metafile: true }} */
const common = {
  bundle: true,
  minify: true,
  // jsonc-parser's CommonJS build cannot be bundled.
  mainFields: ['module', 'main'],
  // css-tree's sources read data files from their own folder; its browser bundle carries them.
  alias: { 'css-tree': 'css-tree/dist/csstree.esm' },
  metafile: true,
};

/** A process. In pieces, so that what is seldom needed is not read at the start. */
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

/** A web worker, which is one file. */
export const serverWorker = {
  ...common,
  entryPoints: { serverWorker: 'server/browserMain.ts' },
  platform: 'browser',
  mainFields: ['browser', 'module', 'main'],
  format: 'iife',
  target: 'es2022',
};

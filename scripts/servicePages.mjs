// How the style sheet and the script of the hosted service's web pages are built: for the build, and for tests.

/** @type {import('esbuild').BuildOptions} */
export const servicePages = {
  entryPoints: ['cloud/service/pages/assets/pageScript.ts', 'cloud/service/pages/assets/pageStyle.css'],
  outdir: 'dist/service',
  bundle: true,
  format: 'iife',
  target: 'es2022',
  minify: true,
};

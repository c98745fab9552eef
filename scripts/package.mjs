// Packs the VS Code extension into framework-<version>.vsix. `.vscodeignore` decides which of the staged files are packed.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { transform } from 'esbuild';
import { extensionFields, readPublication } from './publication.mjs';

const stage = '.cache/vsix';
const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const publication = await readPublication();
const { outputs } = JSON.parse(await readFile('dist/meta.json', 'utf8'));

/**
 * Entries that the extension never loads: the hosted service, commands that deploy to AWS, WebDriver BiDi, and what
 * @puppeteer/browsers needs for its own command line and downloads.
 */
const leftOut = [
  /^cli\/commands\/(?:serve\/(?!serveCommands|serveSettings)\w+|doctorService|serverless\/serverless(?:Deploy|Policies|Batch|Webhooks)|chunks\/chunks)\.ts$/,
];

/** The command line and the render host, with everything that they load. */
const programs = [...loadedFiles('dist/cli.js'), ...loadedFiles('dist/renderHost.js')];

/** Built for size already. */
const isMinified = (name) =>
  name.endsWith('.cjs') || /^(?:server[\w-]*|parsers|encodings|embeddedFfmpeg)\.m?js$/.test(name);

await rm(stage, { recursive: true, force: true });
await mkdir(stage, { recursive: true });
for (const folder of ['blocks', 'docs', 'l10n', 'syntaxes', 'dist/page', 'dist/webview']) await copy(folder);
for (const file of [
  'LICENSE',
  'CHANGELOG.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  ...(await readdir('dist')).filter(isMinified).map((name) => `dist/${name}`),
  '.vscodeignore',
  ...(await manifestTranslations()),
])
  await copy(file);
for (const path of new Set(programs)) await minify(path);
await stageExamples();
await stageReadme();
await writeFile(
  join(stage, 'package.json'),
  JSON.stringify({ ...extensionManifest(manifest), ...extensionFields(publication) }, null, 2),
);

const packagePath = `framework-${manifest.version}.vsix`;
await createVSIX({
  cwd: stage,
  packagePath,
  dependencies: false,
  allowMissingRepository: true,
  // The marketplace shows images with public addresses only: those of the repository, which are the same files. Of other hosts, the
  // addresses of files are not known.
  rewriteRelativeLinks: /^https:\/\/(?:www\.)?(?:github|gitlab)\.com\//.test(publication.repository ?? ''),
});
const { size } = await stat(packagePath);
console.log(`${packagePath}: ${(size / 1e6).toFixed(2)} MB`);

async function copy(path) {
  await mkdir(dirname(join(stage, path)), { recursive: true });
  await cp(path, join(stage, path), { recursive: true });
}

/** The build is readable, for stack traces; here size matters more. The licenses in comments are in THIRD-PARTY-NOTICES.txt. */
async function minify(path) {
  const { code } = await transform(await readFile(path, 'utf8'), {
    minify: true,
    format: 'esm',
    legalComments: 'none',
  });
  await writeFile(join(stage, path), code);
}

/** The files that a file imports, also later. */
function loadedFiles(path, found = new Set([path])) {
  for (const { path: next } of outputs[path].imports) {
    const file = outputs[next];
    if (!file || found.has(next) || leftOut.some((pattern) => pattern.test(file.entryPoint))) continue;
    found.add(next);
    loadedFiles(next, found);
  }
  return found;
}

async function manifestTranslations() {
  return (await readdir('.')).filter((name) => /^package\.nls\.(?:[\w-]+\.)?json$/.test(name));
}

/** Stages the examples. Identical files (fonts, libraries) are stored once; `shared` in the index says where. */
async function stageExamples() {
  const index = JSON.parse(await readFile('examples/examples.json', 'utf8'));
  const firstWithContent = new Map();
  const shared = {};
  for (const path of index.examples.flatMap(({ name, files }) => files.map((file) => `${name}/${file}`))) {
    const content = (await readFile(`examples/${path}`)).toString('latin1');
    const first = firstWithContent.get(content);
    if (first !== undefined) shared[path] = first;
    else {
      firstWithContent.set(content, path);
      await copy(`examples/${path}`);
    }
  }
  await copy('examples/images');
  await writeFile(join(stage, 'examples/examples.json'), JSON.stringify({ ...index, shared }));
}

/** docs/editor.md becomes the extension's page, with the images that .vscodeignore packs. */
async function stageReadme() {
  const ignored = await readFile('.vscodeignore', 'utf8');
  const page = (await readFile('docs/editor.md', 'utf8')).replaceAll(
    /^!\[[^\]]*\]\((images\/[^)]*)\)\n\n?/gm,
    (image, path) => (ignored.includes(`!docs/${path}`) ? image : ''),
  );
  await writeFile(join(stage, 'README.md'), page.replaceAll(/\]\((?!https?:|#)(?:\.\/)?/g, '](docs/'));
}

/** The manifest without fields for npm. The description is translated here, which npm does not support. */
function extensionManifest({
  bin,
  exports,
  files,
  scripts,
  dependencies,
  optionalDependencies,
  devDependencies,
  ...rest
}) {
  return { ...rest, description: '%description%', scripts: { 'vscode:uninstall': 'node ./dist/uninstall.cjs' } };
}

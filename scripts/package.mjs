// Packs the VS Code extension into framework-<version>.vsix. `.vscodeignore` decides which of the staged files are packed.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { transform } from 'esbuild';

const stage = '.cache/vsix';
const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const { outputs } = JSON.parse(await readFile('dist/meta.json', 'utf8'));

/**
 * Entries that the extension never loads: the hosted service, commands that deploy to AWS, WebDriver BiDi, and what
 * @puppeteer/browsers needs for its own command line and downloads.
 */
const leftOut = [
  /^cli\/commands\/(?:serve\/(?!serveCommands|serveSettings)\w+|doctorService|serverless\/serverless(?:Deploy|Policies|Batch|Webhooks))\.ts$/,
  /^node_modules\/puppeteer-core\/.*\/bidi\.js$/,
  /^node_modules\/(?:yargs\/index\.mjs|extract-zip\/index\.js)$/,
];

const entries = [
  'addVariable.cjs',
  'dialogPanel.cjs',
  'doctorPage.cjs',
  'extension.cjs',
  'insertBlock.cjs',
  'newComposition.cjs',
  'nodeClient.cjs',
  'partEdits.cjs',
  'promptForSize.cjs',
  'webExtension.cjs',
  'server.js',
  'serverModule.js',
  'serverWorker.js',
  'cli.js',
  'renderHost.js',
  'embeddedFfmpeg.mjs',
];

await rm(stage, { recursive: true, force: true });
await mkdir(stage, { recursive: true });
for (const folder of ['blocks', 'docs', 'l10n', 'syntaxes', 'dist/page', 'dist/webview']) await copy(folder);
for (const file of [
  'LICENSE',
  'CHANGELOG.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  '.vscodeignore',
  ...(await manifestTranslations()),
])
  await copy(file);
for (const file of new Set(entries.flatMap((name) => bundleFiles(`dist/${name}`)))) await copyMinified(file);
await stageExamples();
await stageReadme();
await writeFile(join(stage, 'package.json'), JSON.stringify(extensionManifest(manifest), null, 2));

const packagePath = `framework-${manifest.version}.vsix`;
await createVSIX({
  cwd: stage,
  packagePath,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
const { size } = await stat(packagePath);
console.log(`${packagePath}: ${(size / 1e6).toFixed(2)} MB`);

async function copy(path) {
  await mkdir(dirname(join(stage, path)), { recursive: true });
  await cp(path, join(stage, path), { recursive: true });
}

/** The command line is built readable, for stack traces; here size matters more. */
async function copyMinified(path) {
  if (path.endsWith('.cjs') || /\bserver[-\w]*\.js$/.test(path)) return copy(path);
  // THIRD-PARTY-NOTICES.txt has the licenses that the code repeats in comments.
  const options = { minify: true, target: 'node20', legalComments: 'none' };
  const { code } = await transform(await readFile(path, 'utf8'), options);
  await writeFile(join(stage, path), code);
}

async function manifestTranslations() {
  return (await readdir('.')).filter((name) => /^package\.nls\.(?:[\w-]+\.)?json$/.test(name));
}

/** A bundle and the chunks that it loads, without those of commands that are left out. */
function bundleFiles(entry) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path) || leftOut.some((pattern) => pattern.test(outputs[path]?.entryPoint))) return;
    found.add(path);
    for (const { path: next, external } of outputs[path]?.imports ?? []) if (!external) visit(next);
  };
  visit(entry);
  return [...found];
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
  await writeFile(join(stage, 'examples/examples.json'), JSON.stringify({ ...index, shared }));
}

/** docs/editor.md becomes the extension's page, without images: the marketplace shows only images with public URLs. */
async function stageReadme() {
  const page = (await readFile('docs/editor.md', 'utf8')).replaceAll(/^!\[[^\]]*\]\(images\/[^)]*\)\n\n?/gm, '');
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
  return { ...rest, description: '%description%' };
}

// Packs the VS Code extension into framework-<version>.vsix. `.vscodeignore` decides which of the staged files are packed.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { rolldown } from 'rolldown';

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

const leftOutFiles = new Set(
  Object.keys(outputs)
    .filter((path) => leftOut.some((pattern) => pattern.test(outputs[path].entryPoint)))
    .map((path) => basename(path)),
);

/** Bundles of `dist` that are packed together, so that code which they share is packed once. */
const bundles = [
  { entries: ['cli.js', 'renderHost.js'], sharedFiles: 'chunk-[hash].js' },
  { entries: ['server.js', 'serverModule.js'], sharedFiles: 'server-[hash].js' },
  { entries: ['embeddedFfmpeg.mjs'] },
  // Each script of the extension is loaded alone.
  ...(await readdir('dist')).filter((name) => name.endsWith('.cjs')).map((name) => ({ entries: [name] })),
];

/** Bytes. A smaller file costs more to find and to compress than to load early. */
const smallestFile = 8000;

/** One file: what the command line always loads before it runs. Other code is loaded later, so that programs start quickly. */
const startFiles = withSmallFiles(staticImports('dist/cli.js'));

await rm(stage, { recursive: true, force: true });
await mkdir(stage, { recursive: true });
for (const folder of ['blocks', 'docs', 'l10n', 'syntaxes', 'dist/page', 'dist/webview']) await copy(folder);
for (const file of [
  'LICENSE',
  'CHANGELOG.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/parsers.js',
  'dist/encodings.js',
  'dist/serverWorker.js',
  '.vscodeignore',
  ...(await manifestTranslations()),
])
  await copy(file);
for (const bundle of bundles) await pack(bundle);
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

/**
 * Bundles the built files again. The build is readable, for stack traces, and has a file for each set of programs that
 * share code; here size matters more.
 */
async function pack({ entries, sharedFiles }) {
  const build = await rolldown({
    input: entries.map((name) => `dist/${name}`),
    platform: 'node',
    external: (id) =>
      !/^[./]/.test(id) ||
      leftOutFiles.has(basename(id)) ||
      /^\.\/(?:page\/|parsers\.js|encodings\.js|\w+\.cjs)/.test(id),
  });
  await build.write({
    dir: join(stage, 'dist'),
    format: entries[0].endsWith('.cjs') ? 'cjs' : 'esm',
    // The licenses that the code repeats in comments are in THIRD-PARTY-NOTICES.txt.
    comments: false,
    minify: true,
    entryFileNames: `[name]${extname(entries[0])}`,
    chunkFileNames: sharedFiles,
    codeSplitting: sharedFiles === undefined || {
      groups: [{ name: 'start', test: (id) => startFiles.has(`dist/${basename(id)}`) }],
    },
  });
  await build.close();
}

/** The files that a file imports before it runs. */
function staticImports(path, found = new Set()) {
  for (const { path: next, kind, external } of outputs[path].imports) {
    if (kind !== 'import-statement' || external || found.has(next)) continue;
    found.add(next);
    staticImports(next, found);
  }
  return found;
}

/** Adds small shared files, except those that need a large one. */
function withSmallFiles(files) {
  const isSmall = (path) => files.has(path) || (outputs[path].bytes <= smallestFile && !outputs[path].entryPoint);
  const small = Object.keys(outputs).filter(
    (path) => path.startsWith('dist/chunk-') && isSmall(path) && [...staticImports(path)].every(isSmall),
  );
  return new Set([...files, ...small]);
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

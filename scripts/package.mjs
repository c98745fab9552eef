// Packs the editor's extension into framework-<version>.vsix: exactly the files that it needs, from what `npm run build` made.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { transform } from 'esbuild';

const stage = '.cache/vsix';
let exampleIndex;
const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const { outputs } = JSON.parse(await readFile('dist/meta.json', 'utf8'));

/** What is left to the command line: the hosted service, and what brings the function of the stack to AWS. */
const leftOut =
  /^renderer-core\/cli\/(?:serve(?:Accounts|Webhooks)?|serverlessDeploy|serverlessPolicies|serverlessBatch)\.ts$/;

const files = [
  'LICENSE',
  'CHANGELOG.md',
  manifest.icon,
  'docs/activity.svg',
  // The manifest's sentences and the code's, in English and in whatever languages there are.
  ...(await readdir('.')).filter((name) => /^package\.nls\.(?:[\w-]+\.)?json$/.test(name)),
  ...(await readdir('l10n')).map((name) => `l10n/${name}`),
  ...['agents', 'batch', 'benchmarks', 'compositions', 'json', 'render', 'rules', 'capture', 'preview', 'setup'].map(
    (name) => `docs/${name}.md`,
  ),
  ...(await readdir('docs/schemas')).map((name) => `docs/schemas/${name}`),
  ...[...manifest.contributes.grammars, ...manifest.contributes.snippets].map(({ path }) => path),
  ...manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
  ...['extension.cjs', 'nodeClient.cjs', 'webExtension.cjs', 'server.js', 'serverWorker.js'].flatMap((name) =>
    bundle(`dist/${name}`),
  ),
  ...bundle('dist/cli.js'),
  ...Object.keys(outputs).filter((path) => path.startsWith('dist/webview/')),
  ...(await exampleFiles()),
  ...['runtime.js', 'inPage.js', 'frameWriter.js', 'videoFile.js', 'convert.wasm', 'preview.js', 'preview.css'].map(
    (name) => `dist/page/${name}`,
  ),
];

/** A bundle and the pieces that it shares with others. */
function bundle(name) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path) || leftOut.test(outputs[path]?.entryPoint)) return;
    found.add(path);
    for (const { path: next, external } of outputs[path]?.imports ?? []) if (!external) visit(next);
  };
  visit(name);
  return [...found];
}

await rm(stage, { recursive: true, force: true });
for (const file of new Set(files)) {
  await mkdir(dirname(join(stage, file)), { recursive: true });
  if (/^dist\/[^/]+\.js$/.test(file)) await writeFile(join(stage, file), await minified(file));
  else await cp(file, join(stage, file));
}

/** What new compositions are made from; of equal files (fonts, libraries) the first alone, and the index says so. */
async function exampleFiles() {
  const index = JSON.parse(await readFile('examples/examples.json', 'utf8'));
  const byContent = new Map();
  const shared = {};
  for (const { name, files } of index.examples) {
    for (const path of files.map((file) => `${name}/${file}`)) {
      const content = (await readFile(`examples/${path}`)).toString('latin1');
      const first = byContent.get(content);
      if (first === undefined) byContent.set(content, path);
      else shared[path] = first;
    }
  }
  exampleIndex = { ...index, shared };
  return [...byContent.values()].map((path) => `examples/${path}`);
}

/** The command line is built to be read where it fails; here it has to be small. */
async function minified(file) {
  const { code } = await transform(await readFile(file, 'utf8'), { minify: true, target: 'node20' });
  return code;
}

// The repository's own page is for the command line; the editor's is docs/editor.md, whose links start in docs/.
const readme = await readFile('docs/editor.md', 'utf8');
// Without its pictures: an editor shows none that come with an extension, and shops want them from an address.
const words = readme.replaceAll(/^!\[[^\]]*\]\(images\/[^)]*\)\n\n?/gm, '');
await writeFile(join(stage, 'README.md'), words.replaceAll(/\]\((?!https?:|#)(?:\.\/)?/g, '](docs/'));
await writeFile(join(stage, 'examples/examples.json'), JSON.stringify(exampleIndex));
await writeFile(join(stage, 'package.json'), JSON.stringify(extensionManifest(manifest), null, 2));

/** Without what only npm reads; npm, in turn, does not translate the description. */
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

const packagePath = `framework-${manifest.version}.vsix`;
await createVSIX({
  cwd: stage,
  packagePath,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
const { size } = await stat(packagePath);
console.log(`${packagePath}: ${new Set(files).size + 3} files, ${(size / 1e6).toFixed(2)} MB`);

// The contents of the packed extension: its files, sizes and links.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { core } from '../support/suites.ts';
import { packed } from '../support/vscode/workbench.ts';
import { readZip } from '../support/zip.ts';

const files = readZip(packed);
const names = [...files.keys()].sort();
const read = (name: string) => String(files.get(name));

/** Files that several examples share are packed once. */
const { examples, shared } = JSON.parse(read('extension/examples/examples.json')) as {
  examples: { name: string; files: string[] }[];
  shared: Record<string, string>;
};
const listed = examples.flatMap(({ name, files: own }) => own.map((file) => `${name}/${file}`));
const exampleFiles = [
  'examples.json',
  ...examples.map(({ name }) => `images/${name}.webp`),
  ...listed.filter((path) => shared[path] === undefined),
]
  .map((path) => `extension/examples/${path}`)
  .sort();

const blockFiles = readdirSync(fileURLToPath(new URL('../../blocks/', import.meta.url)))
  .map((name) => `extension/blocks/${name}`)
  .sort();

test('contains every example unchanged', core, () => {
  const repository = fileURLToPath(new URL('../../examples/', import.meta.url));
  expect(Object.keys(shared).length).toBeGreaterThan(3);
  const wrong = listed.filter((path) => {
    const packed = files.get(`extension/examples/${shared[path] ?? path}`);
    return packed?.equals(readFileSync(posix.join(repository, path))) !== true;
  });
  expect(wrong).toEqual([]);
});

test('contains exactly these files', core, () => {
  // Shared chunks are named by a content hash.
  const stable = [
    ...new Set(
      names.map((name) => name.replace(/-[\w-]{8}\.js$/, '-*.js').replace(/schemas\/[\w-]+\.json$/, 'schemas/*.json')),
    ),
  ];
  expect(stable).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    ...blockFiles,
    'extension/changelog.md',
    'extension/dist/THIRD-PARTY-NOTICES.txt',
    'extension/dist/addFont.cjs',
    'extension/dist/addVariable.cjs',
    'extension/dist/checkCommands.cjs',
    'extension/dist/chunk-*.js',
    'extension/dist/cli.js',
    'extension/dist/comparePanel.cjs',
    'extension/dist/dialogPanel.cjs',
    'extension/dist/doctorPage.cjs',
    'extension/dist/embeddedFfmpeg.mjs',
    'extension/dist/encodings.js',
    'extension/dist/extension.cjs',
    'extension/dist/insertBlock.cjs',
    'extension/dist/newComposition.cjs',
    'extension/dist/nodeClient.cjs',
    'extension/dist/page/backdropReach.js',
    'extension/dist/page/convert.wasm',
    'extension/dist/page/elementMenu.js',
    'extension/dist/page/frameWriter.js',
    'extension/dist/page/hdrFrames.wasm',
    'extension/dist/page/inPage.js',
    'extension/dist/page/inspect.js',
    'extension/dist/page/mediabunny.js',
    'extension/dist/page/preview.css',
    'extension/dist/page/preview.js',
    'extension/dist/page/readDuration.js',
    'extension/dist/page/runtime.js',
    'extension/dist/page/videoFile.js',
    'extension/dist/parsers.js',
    'extension/dist/partEdits.cjs',
    'extension/dist/promptForSize.cjs',
    'extension/dist/renderHost.js',
    'extension/dist/server-*.js',
    'extension/dist/server.js',
    'extension/dist/serverModule.js',
    'extension/dist/serverWorker.js',
    'extension/dist/signIn.cjs',
    'extension/dist/uninstall.cjs',
    'extension/dist/videoPage.cjs',
    'extension/dist/webExtension.cjs',
    'extension/dist/webview/compare.css',
    'extension/dist/webview/compare.js',
    'extension/dist/webview/doctor.css',
    'extension/dist/webview/doctor.js',
    'extension/dist/webview/form.css',
    'extension/dist/webview/form.js',
    'extension/dist/webview/gallery.css',
    'extension/dist/webview/gallery.js',
    'extension/dist/webview/preview.css',
    'extension/dist/webview/preview.js',
    'extension/dist/webview/renderDialog.css',
    'extension/dist/webview/renderDialog.js',
    'extension/dist/webview/video.css',
    'extension/dist/webview/video.js',
    'extension/docs/activity.svg',
    'extension/docs/agents.md',
    'extension/docs/batch.md',
    'extension/docs/benchmarks.md',
    'extension/docs/blocks.md',
    'extension/docs/capture.md',
    'extension/docs/check.md',
    'extension/docs/compositions.md',
    'extension/docs/fonts.md',
    'extension/docs/icon.png',
    'extension/docs/images/bit-depth.png',
    'extension/docs/images/compare.png',
    'extension/docs/images/form.png',
    'extension/docs/images/preview.png',
    'extension/docs/images/sidebar.png',
    'extension/docs/images/sizes.webp',
    'extension/docs/images/sounds.png',
    'extension/docs/json.md',
    'extension/docs/preview.md',
    'extension/docs/render.md',
    'extension/docs/rules.md',
    'extension/docs/schemas/*.json',
    'extension/docs/setup.md',
    'extension/docs/walkthrough/compose.svg',
    'extension/docs/walkthrough/personalise.svg',
    'extension/docs/walkthrough/preview.svg',
    'extension/docs/walkthrough/render.svg',
    'extension/docs/walkthrough/scale.svg',
    ...exampleFiles,
    'extension/package.json',
    'extension/package.nls.json',
    'extension/readme.md',
    'extension/syntaxes/framework.code-snippets',
    'extension/syntaxes/framework.injection.tmLanguage.json',
  ]);
});

test.each([
  ['the hosted service', 'framework_requests_total'],
  ['the AWS deployment', 'The stack is up to date'],
])('does not contain %s', (_what, mark) => {
  expect(names.filter((name) => name.endsWith('.js') && read(name).includes(mark))).toEqual([]);
  const built = fileURLToPath(new URL('../../dist/', import.meta.url));
  const bundles = readdirSync(built).filter((name) => name.endsWith('.js'));
  expect(bundles.filter((name) => readFileSync(posix.join(built, name), 'utf8').includes(mark))).not.toEqual([]);
});

test('is at most 4 MB', core, () => {
  expect(statSync(packed).size).toBeLessThanOrEqual(4_000_000);
});

test('the main file is at most 160 kB; the language client is loaded later', () => {
  expect(files.get('extension/dist/extension.cjs')?.length).toBeLessThanOrEqual(160 * 1024);
});

test('contains all linked files', core, () => {
  const pages = names.filter((name) => name.endsWith('.md') && !name.endsWith('changelog.md'));
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
      .map(([, target = '']) => posix.join(posix.dirname(page), target))
      .filter((target) => !names.includes(target)),
  );
  expect(pages).toContain('extension/docs/render.md');
  expect(broken).toEqual([]);
});

test('contains all files of the manifest, and no npm-only fields', () => {
  const { main, browser, icon, contributes, scripts, ...rest } = JSON.parse(read('extension/package.json'));
  const { grammars, snippets, walkthroughs, jsonValidation } = contributes;
  const named = [main, browser, icon, ...[...grammars, ...snippets].map(({ path }: { path: string }) => path)];
  const steps = walkthroughs.flatMap((one: { steps: { media: { svg: string } }[] }) => one.steps);
  named.push(...steps.map(({ media }: (typeof steps)[number]) => media.svg));
  named.push(scripts['vscode:uninstall'].replace(/^node \.\//, ''));
  named.push(...jsonValidation.map(({ url }: { url: string }) => url));
  expect(named.map((path) => posix.join('extension', path)).filter((path) => !names.includes(path))).toEqual([]);
  expect(Object.keys(rest)).not.toContain('devDependencies');
});

test('contains a text for every key of the manifest', core, () => {
  const [text, sentences] = [read('extension/package.json'), JSON.parse(read('extension/package.nls.json'))];
  const keys = [...text.matchAll(/"%([\w.-]+)%"/g)].map(([, key = '']) => key);
  expect(keys).toContain('description');
  expect(keys.filter((key) => !(key in sentences))).toEqual([]);
});

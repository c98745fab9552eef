// What is in the packed extension: these files and no others, small, and with links that lead somewhere.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { readZip } from '../support/zip.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));
const files = readZip(vsix);
const names = [...files.keys()].sort();
const read = (name: string) => String(files.get(name));

test('holds these files', () => {
  // Pieces that bundles share are named by their content.
  const stable = [...new Set(names.map((name) => name.replace(/-[A-Z0-9]{8}\.js$/, '-*.js')))];
  expect(stable).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/changelog.md',
    'extension/dist/chunk-*.js',
    'extension/dist/cli.js',
    'extension/dist/extension.cjs',
    'extension/dist/nodeClient.cjs',
    'extension/dist/page/convert.wasm',
    'extension/dist/page/frameWriter.js',
    'extension/dist/page/inPage.js',
    'extension/dist/page/preview.css',
    'extension/dist/page/preview.js',
    'extension/dist/page/runtime.js',
    'extension/dist/page/videoFile.js',
    'extension/dist/server-*.js',
    'extension/dist/server.js',
    'extension/dist/serverWorker.js',
    'extension/dist/webExtension.cjs',
    'extension/dist/webview/form.css',
    'extension/dist/webview/form.js',
    'extension/dist/webview/preview.css',
    'extension/dist/webview/preview.js',
    'extension/docs/activity.svg',
    'extension/docs/batch.md',
    'extension/docs/benchmarks.md',
    'extension/docs/capture.md',
    'extension/docs/compositions.md',
    'extension/docs/icon.png',
    'extension/docs/preview.md',
    'extension/docs/render.md',
    'extension/docs/rules.md',
    'extension/package.json',
    'extension/readme.md',
    'extension/syntaxes/framework.injection.tmLanguage.json',
  ]);
});

test.each([
  ['the hosted service', 'framework_requests_total'],
  ['the serverless commands', 'arn:aws:states:::lambda:invoke'],
])('comes without %s', (_what, mark) => {
  expect(names.filter((name) => name.endsWith('.js') && read(name).includes(mark))).toEqual([]);
  const built = fileURLToPath(new URL('../../dist/', import.meta.url));
  const bundles = readdirSync(built).filter((name) => name.endsWith('.js'));
  expect(bundles.filter((name) => readFileSync(posix.join(built, name), 'utf8').includes(mark))).not.toEqual([]);
});

test('is at most 3 MB', () => {
  expect(statSync(vsix).size).toBeLessThanOrEqual(3_000_000);
});

test('what every window with an HTML file loads is small; the language client comes after it', () => {
  expect(files.get('extension/dist/extension.cjs')?.length).toBeLessThanOrEqual(96 * 1024);
});

test('links lead to files that are in it', () => {
  const pages = names.filter((name) => name.endsWith('.md') && !name.endsWith('changelog.md'));
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
      .map(([, target = '']) => posix.join(posix.dirname(page), target))
      .filter((target) => !names.includes(target)),
  );
  expect(pages).toContain('extension/docs/render.md');
  expect(broken).toEqual([]);
});

test('what the manifest names is there, and nothing in it is for npm alone', () => {
  const { main, browser, icon, contributes, ...rest } = JSON.parse(read('extension/package.json'));
  const named = [main, browser, icon, ...contributes.grammars.map(({ path }: { path: string }) => path)];
  expect(named.map((path) => posix.join('extension', path)).filter((path) => !names.includes(path))).toEqual([]);
  expect(Object.keys(rest)).not.toContain('devDependencies');
});

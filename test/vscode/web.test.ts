// The packed extension in VS Code for the Web: its web entry point, and the language server as a web worker.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installVsCode } from '../support/vscode/installed.ts';
import { runCommand, selectors, waitForText } from '../support/vscode/ui.ts';
import { launchOptions, quiet, saveScreenshot } from '../support/vscode/workbench.ts';

/** The files of the extension before they are packed. */
const extension = fileURLToPath(new URL('../../.cache/vsix/', import.meta.url));
const composition =
  '<div data-composition-id="a" data-width="9" data-height="9" data-duration="1"><p data-start="nobody"></p></div>';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  const { main } = await installVsCode();
  const vscode = dirname(dirname(main));
  server = createServer(async ({ url = '/', headers }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    try {
      const { body, type } = await answer(decodeURIComponent(pathname), vscode, headers.host ?? '');
      response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  browser = await puppeteer.launch(await launchOptions());
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  server?.closeAllConnections();
});

test('shows problems in an untitled file, and explains why rendering is unavailable', async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForSelector('.monaco-workbench');
  await runCommand(page, 'File: New Untitled Text File');
  await page.waitForSelector(`${selectors.editor}`);
  await page.keyboard.sendCharacter(composition);
  await page.waitForSelector(selectors.squiggle, { timeout: 30_000 });
  await runCommand(page, 'Framework: Render');
  await waitForText(page, selectors.notification, 'VS Code for the Web cannot start');
  await saveScreenshot(page, 'web');
  expect(await page.$$(selectors.squiggle)).not.toHaveLength(0);
});

async function answer(path: string, vscode: string, host: string): Promise<{ body: string | Buffer; type: string }> {
  if (path === '/') return { body: html(host), type: types['.html'] ?? '' };
  const [, root, ...rest] = path.split('/');
  const folder = { vscode, extension }[root ?? ''];
  if (!folder || rest.includes('..')) throw new Error(path);
  const file = join(folder, ...rest);
  const body = await readFile(file);
  const type = types[extname(file)] ?? 'application/octet-stream';
  // This build of the workbench expects a VS Code server, which also stores the settings. Here there is none.
  if (file.endsWith('/workbench/workbench.js')) {
    const serverless = body
      .toString()
      .replace('remoteAuthority:location.host', 'remoteAuthority:void 0')
      .replace(/\.vscodeRemote(\}\),"User"\))/, '.vscodeUserData$1');
    return { body: serverless, type };
  }
  return { body, type };
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.cjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

function html(host: string): string {
  const at = (path: string) => ({ scheme: 'http', authority: host, path });
  const configuration = {
    additionalBuiltinExtensions: [at('/extension')],
    configurationDefaults: { ...quiet, 'files.defaultLanguage': 'html' },
    // Required by this build, but not used.
    userDataPath: '/user',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    productConfiguration: { enableTelemetry: false },
  };
  const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><html><head>
    <meta id="vscode-workbench-web-configuration" data-settings="${attribute(configuration)}">
    <meta id="vscode-workbench-web-base-url" data-settings="/vscode">
    <meta id="vscode-workbench-auth-session" data-settings="">
    <link rel="stylesheet" href="/vscode/out/vs/code/browser/workbench/workbench.css">
    </head><body aria-label=""></body>
    <script>globalThis._VSCODE_FILE_ROOT = location.origin + '/vscode/out/';</script>
    <script type="module" src="/vscode/out/nls.messages.js"></script>
    <script type="module" src="/vscode/out/vs/code/browser/workbench/workbench.js"></script></html>`;
}

// Starts a VS Code server with the packed extension and opens its workbench in a browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type LaunchOptions, type Page } from 'puppeteer-core';
import manifest from '../../../package.json' with { type: 'json' };
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { cacheFonts } from '../fonts.ts';
import { embeddedExecutable } from '../renders/ffmpeg.ts';
import { cache, installVsCode } from './installed.ts';
import { startPortProxy } from './portProxy.ts';

export type Workbench = {
  /** `host:port`: the authority of the URIs. */
  authority: string;
  /** Symbolic link to the browser, which `framework.browserPath` names. */
  browserLink: string;
  /** Opens a window. `payload` has the format of VS Code's own tests. */
  open(folder: string | undefined, payload: [string, string][]): Promise<Page>;
  close(): Promise<void>;
};

/** The packed extension. */
export const packed = fileURLToPath(new URL(`../../../framework-${manifest.version}.vsix`, import.meta.url));

export type WorkbenchOptions = {
  /** Default: the packed extension. */
  vsix?: string;
  /** Packed extensions that are installed too. */
  others?: readonly string[];
  /** The settings contain no paths of programs, so that the extension searches for them. */
  withoutPrograms?: boolean;
  /** Added to the settings in `quiet`. */
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  /** Additional flags of the server. */
  flags?: readonly string[];
  /** Forwards ports through the port of the workbench, as on a remote server. */
  forwardsPorts?: boolean;
  /** VS Code's language as extensions see it, such as `de`. The workbench itself stays English. */
  language?: string;
};

/** Settings that turn off animations, network access and notifications. */
export const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.reduceMotion': 'on',
  'workbench.colorTheme': 'Default Dark Modern',
  'chat.disableAIFeatures': true,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'editor.accessibilitySupport': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'remote.autoForwardPorts': false,
  // Turned on by default in a browser.
  'files.autoSave': 'off',
  'git.enabled': false,
  'window.commandCenter': false,
};

export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const {
    vsix = packed,
    others = [],
    settings,
    env,
    flags = [],
    withoutPrograms = false,
    forwardsPorts = false,
    language,
  } = options;
  const { node, main } = await installVsCode();
  const found = await findBrowser({ env: process.env });
  // Short, because the path of a socket must be short.
  const home = await mkdtemp(join(tmpdir(), 'fw-'));
  const folders = ['--server-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'ext')];
  // A link that a test can delete. The name of the target shows whether it is a headless shell.
  const browserLink = join(home, basename(found.path));
  await symlink(found.path, browserLink);
  const programs = {
    'framework.browserPath': browserLink,
    'framework.ffmpegPath': embeddedExecutable(join(home, 'ffmpeg')),
  };
  await writeJson(join(home, 'data/data/User/settings.json'), { ...quiet, ...settings });
  // Paths of programs are machine settings.
  await writeJson(join(home, 'data/data/Machine/settings.json'), withoutPrograms ? {} : programs);
  const environment = { ...process.env, ...found.env, ...env, HOME: home, VSCODE_IPC_HOOK_CLI: '' };
  // The extension would download them.
  await cacheFonts(environment, home);
  await finished(
    spawn(node, [main, ...folders, ...[vsix, ...others].flatMap((file) => ['--install-extension', file])], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

  const server = spawn(
    node,
    [
      main,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--without-connection-token',
      '--accept-server-license-terms',
      ...folders,
      ...flags,
    ],
    // Its own process group, so that the extension hosts can be killed too.
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const direct = await listening(server);
  const proxy = forwardsPorts ? await startPortProxy(Number(direct.split(':')[1])) : undefined;
  const authority = proxy ? `127.0.0.1:${proxy.port}` : direct;
  const browser = await puppeteer.launch(await launchOptions());
  return {
    authority,
    browserLink,
    open: (folder, payload) => openWindow(browser, authority, folder, payload, language),
    async close() {
      await browser.close();
      proxy?.close();
      await endGroup(server);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function launchOptions(): Promise<LaunchOptions> {
  const found = await findBrowser({ env: process.env });
  const flags = [
    '--no-first-run',
    '--disable-background-networking',
    '--disable-sync',
    '--disable-gpu',
    // Webviews stay in the process of the page: on a busy machine, Puppeteer sometimes misses frames of other processes.
    '--disable-site-isolation-trials',
    '--disable-features=IsolateOrigins,site-per-process,IsolateSandboxedIframes',
  ];
  return {
    executablePath: found.path,
    headless: found.headlessShell ? 'shell' : true,
    pipe: true,
    // Longer than any wait of a test, so that only a page that hangs times out.
    protocolTimeout: 90_000,
    env: { ...process.env, ...found.env },
    defaultViewport: { width: 1280, height: 800 },
    args: [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  };
}

async function openWindow(
  browser: Browser,
  authority: string,
  folder: string | undefined,
  payload: [string, string][],
  language: string | undefined,
): Promise<Page> {
  const page = await browser.newPage();
  if (language !== undefined) await page.evaluateOnNewDocument(setLanguage, language);
  // Only the active page is drawn, and many tests wait for drawn content.
  await page.bringToFront();
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (folder === undefined) query.set('ew', 'true');
  else query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  await page.goto(`http://${authority}/?${query}`);
  return page;
}

/** Sets VS Code's language as a language pack does, without its translations. */
function setLanguage(language: string): void {
  Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set: () => undefined });
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

/** The URI of a local file in a window of this workbench. */
export function remoteUri(authority: string, path: string): string {
  return `vscode-remote://${authority}${path}`;
}

async function finished(child: ChildProcess): Promise<void> {
  const output = collect(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The extension could not be installed (status ${code}):\n${output()}`);
}

async function listening(server: ChildProcess): Promise<string> {
  const output = collect(server);
  return new Promise((done, fail) => {
    server.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(output())?.[1];
      if (port) done(`127.0.0.1:${port}`);
    });
    server.once('exit', (code) => fail(new Error(`The workbench's server ended with ${code}:\n${output()}`)));
  });
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (text += piece));
  return () => text;
}

async function endGroup(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null) return;
  const ended = once(server, 'exit');
  process.kill(-server.pid, 'SIGTERM');
  const killTimer = setTimeout(() => server.pid && process.kill(-server.pid, 'SIGKILL'), 5000);
  await ended;
  clearTimeout(killTimer);
}

const screenshots = join(cache, 'screenshots');

/** Saves a screenshot as `.cache/vscode/screenshots/<name>.png`, for debugging. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) as `${string}.png` });
}

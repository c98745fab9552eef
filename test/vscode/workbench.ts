// Starts the workbench over a folder with the packed extension in it, and drives it with a real browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import puppeteer, { type Browser, type LaunchOptions, type Page } from 'puppeteer-core';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import { cache, installVsCode } from './installed.ts';
import { startPortProxy } from './portProxy.ts';

export type Workbench = {
  /** `host:port`, the authority of its URIs. */
  authority: string;
  /** The browser that the settings name for renders. */
  browserLink: string;
  /** Opens a window; `payload` as the workbench's own tests give it. */
  open(folder: string | undefined, payload: [string, string][]): Promise<Page>;
  close(): Promise<void>;
};

export type WorkbenchOptions = {
  vsix: string;
  /** The settings name no browser and no ffmpeg: they are looked for. */
  withoutPrograms?: boolean;
  /** Over the ones that keep the window quiet. */
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  /** Flags of the server beside those that every test needs. */
  flags?: readonly string[];
  /** Ports of the machine are reached through the workbench's own, as on a server elsewhere. */
  forwardsPorts?: boolean;
  /** The window's language as extensions see it, such as `de`; its own words stay English. */
  language?: string;
};

/** Settings that keep a window still and to itself. */
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
  // In a browser it is on by default.
  'files.autoSave': 'off',
  'git.enabled': false,
  'window.commandCenter': false,
};

export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { vsix, settings, env, flags = [], withoutPrograms = false, forwardsPorts = false, language } = options;
  const { node, main } = await installVsCode();
  const found = await findBrowser();
  const ffmpeg = await findFfmpeg();
  // Short: sockets are below it.
  const home = await mkdtemp(join(tmpdir(), 'fw-'));
  const folders = ['--server-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'ext')];
  // A link that a test may take away; its name tells a headless shell from a whole browser.
  const browserLink = join(home, basename(found.path));
  await symlink(found.path, browserLink);
  const programs = { 'framework.browserPath': browserLink, 'framework.ffmpegPath': ffmpeg.path };
  await writeJson(join(home, 'data/data/User/settings.json'), { ...quiet, ...settings });
  // Paths of programs belong to the machine, which for a browser is another one than the user's own.
  await writeJson(join(home, 'data/data/Machine/settings.json'), withoutPrograms ? {} : programs);
  const environment = { ...process.env, ...found.env, ...env, HOME: home, VSCODE_IPC_HOOK_CLI: '' };
  await finished(
    spawn(node, [main, ...folders, '--install-extension', vsix], {
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
    // A group of its own, so that the extension hosts below it can be ended with it.
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const own = await listening(server);
  const proxy = forwardsPorts ? await startPortProxy(Number(own.split(':')[1])) : undefined;
  const authority = proxy ? `127.0.0.1:${proxy.port}` : own;
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
  const found = await findBrowser();
  const switches = ['--no-first-run', '--disable-background-networking', '--disable-sync', '--disable-gpu'];
  return {
    executablePath: found.path,
    headless: found.headlessShell ? 'shell' : true,
    pipe: true,
    // Longer than any wait of a test: a page that answers nothing at all must not hold up the run.
    protocolTimeout: 90_000,
    env: { ...process.env, ...found.env },
    defaultViewport: { width: 1280, height: 800 },
    args: [...switches, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
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
  if (language !== undefined) await page.evaluateOnNewDocument(speak, language);
  // Only the page in front draws, and many waits are for what is drawn.
  await page.bringToFront();
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (folder === undefined) query.set('ew', 'true');
  else query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  await page.goto(`http://${authority}/?${query}`);
  return page;
}

/** In place of a language pack, which would say this and bring the workbench's own words. */
function speak(language: string): void {
  Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set: () => undefined });
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

/** The URI that a window of this workbench has for a file of this machine. */
export function remoteUri(authority: string, path: string): string {
  return `vscode-remote://${authority}${path}`;
}

async function finished(child: ChildProcess): Promise<void> {
  const said = collect(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The extension could not be installed (status ${code}):\n${said()}`);
}

async function listening(server: ChildProcess): Promise<string> {
  const said = collect(server);
  return new Promise((done, fail) => {
    server.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(said())?.[1];
      if (port) done(`127.0.0.1:${port}`);
    });
    server.once('exit', (code) => fail(new Error(`The workbench's server ended with ${code}:\n${said()}`)));
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
  const patience = setTimeout(() => server.pid && process.kill(-server.pid, 'SIGKILL'), 5000);
  await ended;
  clearTimeout(patience);
}

const pictures = join(cache, 'pictures');

/** Saved for whoever wants to look: `.cache/vscode/pictures/<name>.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) as `${string}.png` });
}

// Starts the browser that captures frames. The browser ends with this process.

import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import { defaultLocale, defaultTimezone } from '../model/locale.ts';
import { diskFull, isDiskFull } from '../project/output/tempFiles.ts';
import { programEnv } from '../project/programEnv.ts';
import { type BrowserProcesses, watchBrowserProcesses } from './browserProcesses.ts';
import { browserVersion, type FoundBrowser } from './findBrowser.ts';
import { type Graphics, graphicsCard, graphicsSwitches } from './graphics.ts';
import { closeRing, type Tab, type TabPool } from './warmPages.ts';

/** What is the same for all pages of a browser. */
export type BrowserSettings = {
  /** Keeps the frame rate of a display. */
  displayRate: boolean;
  /** All processes of the browser have it: an override for single pages fails if they share a process. */
  timezone: string;
  locale: string;
};

export const usualSettings: BrowserSettings = { displayRate: false, timezone: defaultTimezone, locale: defaultLocale };

export const haveSameSettings = (one: BrowserSettings, other: BrowserSettings): boolean =>
  one.displayRate === other.displayRate && one.timezone === other.timezone && one.locale === other.locale;

export type LaunchedBrowser = TabPool &
  BrowserSettings & {
    /** Such as `153.0.8010.0`. */
    version: string;
    source: FoundBrowser['source'];
    graphics: Graphics;
    /** Folder of the profile, which contains the ring files of paint capture. */
    profile: string;
    /** The name of the graphics card that draws; null if software does. */
    card: string | null;
    processes: BrowserProcesses;
    close(): Promise<void>;
  };

/** Command-line switches of every browser (docs/internals/capture.md). */
const switches = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--mute-audio',
  // The same pixels on every machine.
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--hide-scrollbars',
  // HTML-in-canvas.
  '--enable-features=CanvasDrawElement',
  '--enable-blink-features=CanvasDrawElement',
  '--disable-gpu-vsync',
];

/** No waiting for a display's frame rate. */
const unlimitedSwitch = '--disable-frame-rate-limit';

/**
 * For untrusted pages: the browser can connect only to `hosts` (`127.0.0.1:<port>`), over any protocol. Node fetches the
 * files of other hosts.
 */
const isolatingSwitches = (hosts: readonly string[]): string[] => [
  // A proxy that does not exist: rules for host names do not apply to IP addresses and WebRTC.
  '--proxy-server=http://nowhere.invalid:1',
  `--proxy-bypass-list=${['<-loopback>', ...hosts].join(';')}`,
  `--host-resolver-rules=${[...hosts.map((host) => `MAP ${host} ${host}`), 'MAP * ~NOTFOUND'].join(', ')}`,
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--block-new-web-contents',
];

export type LaunchOptions = Partial<BrowserSettings> & {
  graphics: Graphics;
  /** The browser gets those of these variables that it needs. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  keepsTabs?: boolean;
  /** The only `address:port` that the browser may connect to. Default: any. */
  onlyHosts?: readonly string[] | undefined;
};

/** Linux and macOS read the settings from the environment. */
function localeEnv(timezone: string, locale: string): Record<string, string> {
  const name = `${locale.replaceAll('-', '_')}.UTF-8`;
  return { TZ: timezone, LANG: name, LANGUAGE: name, LC_ALL: name };
}

/**
 * A browser that is killed may leave a temporary file, which is removed with its profile. Not for full browsers: they have a
 * socket there, whose path must be short.
 */
const temporaryEnv = ({ headlessShell }: FoundBrowser, profile: string): Record<string, string> =>
  headlessShell ? { TMPDIR: profile } : {};

/** Launches `found` with a fresh profile inside `folder`. Throws UserError `browser_failed` or `disk_full`. */
export async function launchBrowser(
  found: FoundBrowser,
  folder: string,
  { graphics, env, signal, keepsTabs = false, onlyHosts, ...given }: LaunchOptions,
): Promise<LaunchedBrowser> {
  const settings = { ...usualSettings, ...given };
  const { displayRate, timezone, locale } = settings;
  const args = [
    ...switches,
    `--lang=${locale}`,
    `--accept-lang=${locale}`,
    ...(displayRate ? [] : [unlimitedSwitch]),
    ...graphicsSwitches(graphics, process.platform),
    ...(onlyHosts ? isolatingSwitches(onlyHosts) : []),
  ];
  const profile = await mkdtemp(join(folder, 'profile-'));
  try {
    const browser = await puppeteer.launch({
      executablePath: found.path,
      headless: found.headlessShell ? 'shell' : true,
      // A pipe instead of a port: no other process can connect, and the browser ends with this process.
      pipe: true,
      userDataDir: profile,
      env: { ...programEnv(env), ...localeEnv(timezone, locale), ...temporaryEnv(found, profile), ...found.env },
      defaultViewport: null,
      protocolTimeout: 0,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: cannotSandbox(env) ? [...args, '--no-sandbox'] : args,
    });
    // The end of the browser is reported elsewhere; without a listener the broken pipe would end this process.
    for (const stream of browser.process()?.stdio ?? []) stream?.on('error', () => undefined);
    const tabs: Tab[] | undefined = keepsTabs ? [] : undefined;
    return {
      browser,
      tabs,
      // A full browser may end with its last page.
      hasFirstPage: found.headlessShell,
      version: (await browser.version()).replace(/^.*\//, ''),
      source: found.source,
      graphics,
      ...settings,
      profile,
      card: graphics === 'card' ? await graphicsCard(browser) : null,
      processes: await watchBrowserProcesses(browser),
      async close() {
        await closeInTime(browser);
        for (const tab of tabs ?? []) await closeRing(tab);
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (await isDiskFull(folder)) throw diskFull(error);
    // For a missing library, the executable's own message is better than the driver's.
    await browserVersion(found, { env });
    if (String((error as Error).message ?? error).includes('No usable sandbox')) throw sandboxError(found, error);
    throw new UserError('browser_failed', `The browser could not be started: ${firstLine(error)}`, {
      hint: `Run "framework doctor", or choose another browser than ${found.path} with --browser.`,
      cause: error,
    });
  }
}

const closeMs = 5000;

/** A browser that hangs does not close, so it is killed. */
async function closeInTime(browser: Browser): Promise<void> {
  const kill = () => killGroup(browser.process());
  const timer = setTimeout(kill, closeMs);
  await browser.close().catch(kill);
  clearTimeout(timer);
}

/** A browser leads a process group, except on Windows. */
function killGroup(browser: ChildProcess | null): void {
  if (browser?.pid === undefined) return;
  try {
    process.kill(-browser.pid, 'SIGKILL');
  } catch {
    browser.kill('SIGKILL');
  }
}

/** Chrome's sandbox cannot start as root, as in containers, or if the kernel does not allow user namespaces. */
const cannotSandbox = (env: NodeJS.ProcessEnv): boolean => process.getuid?.() === 0 || env.FRAMEWORK_NO_SANDBOX === '1';

/** From 23.10, Ubuntu allows namespaces only to programs with a profile, which browsers in a home folder lack. */
function sandboxError(found: FoundBrowser, cause: unknown): UserError {
  return new UserError('browser_failed', `This system does not allow ${found.path} to start its sandbox.`, {
    hint: 'Install Chrome as a system package, or allow this browser (see docs/setup.md), or set FRAMEWORK_NO_SANDBOX=1 if you render only compositions that you trust.',
    cause,
  });
}

const firstLine = (error: unknown): string =>
  String((error as Error).message ?? error)
    .split('\n')
    .find((line) => line.trim() !== '') ?? '';

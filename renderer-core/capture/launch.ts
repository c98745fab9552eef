// Starts the browser that frames are taken from, and ends it with its owner.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import { browserVersion, type FoundBrowser } from './findBrowser.ts';
import { closeRing, type Tab } from './tabs.ts';

export type LaunchedBrowser = {
  browser: Browser;
  /** Tabs that are free; undefined where pages are closed with their tabs. */
  tabs: Tab[] | undefined;
  version: string;
  /** The profile: the ring files of paint capture are below it. */
  profile: string;
  close(): Promise<void>;
};

/** `docs/capture.md` says what each one is for. */
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
  // HTML-in-canvas, and no waiting for a display that is not there.
  '--enable-features=CanvasDrawElement',
  '--enable-blink-features=CanvasDrawElement',
  '--disable-frame-rate-limit',
  '--disable-gpu-vsync',
];

/** Software WebGL, the same on every machine. Only where a page asks for it: it makes every other frame a sixth slower. */
const webGlSwitches = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
];

/**
 * For pages of strangers: the browser itself reaches `hosts` (`127.0.0.1:<port>`) and nothing else, over any protocol.
 * What pages need of other hosts is fetched by Node.
 */
const isolatingSwitches = (hosts: readonly string[]): string[] => [
  // A proxy that no name leads to; rules for names alone would not hold for addresses and WebRTC.
  '--proxy-server=http://nowhere.invalid:1',
  `--proxy-bypass-list=${['<-loopback>', ...hosts].join(';')}`,
  `--host-resolver-rules=${[...hosts.map((host) => `MAP ${host} ${host}`), 'MAP * ~NOTFOUND'].join(', ')}`,
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--block-new-web-contents',
];

export type LaunchOptions = {
  webGl: boolean;
  signal?: AbortSignal;
  keepsTabs?: boolean;
  /** The only `address:port` that the browser may connect to; left out: any. */
  onlyHosts?: readonly string[] | undefined;
};

/** Launches `found` with a fresh profile inside `folder`. Throws UserError `browser_failed`. */
export async function launchBrowser(
  found: FoundBrowser,
  folder: string,
  { webGl, signal, keepsTabs = false, onlyHosts }: LaunchOptions,
): Promise<LaunchedBrowser> {
  const args = [
    ...switches,
    ...(webGl ? webGlSwitches : ['--disable-gpu']),
    ...(onlyHosts ? isolatingSwitches(onlyHosts) : []),
  ];
  const profile = await mkdtemp(join(folder, 'profile-'));
  try {
    const browser = await puppeteer.launch({
      executablePath: found.path,
      headless: found.headlessShell ? 'shell' : true,
      // A pipe instead of a port: nobody else can connect, and the browser ends when this process does.
      pipe: true,
      userDataDir: profile,
      env: { ...process.env, ...found.env },
      defaultViewport: null,
      protocolTimeout: 0,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: cannotSandbox() ? [...args, '--no-sandbox'] : args,
    });
    // A pipe that breaks when the browser dies is told by the browser's end; alone it would end this process.
    for (const stream of browser.process()?.stdio ?? []) stream?.on('error', () => undefined);
    const tabs: Tab[] | undefined = keepsTabs ? [] : undefined;
    return {
      browser,
      tabs,
      version: await browser.version(),
      profile,
      async close() {
        await browser.close().catch(() => browser.process()?.kill('SIGKILL'));
        for (const tab of tabs ?? []) await closeRing(tab);
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    signal?.throwIfAborted();
    // A missing library shows in what the executable itself says, and not in what the driver makes of its silence.
    await browserVersion(found);
    if (String((error as Error).message ?? error).includes('No usable sandbox')) throw withoutSandbox(found, error);
    throw new UserError('browser_failed', `The browser could not be started: ${firstLine(error)}`, {
      hint: `Run "framework doctor", or name another browser with --browser. It was ${found.path}.`,
      cause: error,
    });
  }
}

/** Chrome's sandbox cannot start as root, which containers run as, nor where the kernel gives out no namespaces. */
const cannotSandbox = (): boolean => process.getuid?.() === 0 || process.env.FRAMEWORK_NO_SANDBOX === '1';

/** Ubuntu from 23.10 on gives namespaces to programs with a profile alone, which browsers in a home folder have not. */
function withoutSandbox(found: FoundBrowser, cause: unknown): UserError {
  return new UserError('browser_failed', `This system does not let ${found.path} start its sandbox.`, {
    hint: 'Install Chrome as a package of the system, or allow this one (docs/setup.md says how), or set FRAMEWORK_NO_SANDBOX=1 where you render only compositions that you trust.',
    cause,
  });
}

const firstLine = (error: unknown): string =>
  String((error as Error).message ?? error)
    .split('\n')
    .find((line) => line.trim() !== '') ?? '';

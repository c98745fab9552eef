// A session: what renders of one project share. A temporary folder, ffmpeg, browsers, and the servers of their pages.

import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserVersion, type FoundBrowser, findBrowser } from '../capture/findBrowser.ts';
import { type GpuChoice, graphicsToTry, mayHaveCard } from '../capture/graphics.ts';
import {
  type BrowserSettings,
  haveSameSettings,
  type LaunchedBrowser,
  launchBrowser,
  usualSettings,
} from '../capture/launch.ts';
import { browserEnded } from '../capture/pageErrors.ts';
import { readableMediaPath } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import type { Encoder } from '../media/codecs.ts';
import type { Ffmpeg } from '../media/ffmpeg.ts';
import { findEncoder } from '../media/findEncoder.ts';
import { type FoundFfmpeg, findFfmpeg } from '../media/findFfmpeg.ts';
import { type HostLists, isAllowedHost } from '../model/hostPatterns.ts';
import { configFile, readProjectConfig } from '../model/projectConfig.ts';
import { trackImports } from '../page/assemble/trackImports.ts';
import { type FeaturesOff, readFeatures } from '../page/features/features.ts';
import type { PageNeeds } from '../page/runtime/page.ts';
import type { PlanDraft } from '../plan/plan.ts';
import { outsideLink } from '../plan/projectErrors.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { diskFull, isDiskFull } from '../project/output/tempFiles.ts';
import { createWorkspace, type Workspace } from '../project/output/workspace.ts';
import { type FilesInside, readInside } from '../project/readInside.ts';
import type { Network } from '../project/remote/publicFetch.ts';
import { openRemoteAssets, type RemoteAssets } from '../project/remote/remoteAssets.ts';
import type { StoredFile } from '../project/remote/remoteStore.ts';
import { type ProjectServer, startProjectServer } from '../project/serve/projectServer.ts';
import type { Engine } from '../reports/engine.ts';
import { withFontFallbacks } from './fontFallbacks.ts';
import { readableMediaRoute } from './mediaRoute.ts';
import { untilAborted } from './promises.ts';
import type { FoundPrograms, WarmPrograms } from './warmPrograms.ts';

/** What a render reads of its process. Not in its request, which may be stored or sent to another process. */
export type Surroundings = {
  env: NodeJS.ProcessEnv;
  /** Milliseconds on a clock that only moves forward. */
  now(): number;
};

/** A project server with its own origin. Renders that run at the same time need one each, to tell whose file is missing. */
export type Site = {
  server: ProjectServer;
  remote: RemoteAssets;
  /** Its pages may connect to everything. */
  isOpen: boolean;
  /** Warnings about style sheets of Google Fonts that were left out, by URL. */
  fontWarnings: ReadonlyMap<string, string>;
  /** Files from other hosts that have been fetched, by URL. */
  remoteFiles: Map<string, StoredFile>;
  /** Closes the site before the session ends. May be called again. */
  close(): Promise<void>;
};

/** A browser in use. It stays open at least until it is released. */
export type BrowserLease = { launched: LaunchedBrowser; release(): Promise<void> };

/** What a composition needs of its browser. */
export type BrowserNeeds = Partial<BrowserSettings> & Pick<PageNeeds, 'graphics3d'>;

/** Browsers for renders one after another. Reuses the newest one; older ones close when their leases end. */
export type Browsers = { lease(needs: BrowserNeeds): Promise<BrowserLease> };

export type Session = Surroundings & {
  workspace: Workspace;
  ffmpeg: Ffmpeg;
  signal: AbortSignal;
  featuresOff: FeaturesOff;
  engineOf(launched: LaunchedBrowser): Engine;
  /** Whether this is the first call: the renders of a session share warnings about its programs. */
  isFirst(): boolean;
  encoderFor(draft: PlanDraft): Promise<Encoder>;
  /** `root`: default is the session's project. */
  openSite(root?: string): Promise<Site>;
  /** `reuse`: for many renders, one after another; keeps tabs open between them. */
  openBrowsers(reuse: boolean): Browsers;
};

export type SessionOptions = Surroundings & {
  root: string;
  browserPath?: string;
  ffmpegPath?: string;
  /** See `RenderRequest.features`. */
  features?: string;
  /** See `RenderRequest.gpu`. Default here: `off`. */
  gpu?: GpuChoice;
  /** Whether a browser is required. Default: true. */
  hasBrowser?: boolean;
  /** Unless it is `any`, a browser reaches only the open sites of this session. */
  network?: Network;
  /** Lists of the hosts that pages may load files from, besides that of the project. */
  allowHosts?: HostLists;
  /** Programs that stay ready between sessions with the same options, one after another. */
  warm?: WarmPrograms | undefined;
  signal?: AbortSignal;
  onEvent?: ((event: { type: 'stage'; stage: 'launch'; message: string }) => void) | undefined;
};

/** Runs `use` with a session and closes everything afterwards, in every case. Throws UserError `cancelled` on abort. */
export async function withSession<T>(options: SessionOptions, use: (session: Session) => Promise<T>): Promise<T> {
  const { warm, env, now } = options;
  const featuresOff = readFeatures(options.features);
  const signal = options.signal ?? new AbortController().signal;
  const browsers: LaunchedBrowsers = { launches: new Set(), isClosing: false };
  const closing: (() => Promise<unknown>)[] = [];
  let work: Promise<T> | undefined;
  try {
    signal.throwIfAborted();
    const workspace = await createWorkspace();
    closing.push(workspace.remove);
    const [ffmpeg, found] = await findPrograms(options, signal);
    let renders = 0;
    const { network = 'any', gpu = 'off', allowHosts = [] } = options;
    const state = { hosts: [], restrictedSites: 0 };
    const shared = { workspace, ffmpeg, signal, env, warm, featuresOff, network, allowHosts, gpu, ...state };
    work = use({
      env,
      now,
      workspace,
      ffmpeg,
      signal,
      featuresOff,
      engineOf: ({ version, source }) => ({
        browser: { version, source },
        ffmpeg: { version: ffmpeg.version, source: ffmpeg.source },
      }),
      isFirst: () => renders++ === 0,
      encoderFor: cacheEncoders(ffmpeg, signal, warm?.encoders),
      openSite: (root = options.root) => openSite(root, shared, closing),
      openBrowsers: (reuse) => openBrowsers(found, shared, browsers, reuse),
    });
    // Closing the browser ends all work in it; other work must not keep an aborted render alive.
    const result = await untilAborted(work, signal);
    browsers.isClosing = true;
    if (warm) await keepAll(browsers, warm);
    return result;
  } catch (error) {
    if (signal.aborted)
      throw new UserError('cancelled', 'The render was cancelled; nothing was written.', { cause: error });
    // The composition is not to blame for what it could not load.
    if (await hasLostProcess(browsers)) throw (await isDiskFull(tmpdir())) ? diskFull(error) : browserEnded(error);
    throw error;
  } finally {
    // Without its browser the work ends soon. Until then it must not start another one.
    browsers.isClosing = true;
    await closeAll(browsers);
    // Its failure was thrown above. The next render removes a folder that cannot be removed now.
    await work?.catch(() => undefined);
    for (const close of closing.reverse()) await close().catch(() => undefined);
  }
}

/** Whether a browser has ended, or one of the processes that its pages share. */
async function hasLostProcess({ launches }: LaunchedBrowsers): Promise<boolean> {
  const hasEnded = async ({ browser, processes }: LaunchedBrowser) => !browser.connected || processes.hasLost();
  const lost = await Promise.all([...launches].map((launch) => orFalse(launch.then(hasEnded))));
  return lost.includes(true);
}

/** The browser did not start, which the error already says. */
const orFalse = (check: Promise<boolean>): Promise<boolean> => check.catch(() => false);

/** The engine that a session with these options would have. */
export async function findEngine(options: Omit<SessionOptions, 'root' | 'now'>): Promise<Engine> {
  const { signal = new AbortController().signal } = options;
  const [ffmpeg, browser] = await findPrograms(options, signal);
  if (!browser) throw new Error('the session has no browser');
  // `HeadlessChrome 153.0.8010.0`, or only the number.
  const version = /[\d.]+$/.exec(await browserVersion(browser, { env: options.env, signal }))?.[0] ?? '';
  return {
    browser: { version, source: browser.source },
    ffmpeg: { version: ffmpeg.version, source: ffmpeg.source },
  };
}

async function findPrograms(
  { env, browserPath, ffmpegPath, hasBrowser = true, warm, onEvent }: Omit<SessionOptions, 'root' | 'now'>,
  signal: AbortSignal,
): Promise<FoundPrograms | [ffmpeg: FoundFfmpeg]> {
  const ffmpeg = () => findFfmpeg({ env, signal, ...(ffmpegPath === undefined ? {} : { path: ffmpegPath }) });
  if (!hasBrowser) return [await ffmpeg()];
  const sayDownload = () => onEvent?.({ type: 'stage', stage: 'launch', message: 'Downloading the browser (67 MB)' });
  const onDownload = env.FRAMEWORK_NO_BROWSER_DOWNLOAD ? undefined : sayDownload;
  const browser = () =>
    findBrowser({ env, signal, onDownload, ...(browserPath === undefined ? {} : { path: browserPath }) });
  const find = async (): Promise<FoundPrograms> => {
    const looked = [ffmpeg(), browser()] as const;
    await Promise.allSettled(looked);
    // If both are missing, the error is always the browser's.
    const found = await looked[1];
    return [await looked[0], found];
  };
  return warm ? warm.programs(find) : find();
}

/** All browsers of a session that are not closed yet, including those that are starting. */
type LaunchedBrowsers = { launches: Set<Promise<LaunchedBrowser>>; isClosing: boolean };

/** `hosts`: the addresses of the sites, as `host:port`. */
type Shared = Pick<Session, 'workspace' | 'ffmpeg' | 'signal' | 'featuresOff'> & {
  env: NodeJS.ProcessEnv;
  warm: WarmPrograms | undefined;
  network: Network;
  allowHosts: HostLists;
  gpu: GpuChoice;
  hosts: string[];
  /** Open sites whose pages may not connect to everything. */
  restrictedSites: number;
};

/** Without its list, all hosts would be allowed. Throws UserError `config_invalid`. */
function hostsOfProject(files: FilesInside): HostLists {
  if (files.escapesProject(configFile)) {
    const { message, hint } = outsideLink(configFile);
    throw new UserError('config_invalid', message, { hint });
  }
  const { allowHosts } = readProjectConfig(files.read(configFile) ?? '{}');
  return allowHosts ? [allowHosts] : [];
}

function cacheEncoders(
  ffmpeg: FoundFfmpeg,
  signal: AbortSignal,
  known = new Map<string, Promise<Encoder>>(),
): Session['encoderFor'] {
  return ({ format, codec, bitDepth, width, height }) => {
    const plan = { format, codec, bitDepth, width, height };
    const key = JSON.stringify(plan);
    const found = known.get(key) ?? findEncoder(ffmpeg, plan, signal);
    known.set(key, found);
    found.catch(() => known.delete(key));
    return found;
  };
}

let sites = 0;

async function openSite(root: string, shared: Shared, closing: (() => Promise<unknown>)[]): Promise<Site> {
  const { workspace, ffmpeg, signal, network, hosts } = shared;
  const files = readInside(root);
  const allowHosts = [...shared.allowHosts, ...hostsOfProject(files)];
  const isOpen = network === 'any' && allowHosts.length === 0;
  const mayLoadFrom = (host: string) => isAllowedHost(allowHosts, host);
  const folder = join(workspace.folder, `site-${sites++}`);
  await mkdir(folder);
  const server = await startProjectServer(root, { rewriteScript: trackImports });
  const { host } = new URL(server.origin);
  hosts.push(host);
  if (!isOpen) shared.restrictedSites++;
  // Untrusted projects share no cache: they must not see what another one has fetched.
  const cache = network === 'any' ? cacheRoot(shared.env) : join(folder, 'remote');
  const assets = openRemoteAssets({ cache, origin: server.origin, signal, network, mayLoadFrom });
  const { remote, warnings } = withFontFallbacks(assets, files, join(folder, 'empty.css'));
  server.setVirtual(readableMediaPath, readableMediaRoute({ server, remote, ffmpeg, folder, signal }));
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    hosts.splice(hosts.indexOf(host), 1);
    if (!isOpen) shared.restrictedSites--;
    remote.close();
    await server.close();
  };
  const close = (): Promise<void> => {
    closed ??= end();
    return closed;
  };
  closing.push(close);
  return { server, remote, isOpen, fontWarnings: warnings, remoteFiles: new Map(), close };
}

/** Browsers keep some memory of every page, so a browser is replaced after this many renders. */
const rendersPerBrowser = 200;

type RunningBrowser = {
  launch: Promise<LaunchedBrowser>;
  launched: LaunchedBrowser;
  graphics3d: boolean;
  /** The sites that it can reach; undefined: all. */
  hosts: readonly string[] | undefined;
  leases: number;
  served: number;
};

function openBrowsers(
  found: FoundBrowser | undefined,
  shared: Shared,
  all: LaunchedBrowsers,
  keepsTabs: boolean,
): Browsers {
  let newest: RunningBrowser | undefined;
  const end = async (running: RunningBrowser) => {
    all.launches.delete(running.launch);
    // What it leaves is in the temporary folder, which is removed at the end.
    await running.launched.close().catch(() => undefined);
  };
  const isUsable = ({ launched, served, graphics3d, hosts }: RunningBrowser, needs: BrowserNeeds) =>
    launched.browser.connected &&
    (hosts === undefined ? shared.restrictedSites === 0 : shared.hosts.every((host) => hosts.includes(host))) &&
    served < rendersPerBrowser &&
    (graphics3d || !needs.graphics3d) &&
    haveSameSettings(launched, { ...usualSettings, ...needs });
  return {
    async lease(needs) {
      if (newest && !isUsable(newest, needs)) {
        const old = newest;
        newest = undefined;
        if (old.leases === 0 || !old.launched.browser.connected) await end(old);
      }
      newest ??= (await takeWarm(shared, all, needs)) ?? (await launchIn(found, shared, all, { ...needs, keepsTabs }));
      const leased = newest;
      leased.leases++;
      leased.served++;
      let isReleased = false;
      return {
        launched: leased.launched,
        async release() {
          if (isReleased) return;
          isReleased = true;
          leased.leases--;
          if (leased.leases === 0 && leased !== newest) await end(leased);
        },
      };
    },
  };
}

async function takeWarm(
  { warm, restrictedSites, gpu, signal }: Shared,
  all: LaunchedBrowsers,
  { graphics3d, ...settings }: BrowserNeeds,
): Promise<RunningBrowser | undefined> {
  // It reaches all hosts.
  if (restrictedSites > 0) return undefined;
  const launched = await warm?.take(graphicsToTry(gpu, graphics3d, mayHaveCard()), { ...usualSettings, ...settings });
  if (!launched) return undefined;
  const launch = Promise.resolve(launched);
  all.launches.add(launch);
  if (signal.aborted || all.isClosing) await closeAll(all);
  signal.throwIfAborted();
  return { launch, launched, graphics3d: launched.graphics !== 'plain', hosts: undefined, leases: 0, served: 0 };
}

async function launchIn(
  found: FoundBrowser | undefined,
  shared: Shared,
  all: LaunchedBrowsers,
  options: BrowserNeeds & { keepsTabs: boolean },
): Promise<RunningBrowser> {
  const { workspace, warm, signal, env, gpu, hosts, restrictedSites } = shared;
  if (!found) throw new Error('the session has no browser');
  // A browser gets them as arguments, so it cannot reach sites that are opened later.
  const onlyHosts = restrictedSites === 0 ? undefined : [...hosts];
  const folder = warm ? await warm.folder() : workspace.folder;
  for (const graphics of graphicsToTry(gpu, options.graphics3d, mayHaveCard())) {
    signal.throwIfAborted();
    if (all.isClosing) throw new Error('the session has ended');
    const { graphics3d: _, ...settings } = options;
    const launch = launchBrowser(found, folder, { ...settings, graphics, env, signal, onlyHosts });
    all.launches.add(launch);
    const launched = await launch;
    signal.throwIfAborted();
    // WebGL works with a card, so a browser with one serves every page.
    const graphics3d = graphics !== 'plain';
    if (graphics !== 'card' || launched.card !== null)
      return { launch, launched, graphics3d, hosts: onlyHosts, leases: 0, served: 0 };
    all.launches.delete(launch);
    await launched.close();
  }
  throw new UserError('browser_failed', `${found.path} cannot use a graphics card on this machine.`, {
    hint: 'Use --gpu auto, which draws in software then. chrome://gpu shows the reason in a browser with a window.',
  });
}

async function keepAll({ launches }: LaunchedBrowsers, warm: WarmPrograms): Promise<void> {
  for (const launch of [...launches]) {
    launches.delete(launch);
    // One that did not start was reported.
    const launched = await launch.catch(() => undefined);
    if (launched) warm.keep(launched);
  }
}

async function closeAll({ launches }: LaunchedBrowsers): Promise<void> {
  for (const launch of [...launches]) {
    launches.delete(launch);
    // It did not start, which was reported, or what it leaves is in the temporary folder.
    await launch.then((browser) => browser.close()).catch(() => undefined);
  }
}

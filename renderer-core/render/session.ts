// A session: what renders of one project share. A temporary folder, ffmpeg, browsers, and the servers of their pages.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FastPaths, readFastPaths } from '../capture/fastPaths/fastPaths.ts';
import { type FoundBrowser, findBrowser } from '../capture/findBrowser.ts';
import { type LaunchedBrowser, launchBrowser } from '../capture/launch.ts';
import { readableMediaPath } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import type { Encoder } from '../media/codecs.ts';
import { findEncoder } from '../media/findEncoder.ts';
import { findFfmpeg } from '../media/findFfmpeg.ts';
import type { PlanDraft } from '../plan/plan.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { type ProjectServer, startProjectServer } from '../project/projectServer.ts';
import type { Network } from '../project/remote/publicFetch.ts';
import { openRemoteAssets, type RemoteAssets } from '../project/remote/remoteAssets.ts';
import { createWorkspace, type Workspace } from '../project/workspace.ts';
import { readableMediaRoute } from './mediaRoute.ts';
import { untilAborted } from './promises.ts';
import type { RemoteImages } from './remoteFiles.ts';

/** A project server with its own origin. Renders that run at the same time need one each, to tell whose file is missing. */
export type Site = {
  server: ProjectServer;
  remote: RemoteAssets;
  network: Network;
  /** Images and videos from other hosts, once they have been fetched. */
  remoteImages?: RemoteImages;
  /** Closes the site before the session ends. May be called again. */
  close(): Promise<void>;
};

/** A browser in use. It stays open at least until it is released. */
export type BrowserLease = { launched: LaunchedBrowser; release(): Promise<void> };

/** Browsers for renders one after another. Reuses the newest one; older ones close when their leases end. */
export type Browsers = { lease(webGl: boolean): Promise<BrowserLease> };

export type Session = {
  workspace: Workspace;
  ffmpeg: string;
  signal: AbortSignal;
  fastPaths: FastPaths;
  encoderFor(draft: PlanDraft): Promise<Encoder>;
  /** `root`: default is the session's project. */
  openSite(root?: string): Promise<Site>;
  /** `reuse`: for many renders, one after another; keeps tabs open between them. */
  openBrowsers(reuse: boolean): Browsers;
};

export type SessionOptions = {
  root: string;
  browserPath?: string;
  ffmpegPath?: string;
  /** See `RenderRequest.fastPaths`. */
  fastPaths?: string;
  /** With `public`, a browser reaches only the sites that are open when it starts. */
  network?: Network;
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
};

/** Runs `use` with a session and closes everything afterwards, in every case. Throws UserError `cancelled` on abort. */
export async function withSession<T>(options: SessionOptions, use: (session: Session) => Promise<T>): Promise<T> {
  const { browserPath, ffmpegPath, env = process.env } = options;
  const fastPaths = readFastPaths(options.fastPaths);
  const signal = options.signal ?? new AbortController().signal;
  const browsers: LaunchedBrowsers = { launches: new Set(), isClosing: false };
  const closing: (() => Promise<unknown>)[] = [];
  let work: Promise<T> | undefined;
  try {
    signal.throwIfAborted();
    const workspace = await createWorkspace();
    closing.push(workspace.remove);
    const [{ path: ffmpeg }, found] = await Promise.all([
      findFfmpeg({ env, signal, ...(ffmpegPath === undefined ? {} : { path: ffmpegPath }) }),
      findBrowser({ env, signal, ...(browserPath === undefined ? {} : { path: browserPath }) }),
    ]);
    const shared = { workspace, ffmpeg, signal, env, fastPaths, network: options.network ?? 'any', hosts: [] };
    work = use({
      workspace,
      ffmpeg,
      signal,
      fastPaths,
      encoderFor: cacheEncoders(ffmpeg, signal),
      openSite: (root = options.root) => openSite(root, shared, closing),
      openBrowsers: (reuse) => openBrowsers(found, shared, browsers, reuse && fastPaths.has('warm-pages')),
    });
    // Closing the browser ends all work in it; other work must not keep an aborted render alive.
    return await untilAborted(work, signal);
  } catch (error) {
    if (signal.aborted)
      throw new UserError('cancelled', 'The render was cancelled; nothing was written.', { cause: error });
    throw error;
  } finally {
    // Without its browser the work ends soon. Until then it must not start another one.
    browsers.isClosing = true;
    await closeAll(browsers);
    await work?.catch(() => undefined);
    for (const close of closing.reverse()) await close().catch(() => undefined);
  }
}

/** All browsers of a session that are not closed yet, including those that are starting. */
type LaunchedBrowsers = { launches: Set<Promise<LaunchedBrowser>>; isClosing: boolean };

/** `hosts`: the addresses of the sites, as `host:port`. */
type Shared = Pick<Session, 'workspace' | 'ffmpeg' | 'signal' | 'fastPaths'> & {
  env: NodeJS.ProcessEnv;
  network: Network;
  hosts: string[];
};

function cacheEncoders(ffmpeg: string, signal: AbortSignal): Session['encoderFor'] {
  const known = new Map<string, Promise<Encoder>>();
  return ({ format, codec, hdr, width, height }) => {
    const plan = { format, codec, hdr, width, height };
    const key = JSON.stringify(plan);
    const found = known.get(key) ?? findEncoder(ffmpeg, plan, signal);
    known.set(key, found);
    return found;
  };
}

let sites = 0;

async function openSite(root: string, shared: Shared, closing: (() => Promise<unknown>)[]): Promise<Site> {
  const { workspace, ffmpeg, signal, network, hosts } = shared;
  const folder = join(workspace.folder, `site-${sites++}`);
  await mkdir(folder);
  const server = await startProjectServer(root);
  hosts.push(new URL(server.origin).host);
  // Untrusted projects share no cache: they must not see what another one has fetched.
  const cache = network === 'any' ? cacheRoot() : join(folder, 'remote');
  const remote = openRemoteAssets({ cache, origin: server.origin, signal, network });
  server.setVirtual(readableMediaPath, readableMediaRoute({ server, remote, ffmpeg, folder, signal }));
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    remote.close();
    await server.close();
  };
  const close = (): Promise<void> => {
    closed ??= end();
    return closed;
  };
  closing.push(close);
  return { server, remote, network, close };
}

/** Browsers keep some memory of every page, so a browser is replaced after this many renders. */
const rendersPerBrowser = 200;

type RunningBrowser = {
  launch: Promise<LaunchedBrowser>;
  launched: LaunchedBrowser;
  webGl: boolean;
  leases: number;
  served: number;
};

function openBrowsers(found: FoundBrowser, shared: Shared, all: LaunchedBrowsers, keepsTabs: boolean): Browsers {
  let newest: RunningBrowser | undefined;
  const end = async (running: RunningBrowser) => {
    all.launches.delete(running.launch);
    await running.launched.close().catch(() => undefined);
  };
  const isUsable = (running: RunningBrowser, webGl: boolean) =>
    running.launched.browser.connected && running.served < rendersPerBrowser && (running.webGl || !webGl);
  return {
    async lease(webGl) {
      if (newest && !isUsable(newest, webGl)) {
        const old = newest;
        newest = undefined;
        if (old.leases === 0 || !old.launched.browser.connected) await end(old);
      }
      newest ??= await launchIn(found, shared, all, { webGl, keepsTabs });
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

async function launchIn(
  found: FoundBrowser,
  { workspace, signal, env, network, hosts }: Shared,
  all: LaunchedBrowsers,
  options: { webGl: boolean; keepsTabs: boolean },
): Promise<RunningBrowser> {
  signal.throwIfAborted();
  if (all.isClosing) throw new Error('the session has ended');
  const onlyHosts = network === 'public' ? hosts : undefined;
  const launch = launchBrowser(found, workspace.folder, { ...options, env, signal, onlyHosts });
  all.launches.add(launch);
  const launched = await launch;
  signal.throwIfAborted();
  return { launch, launched, webGl: options.webGl, leases: 0, served: 0 };
}

async function closeAll({ launches }: LaunchedBrowsers): Promise<void> {
  for (const launch of [...launches]) {
    launches.delete(launch);
    await launch.then((browser) => browser.close()).catch(() => undefined);
  }
}

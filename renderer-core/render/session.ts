// What renders of one project share: a temporary folder, ffmpeg, browsers, and the servers that pages are loaded from.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundBrowser, findBrowser } from '../capture/findBrowser.ts';
import { type LaunchedBrowser, launchBrowser } from '../capture/launch.ts';
import { readableMediaPath } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import type { Encoder } from '../media/codecs.ts';
import { findEncoder } from '../media/findEncoder.ts';
import { findFfmpeg } from '../media/findFfmpeg.ts';
import type { PlanDraft } from '../plan/plan.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import type { Network } from '../project/publicFetch.ts';
import { openRemoteAssets, type RemoteAssets } from '../project/remoteAssets.ts';
import { type ProjectServer, startProjectServer } from '../project/server.ts';
import { answerMedia } from './mediaRoute.ts';
import type { RemotePictures } from './remotePictures.ts';
import { untilAborted } from './untilAborted.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** One origin. Renders that run at the same time take one each: its pages then know whose missing file it was. */
export type Site = {
  server: ProjectServer;
  remote: RemoteAssets;
  network: Network;
  /** Pictures of other hosts, once they have been fetched. */
  pictures?: RemotePictures;
  /** For who needs it no longer than the session; may be called again. */
  close(): Promise<void>;
};

/** A browser in use. It stays open at least until it is given back. */
export type BrowserLease = { launched: LaunchedBrowser; release(): Promise<void> };

/** The browsers of who renders one video after another: at most one of them is new enough to be handed out again. */
export type Browsers = { lease(webGl: boolean): Promise<BrowserLease> };

export type Session = {
  workspace: Workspace;
  ffmpeg: string;
  signal: AbortSignal;
  encoderFor(draft: PlanDraft): Promise<Encoder>;
  /** `root`: another project than the session's own. */
  openSite(root?: string): Promise<Site>;
  /** `keepsTabs`: for many renders, one after another. */
  openBrowsers(keepsTabs: boolean): Browsers;
};

/** With `network: 'public'`, browsers reach the sites that are open when they are started. */
export type SessionOptions = {
  root: string;
  browserPath?: string;
  ffmpegPath?: string;
  network?: Network;
  signal?: AbortSignal;
};

/** Runs `use` with a session, and closes all of it afterwards, whatever happens. Throws UserError `cancelled` on abort. */
export async function withSession<T>(options: SessionOptions, use: (session: Session) => Promise<T>): Promise<T> {
  const { browserPath, ffmpegPath } = options;
  const signal = options.signal ?? new AbortController().signal;
  const browsers: LaunchedBrowsers = { launches: new Set(), areWanted: true };
  const closing: (() => Promise<unknown>)[] = [];
  let work: Promise<T> | undefined;
  try {
    signal.throwIfAborted();
    const workspace = await createWorkspace();
    closing.push(workspace.remove);
    const [{ path: ffmpeg }, found] = await Promise.all([
      findFfmpeg({ signal, ...(ffmpegPath === undefined ? {} : { path: ffmpegPath }) }),
      findBrowser({ signal, ...(browserPath === undefined ? {} : { path: browserPath }) }),
    ]);
    const shared = { workspace, ffmpeg, signal, network: options.network ?? 'any', hosts: [] };
    work = use({
      workspace,
      ffmpeg,
      signal,
      encoderFor: rememberEncoders(ffmpeg, signal),
      openSite: (root = options.root) => openSite(root, shared, closing),
      openBrowsers: (keepsTabs) => openBrowsers(found, shared, browsers, keepsTabs),
    });
    // Closing the browser ends all work in it; what waits for something else must not keep an aborted render alive.
    return await untilAborted(work, signal);
  } catch (error) {
    if (signal.aborted)
      throw new UserError('cancelled', 'The render was cancelled; nothing was written.', { cause: error });
    throw error;
  } finally {
    // Without its browser the work ends soon; whatever of it goes on gets no other one.
    browsers.areWanted = false;
    await closeAll(browsers);
    await work?.catch(() => undefined);
    for (const close of closing.reverse()) await close().catch(() => undefined);
  }
}

/** Those of a session that are not closed yet, the ones that are only starting too. */
type LaunchedBrowsers = { launches: Set<Promise<LaunchedBrowser>>; areWanted: boolean };

/** `hosts`: where the sites listen. */
type Shared = Pick<Session, 'workspace' | 'ffmpeg' | 'signal'> & { network: Network; hosts: string[] };

function rememberEncoders(ffmpeg: string, signal: AbortSignal): Session['encoderFor'] {
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
  // Strangers share no cache: what one has fetched is not there for another.
  const cache = network === 'any' ? cacheRoot() : join(folder, 'remote');
  const remote = openRemoteAssets({ cache, origin: server.origin, signal, network });
  server.setVirtual(readableMediaPath, answerMedia({ server, remote, ffmpeg, folder, signal }));
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

/** What a browser keeps of the pages that it has shown grows: after so many renders the next one gets a new browser. */
const rendersPerBrowser = 200;

type Running = {
  launch: Promise<LaunchedBrowser>;
  launched: LaunchedBrowser;
  webGl: boolean;
  leases: number;
  served: number;
};

function openBrowsers(
  found: FoundBrowser,
  { workspace, signal, network, hosts }: Shared,
  all: LaunchedBrowsers,
  keepsTabs: boolean,
): Browsers {
  let newest: Running | undefined;
  const end = async (running: Running) => {
    all.launches.delete(running.launch);
    await running.launched.close().catch(() => undefined);
  };
  const isUsable = (running: Running, webGl: boolean) =>
    running.launched.browser.connected && running.served < rendersPerBrowser && (running.webGl || !webGl);
  return {
    async lease(webGl) {
      if (newest && !isUsable(newest, webGl)) {
        const old = newest;
        newest = undefined;
        if (old.leases === 0 || !old.launched.browser.connected) await end(old);
      }
      if (!newest) {
        const onlyHosts = network === 'public' ? hosts : undefined;
        signal.throwIfAborted();
        if (!all.areWanted) throw new Error('the session has ended');
        const launch = launchBrowser(found, workspace.folder, { webGl, signal, keepsTabs, onlyHosts });
        all.launches.add(launch);
        const launched = await launch;
        signal.throwIfAborted();
        newest = { launch, launched, webGl, leases: 0, served: 0 };
      }
      const leased = newest;
      leased.leases++;
      leased.served++;
      let isGiven = true;
      return {
        launched: leased.launched,
        async release() {
          if (!isGiven) return;
          isGiven = false;
          leased.leases--;
          if (leased.leases === 0 && leased !== newest) await end(leased);
        },
      };
    },
  };
}

async function closeAll({ launches }: LaunchedBrowsers): Promise<void> {
  for (const launch of [...launches]) {
    launches.delete(launch);
    await launch.then((browser) => browser.close()).catch(() => undefined);
  }
}

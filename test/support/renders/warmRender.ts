// Renders that share the browser of the test worker. It starts with the first render.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import type { LaunchedBrowser } from '../../../renderer-core/capture/launch.ts';
import { type launch, renderWith } from '../../../renderer-core/render/pipeline.ts';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import { type BrowserLease, type Session, withSession } from '../../../renderer-core/render/session.ts';
import type { RenderPlace, RenderRequest } from '../../../renderer-core/render/types.ts';
import { renderVideo } from '../../../sdk/renders.ts';
import { surroundings } from './surroundings.ts';

export type SharedSession = { session: Session; browsers: RenderPlace['browsers']; close(): Promise<void> };

/** Options that belong to the browser or its session: a render with one of them starts its own browser. */
const sessionOptions = ['browserPath', 'ffmpegPath', 'network', 'signal', 'features', 'gpu'] as const;

let shared: Promise<SharedSession> | undefined;

function sharedSession(): Promise<SharedSession> {
  shared ??= openSession(tmpdir());
  return shared;
}

/** Files of one worker run one after another, and share this module. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures that a fixture needs from its source.
const worker = test.extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
  onCleanup(async () => (await shared)?.close());
  return {};
});

/** Call it at the top of a file or suite. */
export function useSharedBrowser(): void {
  worker.beforeAll(({ browser: _ }) => undefined);
}

/** The shared browser, for tests that open pages themselves. */
export function sharedBrowser(): () => LaunchedBrowser {
  let leased: BrowserLease | undefined;
  worker.beforeAll(async ({ browser: _ }) => {
    leased = await (await sharedSession()).browsers.lease({ graphics3d: false, displayRate: false });
  });
  afterAll(() => leased?.release());
  return () => {
    if (!leased) throw new Error('the browser has not started');
    return leased.launched;
  };
}

/** Stage 2 of a render in the shared browser. */
export const launchShared: typeof launch = async ({ root }, use) => inSession(await sharedSession(), root, use);

export const needsOwnBrowser = (request: Partial<RenderRequest>): boolean =>
  sessionOptions.some((option) => request[option] !== undefined);

/** A function like `renderVideo` that uses one browser for all renders that allow it. */
export function warmRenderer(): (request: RenderRequest) => Promise<RenderReport> {
  useSharedBrowser();
  return (request) =>
    needsOwnBrowser(request) ? renderVideo(request) : renderWith(launchShared, request, surroundings);
}

/** Runs `use` with a site and a folder of its own. */
export async function inSession<T>(
  { session, browsers }: SharedSession,
  root: string,
  use: (place: RenderPlace) => Promise<T>,
): Promise<T> {
  const site = await session.openSite(root);
  const folder = await mkdtemp(join(session.workspace.folder, 'test-'));
  const workspace = { ...session.workspace, folder };
  const leases: BrowserLease[] = [];
  const lease: RenderPlace['browsers']['lease'] = async (needs) => {
    const leased = await browsers.lease(needs);
    leases.push(leased);
    return leased;
  };
  try {
    return await use({ session: { ...session, workspace }, site, browsers: { lease } });
  } finally {
    // A session of one render leaves all this to its end.
    for (const { release } of leases) await release();
    await site.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** Keeps a session open until `close` is called. `env`: of its browser; default is the environment of this process. */
export function openSession(root: string, env: NodeJS.ProcessEnv = process.env): Promise<SharedSession> {
  return new Promise((resolve, reject) => {
    const ended = withSession({ ...surroundings, root, env }, (session) => {
      const browsers = session.openBrowsers(false);
      return new Promise<void>((close) => {
        resolve({
          session,
          browsers,
          close: async () => {
            close();
            await ended;
          },
        });
      });
    });
    ended.catch(reject);
  });
}

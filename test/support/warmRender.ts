// Renders that share one browser: tests of a file need not start one each. A browser starts with the first render.
import { afterAll } from 'vitest';
import { type launch, renderVideo, renderWith } from '../../renderer-core/render/pipeline.ts';
import type { RenderReport } from '../../renderer-core/render/renderReport.ts';
import { type Session, withSession } from '../../renderer-core/render/session.ts';
import type { RenderPlace, RenderRequest } from '../../renderer-core/render/types.ts';

export type SharedSession = { session: Session; browsers: RenderPlace['browsers']; close(): Promise<void> };

/** Options that belong to the browser or its session: a render with one of them starts its own browser. */
const sessionOptions = ['browserPath', 'ffmpegPath', 'network', 'signal', 'fastPaths'] as const;

/** A function like `renderVideo` that uses one browser for all renders that allow it. */
export function warmRenderer(): (request: RenderRequest) => Promise<RenderReport> {
  let shared: Promise<SharedSession> | undefined;
  afterAll(async () => (await shared)?.close());

  const launchShared: typeof launch = async ({ root }, use) => {
    shared ??= openSession(root);
    return inSession(await shared, root, use);
  };
  return (request) =>
    sessionOptions.some((option) => request[option] !== undefined)
      ? renderVideo(request)
      : renderWith(launchShared, request, () => performance.now());
}

/** Runs `use` with a site of its own. */
export async function inSession<T>(
  { session, browsers }: SharedSession,
  root: string,
  use: (place: RenderPlace) => Promise<T>,
): Promise<T> {
  const site = await session.openSite(root);
  try {
    return await use({ session, site, browsers });
  } finally {
    await site.close();
  }
}

/** Keeps a session open until `close` is called. `env`: of its browser; default is the environment of this process. */
export function openSession(root: string, env: NodeJS.ProcessEnv = process.env): Promise<SharedSession> {
  return new Promise((resolve, reject) => {
    const ended = withSession({ root, env }, (session) => {
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

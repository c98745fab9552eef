// Probe, step 1: leases a browser and serves the composition, so that its pages can be opened.
import type { CapturePage } from '../../capture/capturePage.ts';
import type { LaunchedBrowser } from '../../capture/launch.ts';
import { isLibrary } from '../../media/ffmpeg.ts';
import { expectedOf, mergeNeeds } from '../../page/features/features.ts';
import type { PageNeeds } from '../../page/runtime/page.ts';
import type { PageFonts } from '../../plan/fonts/pageFonts.ts';
import { hasAlpha } from '../../plan/formats.ts';
import { firstFrameOf } from '../../plan/plan.ts';
import type { Engine } from '../../reports/engine.ts';
import { engineWarning } from '../../setup/pinnedEngine.ts';
import type { Site } from '../session.ts';
import type { PageJob, PreparedRender, ProgressReporter, RenderPlace } from '../types.ts';
import { locateUrl } from './assetReferences.ts';
import { pageError } from './pageError.ts';
import { namedRemoteFiles, prefetch, type RemoteImages, serveRemoteImages } from './remoteFiles.ts';
import { type PageOptions, servePage } from './servePage.ts';

export type PageLease = {
  page: PageJob;
  engine: Engine;
  /** The pinned fonts of the page; null if it uses the fonts of the machine. */
  fonts: PageFonts | null;
  /** Style sheets of fonts that were left out, as warnings. They are known when a page has been opened. */
  fontWarnings(): string[];
  /** What the browser was asked for. */
  needs: PageNeeds;
  /** Leases another browser in place of this one, with what its pages have missed. */
  exchange(missing: Partial<PageNeeds>): Promise<PageJob>;
  release(): Promise<void>;
};

/** Throws UserError. */
export async function leasePage(
  prepared: PreparedRender,
  place: RenderPlace,
  options: PageOptions,
): Promise<PageLease> {
  const { emit } = options;
  const { session, site, browsers } = place;
  const { timezone, locale } = prepared.draft;
  const { needs, traits } = expectedOf(prepared.graph, session.featuresOff);
  // Forget the files of the previous render.
  site.server.missing.length = 0;
  site.server.reads.begin();
  const leaseFor = (wanted: PageNeeds) => browsers.lease({ timezone, locale, ...wanted });
  let lease = await leaseFor(needs);
  try {
    const { launched } = lease;
    const engine = session.engineOf(launched);
    const warning = session.isFirst() ? engineWarning(engine, isLibrary(session.ffmpeg.path)) : undefined;
    if (warning !== undefined) emit({ type: 'warning', message: warning });
    const images = await fetchRemoteImages(prepared, site, launched, emit);
    const { shifts, fonts } = await servePage(site.server, prepared, images, session, options);
    const source = { project: prepared, images, shifts };
    const { server, remote, isOpen } = site;
    const page: PageJob = {
      launched,
      services: { server, remote, isOpen, features: { featuresOff: session.featuresOff, traits } },
      target: targetOf(prepared, server.origin),
      check(opened: CapturePage) {
        const error = pageError(opened, site, source);
        if (error) throw error;
      },
    };
    return {
      ...{ page, engine, fonts, needs },
      fontWarnings: () => [...site.fontWarnings].map(([url, message]) => locatedWarning(url, message, site, prepared)),
      async exchange(missing) {
        await lease.release();
        lease = await leaseFor(mergeNeeds(needs, missing));
        return { ...page, launched: lease.launched };
      },
      release: () => lease.release(),
    };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

const targetOf = ({ draft }: PreparedRender, origin: string): PageJob['target'] => ({
  origin,
  path: `/${draft.composition.split('/').map(encodeURIComponent).join('/')}`,
  width: draft.width,
  height: draft.height,
  page: draft.page,
  rate: draft.fps,
  firstFrame: firstFrameOf(draft),
  transparent: hasAlpha(draft),
  deep: draft.bitDepth === 10,
  hdr: draft.hdr !== null,
  // The page's own pixels, with alpha, keep their size.
  padded: draft.codec !== null && (draft.bitDepth === 10 || !hasAlpha(draft)),
});

/** The rows of a batch share a site, and each fetches the files that only its values name. */
async function fetchRemoteImages(
  { graph, draft }: PreparedRender,
  site: Site,
  { browser }: LaunchedBrowser,
  emit: ProgressReporter['emit'],
): Promise<RemoteImages> {
  const named = namedRemoteFiles(graph, draft.variables, site.server.origin);
  const missing = new Map([...named].filter(([url]) => !site.remoteFiles.has(url)));
  if (missing.size > 0) {
    const files = missing.size === 1 ? 'one file' : `${missing.size} files`;
    emit({ type: 'stage', stage: 'probe', message: `Fetching ${files} from other hosts` });
    const fetched = await prefetch(missing, site.remote, await browser.userAgent());
    for (const [url, file] of fetched) site.remoteFiles.set(url, file);
  }
  return serveRemoteImages(site.server, site.remoteFiles);
}

function locatedWarning(url: string, message: string, { server }: Site, prepared: PreparedRender): string {
  const place = locateUrl(prepared, url, server.origin)?.place;
  return place ? `${place.file}:${place.line}:${place.column}: ${message}` : message;
}

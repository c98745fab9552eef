// Files on other hosts that the project names: fetched before a page waits for them. Images and videos are then served
// from the project server, because the browser leaves out images of other origins when it draws an element into a canvas.
import { basename } from 'node:path';
import { type AssetReference, linkRels } from '../../model/assets.ts';
import type { Composition } from '../../model/composition.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import { type ProjectInstance, projectInstances } from '../../model/projectInstances.ts';
import { sourceUse } from '../../model/sourceElements.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import { boundSource } from '../../model/variables/boundValues.ts';
import type { RemoteAssets } from '../../project/remote/remoteAssets.ts';
import { RemoteFailure } from '../../project/remote/remoteRequest.ts';
import type { StoredFile } from '../../project/remote/remoteStore.ts';
import type { ProjectServer } from '../../project/serve/projectServer.ts';

/** Browsers send this `Accept` header for images; hosts choose the image format by it. */
const acceptsImage = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/**
 * Maps the URLs on other hosts that a page will certainly request to their `Accept` headers. `given` are the values that
 * override the defaults of the entry.
 */
export function namedRemoteFiles(
  graph: ProjectGraph,
  given: Readonly<Record<string, unknown>>,
  origin: string,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { composition, values } of projectInstances(graph, given)) {
    for (const reference of loadedReferences(composition, values)) {
      const url = isCertain(reference) ? remoteUrl(reference.url, origin) : undefined;
      if (url !== undefined) found.set(url, acceptOf(reference));
    }
  }
  return found;
}

/** The references of a file, with the sources that values replace. */
function loadedReferences({ assetReferences, bindings }: Composition, values: ProjectInstance['values']) {
  const bound = new Map<HtmlElement, AssetReference>();
  for (const { kind, id, element } of bindings) {
    const url = kind === 'src' ? boundSource(element.tag, values[id.text]) : undefined;
    if (url !== undefined) bound.set(element, { url, span: id.span, element, tag: element.tag, attribute: 'src' });
  }
  const isReplaced = ({ element, attribute }: AssetReference) => attribute === 'src' && bound.has(element);
  return [...assetReferences.filter((reference) => !isReplaced(reference)), ...bound.values()];
}

/** `reference` as an absolute http or https URL without fragment; undefined unless it leads to another host. */
export function remoteUrl(reference: string, origin: string): string | undefined {
  if (!URL.canParse(reference, origin)) return undefined;
  const url = new URL(reference, origin);
  url.hash = '';
  return /^https?:$/.test(url.protocol) && url.origin !== origin ? url.href : undefined;
}

/** Fetches the files. One that cannot be fetched is left out: it becomes an error when the page requests it, if it does. */
export async function prefetch(
  files: Map<string, string>,
  remote: RemoteAssets,
  userAgent: string,
): Promise<Map<string, StoredFile>> {
  const fetched = new Map<string, StoredFile>();
  const work = [...files].map(async ([url, accept]) => {
    try {
      fetched.set(url, await remote.get(url, { accept, 'user-agent': userAgent }));
    } catch (error) {
      if (!(error instanceof RemoteFailure)) throw error;
    }
  });
  await Promise.all(work);
  return fetched;
}

/** The browser chooses one of several sources, and links other than style sheets may never be used. */
function isCertain({ element, tag, attribute }: AssetReference): boolean {
  if (tag === 'track' || tag === 'iframe' || attribute === 'srcset' || sourceUse(element) !== 'always') return false;
  return tag !== 'link' || linkRels(element).includes('stylesheet');
}

function acceptOf({ tag, attribute }: AssetReference): string {
  if (tag === 'link') return 'text/css,*/*;q=0.1';
  return tag === 'img' || tag === 'image' || attribute === 'style' || attribute === 'poster' ? acceptsImage : '*/*';
}

export type RemoteImages = {
  /** Path on the project server of the image or video that `reference` names; undefined for other references. */
  pathOf(reference: string): string | undefined;
  /** The URL that the project names, for a URL that the page uses. Returns other URLs unchanged. */
  originalOf(url: string): string;
};

const folder = '/__framework/remote/';

/** Serves those of the fetched files that are images or videos by their content type. Keys of `fetched` are URLs. */
export function serveRemoteImages(server: ProjectServer, fetched: Map<string, StoredFile>): RemoteImages {
  const paths = new Map<string, string>();
  const originals = new Map<string, string>();
  for (const [url, { path: file, headers }] of fetched) {
    const type = headers['content-type'] ?? '';
    if (!/^(?:image|video)\//i.test(type)) continue;
    const path = folder + basename(file);
    server.setVirtual(path, { file, type });
    paths.set(url, path);
    originals.set(`${server.origin}${path}`, url);
  }
  return {
    pathOf(reference) {
      const path = paths.get(remoteUrl(reference, server.origin) ?? '');
      return path === undefined ? undefined : path + (/#.*$/s.exec(reference)?.[0] ?? '');
    },
    originalOf: (url) => originals.get(url.replace(/#.*$/s, '')) ?? url,
  };
}

// Brings the files of other hosts that the project names into the cache, before a page waits for them.
import { type AssetReference, linkRels } from '../model/assets.ts';
import type { ProjectGraph } from '../model/graph.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import { RemoteFailure } from '../project/remoteRequest.ts';
import type { StoredFile } from '../project/remoteStore.ts';
import { remoteUrl } from './places.ts';

/** What browsers accept: hosts choose the format of an image by it. */
const acceptsImage = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/** URLs of other hosts that a page will ask for as it stands, with what it will accept there. */
export function namedRemoteFiles(graph: ProjectGraph, origin: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { assetReferences } of graph.files.values()) {
    for (const reference of assetReferences) {
      const url = isCertain(reference) ? remoteUrl(reference.url, origin) : undefined;
      if (url !== undefined) found.set(url, acceptOf(reference));
    }
  }
  return found;
}

/** Fetches them. One that cannot be had is left out, and told about when the page asks for it: it may not. */
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

/** Of several sources the browser chooses one, and other links may never be used. */
function isCertain({ element, tag, attribute }: AssetReference): boolean {
  if (tag === 'source' || tag === 'track' || tag === 'iframe' || attribute === 'srcset') return false;
  return tag !== 'link' || linkRels(element).includes('stylesheet');
}

function acceptOf({ tag, attribute }: AssetReference): string {
  if (tag === 'link') return 'text/css,*/*;q=0.1';
  return tag === 'img' || tag === 'image' || attribute === 'style' || attribute === 'poster' ? acceptsImage : '*/*';
}

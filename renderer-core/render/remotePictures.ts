// Images and videos of other hosts that the project names: shown from the project's own server, because the browser leaves
// pictures of other origins out when it draws an element into a canvas.

import { basename } from 'node:path';
import type { StoredFile } from '../project/remoteStore.ts';
import type { ProjectServer } from '../project/server.ts';
import { remoteUrl } from './places.ts';

export type RemotePictures = {
  /** Where the page finds the picture that `reference` names; undefined for anything else. */
  pathOf(reference: string): string | undefined;
  /** The URL that the project named, for one that the page uses; other URLs as they are. */
  originalOf(url: string): string;
};

const folder = '/__framework/remote/';

/** Serves those of the fetched files, by the URL that names them, that are pictures by what their hosts say. */
export function serveRemotePictures(server: ProjectServer, fetched: Map<string, StoredFile>): RemotePictures {
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

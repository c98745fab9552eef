// Requests from the page to the preview server, with URLs relative to the page because the port may be forwarded.
import { editionFolder, type PreviewStatus, previewRoutes } from '../facts.ts';
import type { PreviewProblem } from '../messages.ts';

/** The URL of the folder with the secret, two folders above the page. */
export const root = new URL('../../', location.href.replace(/[?#].*$/s, '')).href;

/** The URL of a path below the root. */
export const under = (path: string): string => root + path;

const query = new URLSearchParams(location.search);
export const composition = query.get('composition') ?? 'index.html';

/** A page next to others of the same composition, whose parent has the controls for all of them. Empty: not such a page. */
export const view = query.get('view') ?? '';

/** One of the composition's sizes, such as `1080x1920`. Empty: that of the options. */
export let size = query.get('size') ?? '';

/** Whether the parent has the controls of this page and of others next to it. */
export const isPart = view !== '' || query.has('part');

export const isMuted = query.has('muted');

/** The server's origin and the edition of its files, from the latest status. */
let [origin, edition] = ['', 0];

/** The URL of the composition's page. */
export const compositionUrl = (): string =>
  under(
    `${editionFolder}${edition}/${composition.split('/').map(encodeURIComponent).join('/')}${view || size ? `?${new URLSearchParams({ view, size })}` : ''}`,
  );

/** The URL of a preview page that shows this composition in another size, without controls and sound. */
export const partUrl = (other: string): string =>
  `?${new URLSearchParams({ composition, view, size: other, part: '', muted: '' })}`;

/** The path of a URL below the root, without the edition; undefined for other URLs. */
export const pathOf = (url: string): string | undefined => {
  if (!url.startsWith(root)) return undefined;
  const path = url.slice(root.length);
  return path.startsWith(editionFolder) ? path.slice(path.indexOf('/', editionFolder.length) + 1) : path;
};

const request = (route: string, more: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${under(route)}?${new URLSearchParams({ composition, view, size, ...more })}`, {
    cache: 'no-store',
    ...(signal ? { signal } : {}),
  });

/** A file's URL with the server's origin, which may differ from the page's because of port forwarding. */
export const serverUrl = (url: string): string => {
  const path = pathOf(url);
  return path === undefined ? url : `${origin}/${path}`;
};

const maxPauseMs = 4000;

/** Ends the request that waits for a change of the current size. */
let waiting = new AbortController();

/** The status of this size follows. */
export function setSize(next: string): void {
  size = next;
  waiting.abort();
}

/** Calls `onStatus` for every change, and `onLost` while the server does not respond. Never ends. */
export async function followStatus(onStatus: (status: PreviewStatus) => void, onLost: () => void): Promise<never> {
  let after = 0;
  for (let pause = 200; ; ) {
    waiting = new AbortController();
    const { signal } = waiting;
    try {
      const response = await request(previewRoutes.status, { after: String(after) }, signal);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const status = (await response.json()) as PreviewStatus;
      ({ origin, edition } = status);
      pause = 200;
      if (status.turn === after) continue;
      after = status.turn;
      onStatus(status);
    } catch {
      after = 0;
      if (signal.aborted) continue;
      onLost();
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, maxPauseMs);
    }
  }
}

export const missingFiles = async (): Promise<PreviewProblem[]> =>
  request(previewRoutes.missing).then(
    (response) => (response.ok ? response.json() : []),
    () => [],
  );

/** Requests a PNG of a frame from the renderer. Rejects with a message for the user. */
export async function takeFrameImage(frame: number): Promise<Uint8Array> {
  const response = await request(previewRoutes.picture, { frame: String(frame) });
  if (response.headers.get('content-type') === 'image/png') return new Uint8Array(await response.arrayBuffer());
  throw new Error(((await response.json()) as { problem: string }).problem);
}

/** The URL of a file's sound in a format that the browser plays. Rejects with a message for the user. */
export async function playableSound(url: string): Promise<string> {
  const result = (await (await request(previewRoutes.sound, { url: serverUrl(url) })).json()) as
    | { path: string }
    | { problem: string };
  if ('problem' in result) throw new Error(result.problem);
  return under(result.path);
}

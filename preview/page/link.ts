// How the page asks the process: by addresses below its own root, wherever that is reached.
import { editionFolder, type PreviewStatus, previewRoutes } from '../preview/facts.ts';
import type { PreviewProblem } from '../preview/messages.ts';

/** The folder with the secret: the page is two folders below it. */
export const root = new URL('../../', location.href.replace(/[?#].*$/s, '')).href;

/** The path in the project, and more of ours, as a URL. */
export const under = (path: string): string => root + path;

export const composition = new URLSearchParams(location.search).get('composition') ?? 'index.html';

/** The server's own origin, and the edition of its files, once they are known. */
let [origin, edition] = ['', 0];

/** The address of the composition's own page. */
export const compositionUrl = (): string =>
  under(`${editionFolder}${edition}/${composition.split('/').map(encodeURIComponent).join('/')}`);

/** The path of a URL below the root, with what follows it, in whatever edition; undefined for others. */
export const pathOf = (url: string): string | undefined => {
  if (!url.startsWith(root)) return undefined;
  const path = url.slice(root.length);
  return path.startsWith(editionFolder) ? path.slice(path.indexOf('/', editionFolder.length) + 1) : path;
};

const ask = (route: string, query: Record<string, string> = {}): Promise<Response> =>
  fetch(`${under(route)}?${new URLSearchParams({ composition, ...query })}`, { cache: 'no-store' });

/** A file's URL as the process knows it. */
export const knownUrl = (url: string): string => {
  const path = pathOf(url);
  return path === undefined ? url : `${origin}/${path}`;
};

const longestPauseMs = 4000;

/** Tells every change, for ever; `onLost` where nobody answers, until somebody does again. */
export async function followStatus(onStatus: (status: PreviewStatus) => void, onLost: () => void): Promise<never> {
  let after = 0;
  for (let pause = 200; ; ) {
    try {
      const answer = await ask(previewRoutes.status, { after: String(after) });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const status = (await answer.json()) as PreviewStatus;
      ({ origin, edition } = status);
      pause = 200;
      if (status.turn === after) continue;
      after = status.turn;
      onStatus(status);
    } catch {
      onLost();
      after = 0;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, longestPauseMs);
    }
  }
}

export const missingFiles = async (): Promise<PreviewProblem[]> =>
  ask(previewRoutes.missing).then(
    (answer) => (answer.ok ? answer.json() : []),
    () => [],
  );

/** PNG of a frame as the renderer takes it. Rejects with a message for people. */
export async function takePicture(frame: number): Promise<Uint8Array> {
  const answer = await ask(previewRoutes.picture, { frame: String(frame) });
  if (answer.headers.get('content-type') === 'image/png') return new Uint8Array(await answer.arrayBuffer());
  throw new Error(((await answer.json()) as { problem: string }).problem);
}

/** Where a file's sound is in a form that the browser plays. Rejects with a message for people. */
export async function playableSound(url: string): Promise<string> {
  const answer = (await (await ask(previewRoutes.sound, { url: knownUrl(url) })).json()) as
    | { path: string }
    | { problem: string };
  if ('problem' in answer) throw new Error(answer.problem);
  return under(answer.path);
}

// When thumbnails are drawn: again after a change of the project.
import { expect, test, vi } from 'vitest';
import type { CancellationToken } from 'vscode';
import type { RenderHistory } from '../../../client/render/history.ts';
import { watchThumbnails } from '../../../client/views/thumbnailChanges.ts';
import type { Thumbnail } from '../../../client/views/thumbnailFile.ts';
import { createThumbnails } from '../../../client/views/thumbnails.ts';
import type { ViewNode } from '../../../client/views/viewNode.ts';

/** The files on disk: the time of the last change by path. `draws`: what was drawn. */
const world = vi.hoisted(() => ({
  disk: {} as Record<string, number>,
  draws: [] as string[],
  whenDrawing: (): void => undefined,
  onChange: [] as ((uri: unknown) => void)[],
}));

vi.mock('../../../client/cli/runCliJson.ts', () => ({
  runCliJson: async (_: unknown, { args, signal }: { args: string[]; signal: AbortSignal }) => {
    world.whenDrawing();
    if (signal.aborted) return { status: null, error: { code: 'ended', message: 'ended' } };
    const file = args.find((one) => one.startsWith('--output='))?.slice('--output='.length) ?? '';
    world.draws.push(file);
    world.disk[file] = 1;
    return { status: 0, value: {} };
  },
}));

vi.mock('vscode', async () => {
  const { Uri } = await import('../../support/editor/vscodeUris.ts');
  const listens = (listener: (uri: unknown) => void) => {
    world.onChange.push(listener);
    return { dispose: () => undefined };
  };
  const names = (folder: string) =>
    Object.keys(world.disk)
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1).split('/'));
  return {
    ...(await import('../../support/editor/vscodeWords.ts')),
    Uri,
    FileType: { File: 1, Directory: 2 },
    Disposable: class {
      static from = () => ({ dispose: () => undefined });
      dispose = () => undefined;
    },
    workspace: {
      isTrusted: true,
      workspaceFolders: [{ uri: Uri.file('/w') }],
      getConfiguration: () => ({ get: () => undefined }),
      createFileSystemWatcher: () => ({ onDidCreate: listens, onDidChange: listens, onDidDelete: listens }),
      fs: {
        createDirectory: async () => undefined,
        readDirectory: async ({ path }: { path: string }) =>
          names(path).map(([name, ...rest]) => [name, rest.length === 0 ? 1 : 2]),
        async stat({ path }: { path: string }) {
          const mtime = world.disk[path];
          if (mtime === undefined) throw new Error(`${path} does not exist`);
          return { mtime, size: 1 };
        },
      },
    },
  };
});

const { Uri } = await import('vscode');
const card: Thumbnail = {
  kind: 'composition',
  uri: 'file:///w/card/index.html',
  projectUri: 'file:///w/card',
  path: 'index.html',
};
const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
} as unknown as CancellationToken;

/** The history of renders, in which one can run. */
function historyOf() {
  const listeners = new Set<() => void>();
  let entries: { state: string; kind: string }[] = [];
  const history = {
    entries: () => entries,
    onDidChange: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  } as unknown as RenderHistory;
  const set = (state: string, kind = 'render') => {
    entries = [{ state, kind }];
    for (const listener of listeners) listener();
  };
  return { history, set };
}

/** Draws a thumbnail with these files. Returns whether it was drawn, and not found; undefined if there is none. */
async function isDrawn(
  files: Record<string, number>,
  thumbnail = card,
  { history } = historyOf(),
): Promise<boolean | undefined> {
  const services = {
    history,
    context: { globalStorageUri: Uri.file('/cache'), extension: { packageJSON: { version: '1.0.0' } } },
    host: { startCli: () => undefined },
    log: { debug: (message: string) => expect.unreachable(message) },
  };
  for (const path of Object.keys(world.disk)) if (path.startsWith('/w/')) delete world.disk[path];
  Object.assign(world.disk, files);
  const before = world.draws.length;
  const { fileOf } = createThumbnails(services as unknown as Parameters<typeof createThumbnails>[0]);
  return (await fileOf(thumbnail, token)) && world.draws.length > before;
}

test('are drawn again when any file of the project has changed, also since the last window', async () => {
  const files = { '/w/card/index.html': 1, '/w/card/css/card.css': 1 };
  expect(await isDrawn(files)).toBe(true);
  expect(await isDrawn(files)).toBe(false);
  expect(await isDrawn({ ...files, '/w/card/css/card.css': 2 })).toBe(true);
  expect(await isDrawn({ ...files, '/w/card/logo.png': 1 })).toBe(true);
  expect(await isDrawn({ ...files, '/w/card/renders/card.mp4': 1, '/w/other/a.css': 1 })).toBe(false);
});

test('leave the browser to renders on this computer', async () => {
  const renders = historyOf();
  const files = { '/w/card/index.html': 5, '/w/card/a.mp4': 1 };
  renders.set('running', 'cloud');
  expect(await isDrawn(files, card, renders)).toBe(true);
  renders.set('running');
  expect(await isDrawn(files, card, renders)).toBe(false);
  const changed = { ...files, '/w/card/index.html': 6 };
  expect(await isDrawn(changed, card, renders)).toBeUndefined();
  expect(await isDrawn(changed, { kind: 'video', file: '/w/card/a.mp4' }, renders)).toBe(true);
  renders.set('completed');
  const isStopped = isDrawn(changed, card, renders);
  world.whenDrawing = () => renders.set('running');
  expect(await isStopped).toBeUndefined();
});

test('are requested again for the rows of a project that has changed, and after a render', () => {
  const renders = historyOf();
  vi.useFakeTimers();
  const row = (id: string, thumbnail?: Thumbnail): ViewNode => ({ id, label: id, ...(thumbnail ? { thumbnail } : {}) });
  const other: Thumbnail = { ...card, uri: 'file:///w/other/index.html', projectUri: 'file:///w/other' };
  const rows = [
    row('card', card),
    row('outline'),
    row('other', other),
    row('video', { kind: 'video', file: '/w/card/a.mp4' }),
  ];
  const redrawn: string[][] = [];
  watchThumbnails(
    renders.history,
    () => rows,
    (changed) => redrawn.push(changed.map(({ id }) => id)),
  );
  const change = (path: string) => {
    world.onChange[0]?.(Uri.file(path));
    vi.runAllTimers();
  };
  change('/w/card/css/card.css');
  change('/w/card/renders/card.mp4');
  vi.useRealTimers();
  expect(redrawn).toEqual([['card'], []]);
  renders.set('running');
  renders.set('completed');
  expect(redrawn).toEqual([['card'], [], ['card', 'other']]);
});

// What the page of a finished video is told when the video is opened, and when it is rendered again.
import { expect, test, vi } from 'vitest';
import type { FromVideo, ToVideo } from '../../../../client/render/video/videoMessages.ts';
import { showVideo } from '../../../../client/render/video/videoPage.ts';

/** The files on disk: the time of the last change by path. `finishCopies`: finishes the copies that are being made. */
const world = vi.hoisted(() => ({
  disk: {} as Record<string, number>,
  finishCopies: [] as (() => void)[],
  created: [] as ((uri: unknown) => void)[],
  patterns: [] as string[],
}));

vi.mock('../../../../client/cli/runCliJson.ts', () => ({
  runCliJson: () =>
    new Promise((done) => world.finishCopies.push(() => done({ status: 0, value: { output: 'copy' } }))),
}));

vi.mock('vscode', async () => {
  const none = () => ({ dispose: () => undefined });
  const { Uri } = await import('../../../support/editor/vscodeUris.ts');
  return {
    ...(await import('../../../support/editor/vscodeWords.ts')),
    Uri,
    FileType: { File: 1 },
    RelativePattern: class {
      readonly pattern: string;
      constructor(_: unknown, pattern: string) {
        this.pattern = pattern;
      }
    },
    env: { language: 'en' },
    workspace: {
      isTrusted: true,
      workspaceFolders: [{ uri: Uri.file('/w') }],
      getConfiguration: () => ({ get: () => undefined }),
      createFileSystemWatcher: ({ pattern }: { pattern: string }, ignoresCreated: boolean) => {
        world.patterns.push(pattern);
        return {
          ...none(),
          onDidChange: none,
          onDidCreate: (listener: (uri: unknown) => void) => {
            if (!ignoresCreated) world.created.push(listener);
            return none();
          },
        };
      },
      fs: {
        createDirectory: async () => undefined,
        readDirectory: async () => [],
        async stat({ path }: { path: string }) {
          if (world.disk[path] === undefined) throw new Error('ENOENT');
          return { mtime: world.disk[path], size: 1 };
        },
      },
    },
  };
});

const { Uri } = await import('vscode');

/** Opens a video. `posted`: what the page is told, in short. */
function opened(path: string) {
  const posted: string[] = [];
  let receive: ((message: FromVideo) => void) | undefined;
  const webview = {
    asWebviewUri: (uri: unknown) => uri,
    postMessage: (message: ToVideo) => posted.push(message.type === 'show' ? message.source : message.type),
    onDidReceiveMessage: (listener: (message: FromVideo) => void) => {
      receive = listener;
      return { dispose: () => undefined };
    },
  };
  const services = {
    context: { globalStorageUri: Uri.file('/storage'), extensionUri: Uri.file('/extension') },
    history: { entries: () => [] },
    host: { startCli: () => undefined },
    log: { error: (message: string) => expect.unreachable(message) },
  };
  type Arguments = Parameters<typeof showVideo>;
  const panel = { webview, active: false, onDidDispose: () => undefined, onDidChangeViewState: () => undefined };
  showVideo(panel as unknown as Arguments[0], Uri.file(path), services as unknown as Arguments[2]);
  return {
    posted,
    ready: (playsAac: boolean) => receive?.({ type: 'ready', playsAac }),
    /** Moves a file to this path. */
    rename(to: string, mtime: number) {
      world.disk[to] = mtime;
      for (const listener of world.created.splice(0)) listener(Uri.file(to));
    },
    async finishCopies() {
      const all = world.finishCopies.splice(0);
      for (const finish of all) finish();
      await new Promise((done) => setImmediate(done));
    },
  };
}
const settled = () => new Promise((done) => setImmediate(done));

test('is shown again when a render renames its output to the same name', async () => {
  world.disk['/w/renders/[a].webm'] = 1;
  const { posted, ready, rename } = opened('/w/renders/[a].webm');
  ready(true);
  await settled();
  rename('/w/renders/[a].webm', 2);
  await settled();
  expect(posted).toEqual(['file:///w/renders/%5Ba%5D.webm?1', 'file:///w/renders/%5Ba%5D.webm?2']);
  expect(world.patterns).toEqual(['*']);
});

test('is not shown again for another file', async () => {
  world.disk['/w/renders/a.webm'] = 1;
  const { posted, ready, rename } = opened('/w/renders/a.webm');
  ready(true);
  await settled();
  rename('/w/renders/b.webm', 2);
  await settled();
  expect(posted).toEqual(['file:///w/renders/a.webm?1']);
});

test('says that the video does not exist, and shows it when it is rendered again', async () => {
  const { posted, ready, rename } = opened('/w/renders/deleted.webm');
  ready(true);
  await settled();
  rename('/w/renders/deleted.webm', 1);
  await settled();
  expect(posted).toEqual(['missing', 'file:///w/renders/deleted.webm?1']);
});

test('does not play the copy of an old video', async () => {
  world.disk['/w/renders/a.mp4'] = 1;
  const { posted, ready, rename, finishCopies } = opened('/w/renders/a.mp4');
  ready(false);
  await vi.waitFor(() => expect(world.finishCopies).toHaveLength(1));
  rename('/w/renders/a.mp4', 2);
  await vi.waitFor(() => expect(world.finishCopies).toHaveLength(2));
  await finishCopies();
  expect(posted).toEqual(['file:///w/renders/a.mp4?1', 'file:///w/renders/a.mp4?2', 'copy']);
});

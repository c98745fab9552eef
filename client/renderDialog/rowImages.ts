// The images of the visible rows: the poster frame with the values of each row, captured by the command line.
import { type Disposable, l10n, Uri, workspace } from 'vscode';
import type { CompositionInfo, TableRow } from '../../server/protocol.ts';
import { runCliJson } from '../cli/runCliJson.ts';
import { editorError } from '../errorMessages.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { currentBlock } from '../language/languageStatus.ts';
import { programOptions } from '../programOptions.ts';
import { isRendering } from '../render/history.ts';
import { type SizeChoice, videoArgs } from '../render/jobArguments.ts';
import { folderOf } from '../render/renderJobs.ts';
import { createImageQueue, type ImageQueue, isDrawn, type RowImage } from './imageQueue.ts';
import type { ToRows } from './rowMessages.ts';

export type RowImages = Disposable & {
  /** `file`: URI of the data file that has the rows. */
  showRows(composition: CompositionInfo, file: string, rows: readonly TableRow[]): void;
  setSize(size: SizeChoice): void;
  /** The rows that the user sees, from `first` to `last`. */
  setVisible(visible: { first: number; last: number }): void;
  /** The page has none of the images any more. */
  forgetSent(): void;
};

/** The options of the video that change its image. */
type Shape = { [Name in 'aspectRatio' | 'fit' | 'background']?: SizeChoice[Name] | undefined };

/** What an image depends on. */
type Subject = { composition: CompositionInfo; values: TableRow['values']; shape: Shape };

/** Delay after the last change before images are captured, in milliseconds. */
const delayMs = 300;
/** Twice the width in the table, for screens with a high density. */
const maxSide = 192;
const maxImages = 200;

type State = {
  services: ExtensionServices;
  post(message: ToRows): void;
  queue: ImageQueue<Subject>;
  composition?: CompositionInfo;
  /** URI of the data file that has the rows. */
  file: string;
  rows: readonly TableRow[];
  shape: Shape;
  visible: { first: number; last: number };
  /** Part of the keys: changes when files of the project change. */
  version: number;
  timer?: ReturnType<typeof setTimeout>;
  /** The key of the image that the page shows for each row; with `?` if it waits for it. */
  sent: Map<number, string>;
};

export function createRowImages(services: ExtensionServices, post: (message: ToRows) => void): RowImages {
  const { history } = services;
  const queue = createImageQueue<Subject>({
    capture: (subject, signal) => captureImage(subject, services, signal),
    onImage: () => send(state),
    // A render uses the whole computer, and the browser that is kept for both.
    isPaused: () => isRendering(history),
    maxImages,
  });
  const visible = { first: 0, last: -1 };
  const state: State = { services, post, queue, file: '', rows: [], shape: {}, visible, version: 0, sent: new Map() };
  const watcher = workspace.createFileSystemWatcher('**/*');
  const subscriptions = [
    history.onDidChange(() => queue.resume()),
    watcher,
    ...[watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].map((event) =>
      event((uri) => fileChanged(state, uri)),
    ),
  ];
  return {
    showRows(composition, file, rows) {
      [state.composition, state.file, state.rows] = [composition, file, rows];
      queue.forgetProblems();
      update(state);
    },
    setSize({ aspectRatio, fit, background }) {
      const shape = { aspectRatio, fit, background };
      if (JSON.stringify(shape) === JSON.stringify(state.shape)) return;
      state.shape = shape;
      update(state);
    },
    setVisible(range) {
      state.visible = range;
      update(state);
    },
    forgetSent: () => state.sent.clear(),
    dispose() {
      clearTimeout(state.timer);
      queue.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function wanted({ services, composition, rows, shape, visible, version }: State) {
  if (!composition || currentBlock(services.host.startCli !== undefined)) return [];
  const declared = new Set(composition.variables.map(({ id }) => id));
  return rows
    .slice(visible.first, visible.last + 1)
    .filter((row) => isDrawn(row, declared))
    .map(({ index, values }) => ({
      row: index,
      key: JSON.stringify([version, composition.uri, values, shape]),
      content: { composition, values, shape },
    }));
}

function send(state: State): void {
  const images: Record<number, RowImage | null> = {};
  for (const { row, key } of wanted(state)) {
    const image = state.queue.get(key);
    const shown = image ? key : `?${key}`;
    if (state.sent.get(row) === shown) continue;
    state.sent.set(row, shown);
    images[row] = image ?? null;
  }
  if (Object.keys(images).length > 0) state.post({ type: 'rowImages', images });
}

function update(state: State): void {
  clearTimeout(state.timer);
  send(state);
  state.timer = setTimeout(() => state.queue.want(wanted(state)), delayMs);
}

function fileChanged(state: State, uri: Uri): void {
  const { composition, file } = state;
  if (!composition || uri.toString() === file || !isInput(composition.projectUri, uri)) return;
  state.version++;
  update(state);
}

/** Whether an image can depend on a file of the project: not on videos that were rendered, nor on what tools write. */
function isInput(projectUri: string, { path }: Uri): boolean {
  const { path: folder } = Uri.parse(projectUri);
  return path.startsWith(`${folder}/`) && !/\/(?:renders|node_modules|\.[^/]+)\//.test(path.slice(folder.length));
}

let captures = 0;

/** Never rejects. */
async function captureImage(
  { composition, values, shape }: Subject,
  services: ExtensionServices,
  signal: AbortSignal,
): Promise<RowImage> {
  const { context, log } = services;
  const parent = context.storageUri ?? context.globalStorageUri;
  const file = Uri.joinPath(parent, `row-${Date.now()}-${captures++}.jpg`);
  try {
    await workspace.fs.createDirectory(parent);
    const folder = folderOf(composition);
    const result = await runCliJson(services, {
      args: ['snapshot', folder, ...imageArgs(composition, shape), `--output=${file.fsPath}`, ...programOptions()],
      cwd: folder,
      stdin: JSON.stringify(values),
      signal,
    });
    if (!('value' in result)) return { problem: editorError(result.error).message };
    return { source: `data:image/jpeg;base64,${base64(await workspace.fs.readFile(file))}` };
  } catch (error) {
    log.error(String(error));
    return { problem: l10n.t('The image could not be captured.') };
  } finally {
    // After an error, it does not exist.
    await Promise.resolve(workspace.fs.delete(file)).catch(() => undefined);
  }
}

/** Screenshots, because painting only pays for many frames. */
function imageArgs({ path }: CompositionInfo, shape: Shape): string[] {
  const frame = ['--at=poster', `--max-side=${maxSide}`, '--capture=screenshot'];
  return [`--composition=${path}`, '--variables-file=-', ...frame, ...videoArgs(shape)];
}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

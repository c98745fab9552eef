// The renders started from this workspace, newest first. They are stored in the workspace state.
import { type Disposable, type Event, EventEmitter, type Memento } from 'vscode';
import { type MovedUri, movedPath } from '../compositions/moves.ts';
import type { VideoChoice } from './jobArguments.ts';

/** `render` and `batch` run on this machine, `cloud` at the hosted service, `serverless` on an AWS stack. */
export type RenderKind = 'render' | 'batch' | 'cloud' | 'serverless';

/** JSON. Times are milliseconds since 1970. */
export type RenderEntry = {
  id: string;
  kind: RenderKind;
  /** Display name: `launch-card-halo-two`, without the extension of the video, or `row 3 of rows.json`. */
  name: string;
  /** URI of the composition's file; `project` is the URI of its project folder. */
  composition: string;
  project: string;
  values: Readonly<Record<string, unknown>>;
  startedAt: number;
  endedAt?: number;
  state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Progress from 0 to 100 and its description, while it is running. */
  percent?: number;
  message?: string;
  /** Absolute path of the video, or of the manifest of a batch. */
  output?: string;
  /** The path that was asked for, without the number that made it unique, for rendering again. */
  wanted?: string;
  /** The name of the set that the values come from. */
  set?: string;
  /** URI of the batch file, the output template, and the rows if only some are rendered. */
  batch?: { uri: string; template: string; rows?: string };
  /** The command-line arguments of a task, for running it again: they contain more than the other fields. */
  task?: { args: readonly string[]; stdin: string };
  /** Render id at the hosted service, or ARN of the execution on AWS. */
  remoteId?: string;
  error?: string;
  /** Rows of a completed batch with values that do not fit, for which defaults were used. */
  usedDefaults?: number;
  /** Time of the poster frame in the video, in seconds, if the composition declares one. */
  poster?: number;
  /** What was chosen for the video, and what a completed render on this computer has measured. */
  video?: VideoChoice;
  measured?: Measured;
  /** Lines of the log. */
  log: readonly string[];
};

/** `pixels`: of a frame. Times in milliseconds. */
export type Measured = { frames: number; pixels: number; bytes: number; elapsedMs: number };

export type RenderHistory = Disposable & {
  entries(): readonly RenderEntry[];
  /** Returns the id of the new entry. */
  add(entry: Omit<RenderEntry, 'id' | 'log'>): string;
  /** Does nothing when the entry was removed. Appends the lines to its log. */
  update(id: string, change: Partial<Omit<RenderEntry, 'id' | 'log'>>, ...lines: string[]): void;
  /** Removes entries; files are kept. Returns a function that restores them. */
  remove(ids: readonly string[]): () => void;
  move(moved: MovedUri): void;
  /** Adds finished renders of other windows. */
  adopt(found: readonly RenderEntry[]): void;
  /** Fires with the changed entry, or with undefined when the list changed. */
  onDidChange: Event<RenderEntry | undefined>;
};

const key = 'framework.renders';
const maxEntries = 200;
const maxLines = 500;

export function createRenderHistory(memento: Memento): RenderHistory {
  const changed = new EventEmitter<RenderEntry | undefined>();
  // A local render ended with its window; one in the cloud or on AWS continued.
  const wasInterrupted = ({ state, remoteId }: RenderEntry) => state === 'running' && remoteId === undefined;
  let entries = memento
    .get<RenderEntry[]>(key, [])
    .map((entry): RenderEntry => (wasInterrupted(entry) ? { ...entry, state: 'cancelled' } : entry));
  const store = () => void memento.update(key, entries);
  return {
    entries: () => entries,
    add(entry) {
      const added: RenderEntry = { ...entry, id: crypto.randomUUID(), log: [] };
      entries = [added, ...entries].slice(0, maxEntries);
      store();
      changed.fire(undefined);
      return added.id;
    },
    update(id, change, ...lines) {
      const found = entries.find((entry) => entry.id === id);
      if (!found) return;
      const updated: RenderEntry = { ...found, ...change, log: [...found.log, ...lines].slice(-maxLines) };
      entries = entries.map((entry) => (entry.id === id ? updated : withoutFile(entry, change.output)));
      // Progress changes many times a second and is not needed in the next window.
      if (change.state !== undefined || change.remoteId !== undefined) store();
      changed.fire(updated);
    },
    remove(ids) {
      const removed = entries.filter(({ id }) => ids.includes(id));
      const show = (next: RenderEntry[]) => {
        entries = next;
        store();
        changed.fire(undefined);
      };
      show(entries.filter((entry) => !removed.includes(entry)));
      return () => show(newestFirst([...entries, ...removed]));
    },
    move(moved) {
      entries = entries.map((entry) => movedEntry(entry, moved));
      store();
      changed.fire(undefined);
    },
    adopt(found) {
      const ids = new Set(entries.map(({ id }) => id));
      const added = found.filter(({ id }) => !ids.has(id));
      if (added.length === 0) return;
      entries = newestFirst([...entries, ...added]);
      store();
      changed.fire(undefined);
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

const newestFirst = (all: readonly RenderEntry[]): RenderEntry[] =>
  all.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, maxEntries);

function movedEntry(entry: RenderEntry, moved: MovedUri): RenderEntry {
  const { composition, project, output, batch } = entry;
  return {
    ...entry,
    composition: moved(composition),
    project: moved(project),
    ...(output === undefined ? {} : { output: movedPath(output, moved) }),
    ...(batch === undefined ? {} : { batch: { ...batch, uri: moved(batch.uri) } }),
  };
}

/** Whether this computer renders. A render uses the whole computer, and the browser that is kept for images too. */
export function isRendering({ entries }: Pick<RenderHistory, 'entries'>): boolean {
  return entries().some(({ state, kind }) => state === 'running' && (kind === 'render' || kind === 'batch'));
}

/** Tasks and batches write the same file again. It then belongs only to the newest entry. */
function withoutFile(entry: RenderEntry, output: string | undefined): RenderEntry {
  if (output === undefined || entry.output !== output) return entry;
  const { output: _, ...rest } = entry;
  return rest;
}

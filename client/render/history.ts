// The renders that were started from this workspace, newest first: under way, done, failed. Kept when the window closes.
import { type Disposable, type Event, EventEmitter, type Memento } from 'vscode';

/** Where a render runs: on this machine (one video, or one for each row), at the hosted service, or on the AWS stack. */
export type RenderKind = 'render' | 'batch' | 'cloud' | 'serverless';

/** Plain JSON. Times are milliseconds since 1970. */
export type RenderEntry = {
  id: string;
  kind: RenderKind;
  /** What is rendered, for people: `index.html`, or `rows.json, row 3`. */
  name: string;
  /** URIs of the composition's file and of its project folder. */
  composition: string;
  project: string;
  values: Readonly<Record<string, unknown>>;
  startedAt: number;
  endedAt?: number;
  state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 100, and a sentence about it, while it is running. */
  percent?: number;
  message?: string;
  /** Absolute path of the video, or of a batch's manifest. */
  output?: string;
  /** URI of the file with a batch's rows, and the template of its outputs. */
  batch?: { uri: string; template: string };
  /** Of a task, which says more than the other fields: what the command line was given, for doing the same again. */
  task?: { args: readonly string[]; stdin: string };
  /** Id at the hosted service, or ARN of the execution on AWS. */
  remoteId?: string;
  error?: string;
  /** What was said on the way, line by line. */
  log: readonly string[];
};

export type RenderHistory = Disposable & {
  entries(): readonly RenderEntry[];
  /** Gives the new entry's id. */
  add(entry: Omit<RenderEntry, 'id' | 'log'>): string;
  /** Nothing happens for an entry that was removed. Lines are added to its log. */
  update(id: string, change: Partial<Omit<RenderEntry, 'id' | 'log'>>, ...lines: string[]): void;
  /** Forgets it; files stay. */
  remove(id: string): void;
  /** The entry that changed; undefined where several did. */
  onDidChange: Event<RenderEntry | undefined>;
};

const key = 'framework.renders';
const maxEntries = 200;
const maxLines = 500;

export function createRenderHistory(memento: Memento): RenderHistory {
  const changed = new EventEmitter<RenderEntry | undefined>();
  // What was under way on this machine when the window closed has ended with it; what runs elsewhere went on.
  const isCut = ({ state, remoteId }: RenderEntry) => state === 'running' && remoteId === undefined;
  let entries = memento
    .get<RenderEntry[]>(key, [])
    .map((entry): RenderEntry => (isCut(entry) ? { ...entry, state: 'cancelled' } : entry));
  const keep = () => void memento.update(key, entries);
  return {
    entries: () => entries,
    add(entry) {
      const added: RenderEntry = { ...entry, id: crypto.randomUUID(), log: [] };
      entries = [added, ...entries].slice(0, maxEntries);
      keep();
      changed.fire(undefined);
      return added.id;
    },
    update(id, change, ...lines) {
      const found = entries.find((entry) => entry.id === id);
      if (!found) return;
      const updated: RenderEntry = { ...found, ...change, log: [...found.log, ...lines].slice(-maxLines) };
      entries = entries.map((entry) => (entry.id === id ? updated : entry));
      // Progress comes many times a second, and is worth nothing after the window has closed.
      if (change.state !== undefined || change.remoteId !== undefined) keep();
      changed.fire(updated);
    },
    remove(id) {
      entries = entries.filter((entry) => entry.id !== id);
      keep();
      changed.fire(undefined);
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

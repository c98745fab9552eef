// The values that the user is trying out: one set for each composition, shared by the form, the preview and the renders.
// They stay with the workspace when its window closes.
import { type Disposable, type Event, EventEmitter, type Uri } from 'vscode';

export type Values = Readonly<Record<string, unknown>>;

/** Keyed by the URI of the composition's file. Values are those that differ from the declared defaults. */
export type TriedValues = Disposable & {
  get(composition: Uri): Values;
  set(composition: Uri, values: Values): void;
  /** The composition whose values have changed. */
  onDidChange: Event<Uri>;
};

/** What is used of the editor's `Memento`. */
type Kept = { get<T>(key: string, otherwise: T): T; update(key: string, value: unknown): PromiseLike<void> };

const key = 'framework.triedValues';
/** Compositions; those that were tried last are kept. */
const mostKept = 50;

export function createTriedValues(memento: Kept): TriedValues {
  const kept = new Map(Object.entries(memento.get<Record<string, Values>>(key, {})));
  const changed = new EventEmitter<Uri>();
  return {
    get: (composition) => kept.get(composition.toString()) ?? {},
    set(composition, values) {
      const name = composition.toString();
      kept.delete(name);
      if (Object.keys(values).length > 0) kept.set(name, values);
      void memento.update(key, Object.fromEntries([...kept].slice(-mostKept)));
      changed.fire(composition);
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

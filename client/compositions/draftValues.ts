// Draft values: the variable values that the user is editing. Each composition has one set, which the form, the preview and
// the renders share. They are stored in the workspace state.
import { type Disposable, type Event, EventEmitter, type Uri } from 'vscode';
import { type MovedUri, withMovedKeys } from './moves.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Keyed by the URI of the composition's file. Only values that differ from the declared defaults are kept. */
export type DraftValues = Disposable & {
  get(composition: Uri): Values;
  set(composition: Uri, values: Values): void;
  move(moved: MovedUri): void;
  /** Fires with the composition whose values changed. */
  onDidChange: Event<Uri>;
};

/** The part of VS Code's `Memento` that is used. */
type Storage = { get<T>(key: string, otherwise: T): T; update(key: string, value: unknown): PromiseLike<void> };

/** Delay before changed values are shown, in milliseconds: dragging a slider changes the value many times a second. */
export const valueDelayMs = 16;

const key = 'framework.triedValues';
/** Only the compositions whose values were edited last are kept. */
const maxCompositions = 50;

export function createDraftValues(memento: Storage): DraftValues {
  let kept = new Map(Object.entries(memento.get<Record<string, Values>>(key, {})));
  const changed = new EventEmitter<Uri>();
  const store = () => void memento.update(key, Object.fromEntries([...kept].slice(-maxCompositions)));
  return {
    get: (composition) => kept.get(composition.toString()) ?? {},
    set(composition, values) {
      const name = composition.toString();
      kept.delete(name);
      if (Object.keys(values).length > 0) kept.set(name, values);
      store();
      changed.fire(composition);
    },
    move(moved) {
      kept = new Map(withMovedKeys(kept, moved));
      store();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

// The values that the user is trying out: one set for each composition, shared by the form, the preview and the renders.
import { type Disposable, type Event, EventEmitter, type Uri } from 'vscode';

export type Values = Readonly<Record<string, unknown>>;

/** Keyed by the URI of the composition's file. Values are those that differ from the declared defaults. */
export type TriedValues = Disposable & {
  get(composition: Uri): Values;
  set(composition: Uri, values: Values): void;
  /** The composition whose values have changed. */
  onDidChange: Event<Uri>;
};

export function createTriedValues(): TriedValues {
  const kept = new Map<string, Values>();
  const changed = new EventEmitter<Uri>();
  return {
    get: (composition) => kept.get(composition.toString()) ?? {},
    set(composition, values) {
      kept.set(composition.toString(), values);
      changed.fire(composition);
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

// What was chosen in the render dialogs of a workspace, by the URI of the composition.
import type { Memento } from 'vscode';
import { type MovedUri, withMovedKeys } from '../compositions/moves.ts';
import type { RenderChoice } from './renderChoice.ts';

type Store = Pick<Memento, 'get' | 'update'>;

const key = 'framework.renderChoices';
/** Only the compositions whose choices were changed last are kept. */
const maxCompositions = 50;

export const choicesOf = (store: Store): Map<string, RenderChoice> =>
  new Map(Object.entries(store.get<Record<string, RenderChoice>>(key, {})));

export function storeChoice(store: Store, composition: string, choice: RenderChoice): void {
  const kept = choicesOf(store);
  kept.delete(composition);
  kept.set(composition, choice);
  void store.update(key, Object.fromEntries([...kept].slice(-maxCompositions)));
}

export function moveChoices(store: Store, moved: MovedUri): void {
  const choices = withMovedKeys(choicesOf(store), moved).map(([uri, choice]): [string, RenderChoice] => [
    uri,
    choice.batch === undefined ? choice : { ...choice, batch: moved(choice.batch) },
  ]);
  void store.update(key, Object.fromEntries(choices));
}

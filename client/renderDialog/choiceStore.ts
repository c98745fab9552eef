// Remembers what was chosen in the render dialog, for each composition.
import type { Memento } from 'vscode';
import type { RenderChoice } from './renderChoice.ts';

export type ChoiceStore = {
  /** Undefined until a choice was made for the composition with this URI. */
  get(composition: string): RenderChoice | undefined;
  set(composition: string, choice: RenderChoice): void;
};

const key = 'framework.renderChoices';
/** Only the compositions whose choices were changed last are kept. */
const maxCompositions = 50;

export function createChoiceStore(memento: Pick<Memento, 'get' | 'update'>): ChoiceStore {
  const kept = new Map(Object.entries(memento.get<Record<string, RenderChoice>>(key, {})));
  return {
    get: (composition) => kept.get(composition),
    set(composition, choice) {
      kept.delete(composition);
      kept.set(composition, choice);
      void memento.update(key, Object.fromEntries([...kept].slice(-maxCompositions)));
    },
  };
}

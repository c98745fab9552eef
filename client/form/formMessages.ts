// What the variables form and the extension say to each other: plain data.
import type { Values } from '../values.ts';
import type { FormStrings } from './formStrings.ts';
import type { VariableDeclaration } from './valueText.ts';

/** `sidebar`: follows the composition in front. `panel`: belongs to one composition, and is there to render it. */
export type FormPlace = 'sidebar' | 'panel';

/** Named sets of a composition. `isModified`: what is tried is no longer what the chosen one holds. */
export type FormSets = { names: readonly string[]; chosen?: string; isModified: boolean };

export type FormState = {
  /** URI of the composition's file, and its path in the project. */
  uri: string;
  path: string;
  declarations: readonly VariableDeclaration[];
  /** Those that differ from the defaults, and those that are not declared. */
  values: Values;
  sets: FormSets;
  /** The last edit of this page that is in it. */
  turn: number;
};

/** What the extension posts. */
export type ToForm =
  | { type: 'start'; place: FormPlace; strings: FormStrings }
  | { type: 'state'; state: FormState }
  /** There is no composition. */
  | { type: 'empty' };

export type FormAction = 'render' | 'saveSet' | 'deleteSet' | 'writeDefaults' | 'copyCommand';

/** What the page posts. `uri` says which composition it is about: another one may have come in front. */
export type FromForm =
  | { type: 'ready' }
  /** The list of sets is about to be looked at: watching a folder tells late where many files change. */
  | { type: 'refresh'; uri: string }
  | { type: 'values'; uri: string; values: Values; turn: number }
  | { type: 'chooseSet'; uri: string; name: string }
  | { type: 'action'; uri: string; action: FormAction };

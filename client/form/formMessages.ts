// The messages between the extension and the variables form.
import type { Values } from '../compositions/draftValues.ts';
import type { FormStrings } from './formStrings.ts';
import type { VariableDeclaration } from './valueText.ts';

/** `sidebar`: shows the active composition. `panel`: shows one composition, for a render. */
export type FormLocation = 'sidebar' | 'panel';

/** Named sets of a composition. `isModified`: the draft values differ from the chosen set. */
export type FormSets = { names: readonly string[]; chosen?: string; isModified: boolean };

export type FormState = {
  /** URI of the composition's file. */
  uri: string;
  /** Its display name. */
  name: string;
  declarations: readonly VariableDeclaration[];
  /** Why the declarations in the file cannot be used; then the last valid ones are shown. `line` starts at 1. */
  problem?: { message: string; line: number };
  /** The values that differ from the defaults, including undeclared ones. */
  values: Values;
  /** The chosen size of videos; empty for the composition's own. */
  size: string;
  sets: FormSets;
  /** The number of the last edit of this page that the state includes. */
  edit: number;
};

/** From the extension to the page. */
export type ToForm =
  | { type: 'start'; location: FormLocation; strings: FormStrings }
  | { type: 'state'; state: FormState }
  /** No composition is active. */
  | { type: 'empty' };

export type FormAction =
  | 'render'
  | 'saveSet'
  | 'deleteSet'
  | 'writeDefaults'
  | 'copyCommand'
  | 'chooseSize'
  | 'addVariable';

/** From the page to the extension. `uri` is the composition of the message, because another one may have become active. */
export type FromForm =
  | { type: 'ready' }
  /** The list of sets is opened. The file watcher can be late when many files change. */
  | { type: 'refresh'; uri: string }
  | { type: 'values'; uri: string; values: Values; edit: number }
  /** Opens the file at the problem of the declarations. */
  | { type: 'goToProblem'; uri: string }
  | { type: 'chooseSet'; uri: string; name: string }
  | { type: 'action'; uri: string; action: FormAction };

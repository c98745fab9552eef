// The messages between the extension and the page of the render dialog, in addition to those of the variables form.
import type { DialogStrings } from './dialogStrings.ts';
import type { RenderChoice } from './renderChoice.ts';
import type { FromRows, ToRows } from './rowMessages.ts';

/** What the page shows next to the choice. */
export type DialogState = {
  /** Display name of the composition. */
  name: string;
  choice: RenderChoice;
  /** The path that the user has typed, and the one that is used if it is empty. */
  output: string;
  suggestion: string;
  /** What the composition declares, as text; empty if only its page knows. */
  own: { size: string; fps: string; duration: string };
  /** `eu-central-1 · framework-render`; empty until a stack is chosen. */
  stack: string;
  /** One video for each row of a data file, not one video. */
  isBatch: boolean;
};

/** One estimate: `about 6 s`, and what it is based on. `isUnknown`: the value says that nothing is known. */
export type Fact = { value: string; basis: string; isUnknown: boolean };

/** The result of a check of the command line. */
export type CheckResult =
  | { state: 'checking' }
  /** `video`: `1920 × 1080, 30 fps, 270 frames, 9 s`. */
  | { state: 'valid'; video: string; time: Fact; size: Fact; cost: Fact }
  | { state: 'invalid'; message: string; hint: string };

/** From the extension to the page. */
export type ToDialog =
  | { type: 'dialogStart'; strings: DialogStrings }
  | { type: 'dialogState'; state: DialogState }
  | { type: 'dialogCheck'; result: CheckResult }
  | ToRows;

export type DialogAction = 'dialogReady' | 'dialogRender' | 'dialogCopy' | 'dialogChooseStack';

/** From the page to the extension. `output` is empty for the suggestion. */
export type FromDialog =
  | FromRows
  | { type: DialogAction }
  | { type: 'dialogChoice'; choice: RenderChoice; output: string };

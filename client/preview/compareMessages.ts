// The messages between the extension and the panel that compares two sets of values.
import type { FromPage } from '../../preview/messages.ts';
import type { PanelNotice } from './previewMessages.ts';

/** The two previews next to each other. They are also the names of their views. */
export const sides = ['left', 'right'] as const;
export type Side = (typeof sides)[number];
export type Sides<Value> = Readonly<Record<Side, Value>>;

/** The values of a side: the defaults, the values in the form, or those of a set with this name. */
export type ComparedValues = 'defaults' | 'current' | `set ${string}`;

export type CompareStrings = { play: string; pause: string; time: string; left: string; right: string };

/** From the extension to the panel. */
export type ToCompare =
  /** `texts`: of the pages in the frames. */
  | { type: 'frames'; urls: Sides<string>; origin: string; strings: CompareStrings; texts: Record<string, string> }
  | { type: 'choices'; choices: readonly { value: ComparedValues; label: string }[]; chosen: Sides<ComparedValues> }
  | { type: 'notice'; notice: PanelNotice };

/** From the panel to the extension. */
export type FromCompare =
  | { type: 'ready' }
  | { type: 'choose'; side: Side; value: ComparedValues }
  | { type: 'action' }
  | { type: 'page'; message: FromPage };

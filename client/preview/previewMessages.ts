// What the preview's panel and the extension say to each other: plain data. What belongs to the page in the frame is passed on.
import type { FromPage, ToPage } from '../../renderer-core/preview/messages.ts';

/** A sentence in place of the picture, with a way out. */
export type PanelNotice = { text: string; detail?: string; button?: { label: string; action: PanelAction } };

export type PanelAction = 'trust' | 'restart' | 'save';

/** What the extension posts. */
export type ToPanel =
  /** `origin` is that of `url`; `title` names the frame for screen readers; `failed` is said when its page never answers. */
  | { type: 'frame'; url: string; origin: string; title: string; failed: PanelNotice }
  | { type: 'notice'; notice: PanelNotice }
  /** What the window keeps of the panel. */
  | { type: 'keep'; kept: KeptPanel }
  | { type: 'page'; message: ToPage };

/** What the panel posts. */
export type FromPanel =
  | { type: 'ready' }
  | { type: 'page'; message: FromPage }
  | { type: 'action'; action: PanelAction };

/** What is kept of a panel while the window is loaded anew. */
export type KeptPanel = { uri: string };

// The messages between the extension and the preview panel. Those of type `page` are forwarded to or from the page in its frame.
import type { FromPage, ToPage } from '../../preview/messages.ts';

/** A message instead of the preview, optionally with a button. */
export type PanelNotice = { text: string; detail?: string; button?: { label: string; action: PanelAction } };

export type PanelAction = 'trust' | 'restart' | 'save';

/** From the extension to the panel. */
export type ToPanel =
  /** `origin`: the origin of `url`. `title`: for screen readers. `failed`: shown when the page does not load. */
  | { type: 'frame'; url: string; origin: string; title: string; failed: PanelNotice }
  | { type: 'notice'; notice: PanelNotice }
  /** The state that VS Code stores for the panel. */
  | { type: 'saveState'; state: SavedPanel }
  | { type: 'page'; message: ToPage };

/** From the panel to the extension. */
export type FromPanel =
  | { type: 'ready' }
  | { type: 'page'; message: FromPage }
  | { type: 'action'; action: PanelAction };

/** The stored state that restores a panel after a window reload. */
export type SavedPanel = { uri: string };

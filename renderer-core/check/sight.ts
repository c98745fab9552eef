// What the page around a composition reports about one frame. Plain data: thresholds and messages are in `findings.ts`.

/** In pixels of the composition. */
export type Box = { left: number; top: number; width: number; height: number };

/** `source`: `<file>:<start>:<end>` of the nearest element that the author has written, see `markEdits`. */
export type SeenElement = { source: string | null; name: string };

/** Red, green and blue from 0 to 255; alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Text of one color. `color`: null if no single color shows, because of a gradient, filter or blend mode. */
export type SeenPart = { lines: readonly Box[]; color: Rgba | null };

/** The text of one block. `key` is the same in all frames of a page. */
export type SeenText = SeenElement & {
  key: number;
  text: string;
  /** Its lines, as far as they are laid out: also what is cut off or outside of the frame. */
  lines: readonly Box[];
  parts: readonly SeenPart[];
  /** In pixels; `isLarge`: by the definition of WCAG. */
  isLarge: boolean;
  opacity: number;
  /** What remains of the frame after the overflow of its ancestors, and the one that takes most away. */
  window: Box;
  cutBy: SeenElement | null;
  /** It ends with an ellipsis. */
  isShortened: boolean;
  /** The nearest box with a background, border or shadow that contains the text in its flow; null if there is none. */
  surface: (SeenElement & { box: Box }) | null;
  /** Rotated, or written in columns: only whether it leaves the frame can be told. */
  isTurned: boolean;
};

export type SeenImage = SeenElement & { box: Box; scale: number; url: string };

/** `isEmpty`: it has nothing that could be seen. */
export type SeenClip = SeenElement & { start: number; end: number | null; isShown: boolean; isEmpty: boolean };

export type Sight = { texts: SeenText[]; images: SeenImage[]; clips: SeenClip[]; width: number; height: number };

/** The contrast of a part of a text over what is behind it. `ratio`: most of the text has at least this one. */
export type SeenContrast = { key: number; ratio: number; color: Rgba; behind: Rgba };

/** `change`: the share of pixels that differ from the look before; 1 for the first. */
export type Look = { isPlain: boolean; color: Rgba; change: number };

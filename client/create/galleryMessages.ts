// The messages between the extension and the page of the gallery. Only types.

/** `detail`: size and duration, for example. */
export type Card = { name: string; title: string; description: string; detail?: string | undefined };

export type ToGallery = {
  type: 'show';
  /** `image`: URL of the webview. */
  cards: (Card & { image: string })[];
  strings: { title: string; target: string; search: string; none: string };
};

export type FromGallery = { type: 'ready' } | { type: 'choose'; name: string } | { type: 'close' };

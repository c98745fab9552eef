// The messages between the extension and the page of the catalog. Only types.

/** `image`: URL of the webview. */
export type BlockCard = { name: string; title: string; description: string; image: string };

export type ToBlocks = {
  type: 'show';
  blocks: BlockCard[];
  strings: { title: string; target: string; search: string; none: string };
};

export type FromBlocks = { type: 'ready' } | { type: 'insert'; name: string } | { type: 'close' };

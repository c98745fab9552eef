// The format of `blocks/blocks.json`: the catalog of blocks. Does not use Node, because VS Code for the Web reads it too.

/** A composition that users insert into theirs: `blocks/<name>.html`, with the image `blocks/<name>.webp`. */
export type Block = {
  name: string;
  title: string;
  /** One line for a list. */
  description: string;
  /** Seconds from its start to a frame that shows what the block is. */
  posterTime: number;
  /** Whether what is behind the block stays visible, so that its image needs something behind it. */
  isOverlay?: boolean;
  /** Whether the middle of the block, not its start, is at the requested time. */
  isCentered?: boolean;
  /** Whether the block is behind everything else, and lasts until the end of the composition. */
  isBehind?: boolean;
};

export type BlockIndex = { blocks: Block[] };

export const blockIndexFile = 'blocks.json';

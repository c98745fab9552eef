// The sizes for which a composition has layouts: the attribute data-sizes on its root.

export type Size = { width: number; height: number };

/** The sizes of `1920x1080 1080x1920` in their order, and the words that are none or that come a second time. */
export type DeclaredSizes = { sizes: Size[]; unreadable: string[]; repeated: string[] };

export function readSizes(text: string): DeclaredSizes {
  const read: DeclaredSizes = { sizes: [], unreadable: [], repeated: [] };
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/i.exec(word) ?? [];
    const size = { width: Number(width), height: Number(height) };
    if (width === undefined || height === undefined) read.unreadable.push(word);
    else if (read.sizes.some((one) => isSameSize(one, size))) read.repeated.push(word);
    else read.sizes.push(size);
  }
  return read;
}

/** A composition always has a layout for its own size, which comes first. */
export const allSizes = (own: Size, declared: readonly Size[]): Size[] => [
  own,
  ...declared.filter((size) => !isSameSize(size, own)),
];

export const isSameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

/** `1920x1080`, as authors write it. */
export const sizeText = ({ width, height }: Size): string => `${width}x${height}`;

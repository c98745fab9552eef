// The images that show frames of one animated file. An image must not be freed while the page shows its URL.

export type KeptImages<Key> = {
  /** The URL of the image with this key, which is loaded and decoded. */
  url(key: Key, load: () => Promise<HTMLImageElement>): Promise<string>;
  /** Frees images whose URL is not `shown`, the oldest first, until at most `most` are left. */
  free(shown: ReadonlySet<string>): Promise<void>;
};

export function keepImages<Key>(most: number): KeptImages<Key> {
  const kept = new Map<Key, Promise<HTMLImageElement>>();
  return {
    async url(key, load) {
      const image = kept.get(key) ?? load();
      kept.set(key, image);
      return (await image).src;
    },
    async free(shown) {
      for (const [key, image] of kept) {
        if (kept.size <= most) return;
        const { src } = await image;
        if (shown.has(src)) continue;
        kept.delete(key);
        URL.revokeObjectURL(src.replace(/#.*/, ''));
      }
    },
  };
}

/** Loads an image file from memory. `fragment`: of its URL, with `#`. */
export async function loadImage(file: Blob, fragment = ''): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file) + fragment;
  await image.decode();
  return image;
}

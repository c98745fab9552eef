/** An image file that changes over time. */
export type MovingImage = {
  /** In pixels; null if the image may have any size. */
  width: number | null;
  /** The URL of an image of this time of the file, which is loaded and decoded. */
  show(ms: number): Promise<string>;
  /** Frees memory of images that the page does not show: it shows these URLs. */
  free(shown: ReadonlySet<string>): Promise<void>;
};

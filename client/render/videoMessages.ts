// The messages between the page of a video and the extension.

export type ToVideo = {
  type: 'show';
  /** Address of the video for the page. */
  source: string;
  /** Time of the poster frame in seconds; null if the page has to find it. */
  poster: number | null;
  texts: { video: string; failed: string };
};

export type FromVideo = { type: 'ready' };

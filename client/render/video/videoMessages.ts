// The messages between the page of a video and the extension.

export type ToVideo =
  | {
      type: 'show';
      /** Address of the video for the page. */
      source: string;
      /** Time of the poster frame in seconds; null if the page has to find it. */
      poster: number | null;
      texts: { video: string; failed: string; open: string };
    }
  /** The video was deleted. */
  | { type: 'missing'; text: string }
  /** Address of a copy of the video with sound that the page can play. */
  | { type: 'copy'; source: string };

/** `playsAac`: whether the page can play the sound of MP4 videos. */
export type FromVideo = { type: 'ready'; playsAac: boolean } | { type: 'openOutside' };

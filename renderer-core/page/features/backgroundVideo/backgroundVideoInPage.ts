// Chooses the background video of a frame, and takes its frames out of the page.

import type { PagePart } from '../../runtime/pagePart.ts';
import { addStyle } from '../../runtime/styles.ts';
import type { Crop, Underlay } from '../capturePart.ts';
import type { MediaPlayer } from '../video/mediaPlayer.ts';
import type { Diversion, Videos } from '../video/videoInPage.ts';
import { backgroundVideoCss, isBackgroundVideo, markBackgroundVideo, shownCrop } from './findBackgroundVideo.ts';

export type BackgroundVideos = {
  /** From now on, a background video is left out of the page. Returns false if there is no video. */
  use(): boolean;
  /** The background video of the last seek; null if all videos are in the page. */
  current(): Underlay | null;
};

export const backgroundVideoInPage: PagePart = {
  install({ window, handles }) {
    const media = handles.video as Videos;
    const { diversion, current } = divertBackground(window.document, media.isRead);
    return {
      handle: {
        use() {
          if (!media.hasVideos()) return false;
          addStyle(window.document, backgroundVideoCss);
          media.divert(diversion);
          return true;
        },
        current,
      } satisfies BackgroundVideos,
    };
  },
};

function divertBackground(document: Document, isRead: Videos['isRead']) {
  let underlay: Underlay | null = null;
  /** The part of its frame that the chosen video shows. */
  let crop: Crop = { x: 0, y: 0, width: 0, height: 0 };
  const cropOf = ({ element, file }: MediaPlayer): Crop | undefined => {
    const video = element as HTMLVideoElement;
    return file.isOpaque && !isRead(video) && isBackgroundVideo(video) ? shownCrop(video) : undefined;
  };
  const diversion: Diversion = {
    choose(showing) {
      for (const player of showing) {
        const found = cropOf(player);
        if (!found) continue;
        crop = found;
        return player;
      }
      return undefined;
    },
    async show(player, seconds, isNew) {
      const shown = crop;
      const frame = await player.file.frameAt(seconds, isNew);
      if (isNew) await player.screen?.clear();
      const before = underlay;
      if (frame) before?.image.close();
      // Without a new frame, the previous one stays.
      const image = frame ?? before?.image;
      const changed = frame !== null || !isSame(before?.crop, shown);
      underlay = image ? { image, crop: shown, changed } : null;
    },
    done(player) {
      if (!player) {
        underlay?.image.close();
        underlay = null;
      }
      markBackgroundVideo(document, player?.element);
    },
  };
  return { diversion, current: () => underlay };
}

function isSame(before: Crop | undefined, { x, y, width, height }: Crop): boolean {
  return before?.x === x && before.y === y && before.width === width && before.height === height;
}

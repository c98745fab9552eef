// Fast path `background-video`, page side: chooses the background video of a frame, and takes its frames out of the page.
import type { BackgroundVideo, Crop } from '../control.ts';
import { isBackgroundVideo, shownCrop } from './backgroundVideo.ts';
import type { MediaPlayer } from './mediaPlayer.ts';

/** The background video of the last frame. */
export type Background = { video: BackgroundVideo | null };

/** The background video among the shown videos, with the part of its frame that it shows. */
export function findBackground(
  showing: readonly MediaPlayer[],
  isRead: (video: HTMLVideoElement) => boolean,
): { player: MediaPlayer; crop: Crop } | undefined {
  for (const player of showing) {
    const video = player.element as HTMLVideoElement;
    if (!player.file.isOpaque || isRead(video)) continue;
    const crop = isBackgroundVideo(video) ? shownCrop(video) : undefined;
    if (crop) return { player, crop };
  }
  return undefined;
}

/** Shows the frame at `seconds` of the player's file in the background. Returns whether the page has changed. */
export async function showInBackground(
  player: MediaPlayer,
  seconds: number,
  background: Background,
  crop: Crop,
): Promise<boolean> {
  const hasMoved = !player.isBackground;
  player.isBackground = true;
  const frame = await player.file.frameAt(seconds, hasMoved);
  if (hasMoved) await player.screen?.clear();
  const before = background.video;
  if (frame) before?.videoFrame.close();
  // Without a new frame, the previous one stays.
  const videoFrame = frame ?? before?.videoFrame;
  const changed = frame !== null || !isSame(before?.crop, crop);
  background.video = videoFrame ? { videoFrame, crop, changed } : null;
  return hasMoved;
}

export function clearBackground(background: Background): void {
  background.video?.videoFrame.close();
  background.video = null;
}

function isSame(before: Crop | undefined, { x, y, width, height }: Crop): boolean {
  return before?.x === x && before.y === y && before.width === width && before.height === height;
}

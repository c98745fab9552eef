import type { MediaHandle } from '../../runtime/media/media.ts';
import type { CapturePart } from '../capturePart.ts';

export const videoInCapture: CapturePart<MediaHandle> = {
  // The screen shows the frames of videos that it gets from elsewhere than painting does.
  begin: (_, { hasFrames }) => ({ traits: { samplesApart: hasFrames() } }),
};

import type { CapturePart } from '../capturePart.ts';
import type { Videos } from './videoInPage.ts';

export const videoInCapture: CapturePart<Videos> = {
  // The screen shows the frames of videos that it gets from elsewhere than painting does.
  begin: (_, { hasFrames }) => ({ traits: { samplesApart: hasFrames() } }),
};

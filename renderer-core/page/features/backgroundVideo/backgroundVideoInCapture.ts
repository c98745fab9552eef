import type { CapturePart } from '../capturePart.ts';
import type { BackgroundVideos } from './backgroundVideoInPage.ts';

export const backgroundVideoInCapture: CapturePart<BackgroundVideos> = {
  begin: (_, { use, current }) => ({ useUnderlay: use, underlay: current }),
};

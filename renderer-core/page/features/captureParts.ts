// The features that do something in the page around a composition that is captured.

import { backdropInCapture } from './backdrop/backdropInCapture.ts';
import { backgroundVideoInCapture } from './backgroundVideo/backgroundVideoInCapture.ts';
import { bandingInCapture } from './banding/bands.ts';
import { canvasInCapture } from './canvas/fitCanvases.ts';
import type { CapturePart } from './capturePart.ts';
import { depthInCapture } from './depth/depthInCapture.ts';
import { imagesInCapture } from './images/decodeImages.ts';
import { topLayerInCapture } from './topLayer/topLayerInCapture.ts';

export const captureParts: Readonly<Record<string, CapturePart>> = {
  backdrop: backdropInCapture,
  backgroundVideo: backgroundVideoInCapture as CapturePart,
  banding: bandingInCapture,
  canvas: canvasInCapture,
  depth: depthInCapture,
  images: imagesInCapture as CapturePart,
  topLayer: topLayerInCapture as CapturePart,
};

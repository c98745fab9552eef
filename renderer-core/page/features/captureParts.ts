// The features that do something in the page around a composition that is captured.

import { backdropInCapture } from './backdrop/backdropInCapture.ts';
import { backgroundVideoInCapture } from './backgroundVideo/backgroundVideoInCapture.ts';
import { bandingInCapture } from './banding/bands.ts';
import { canvasInCapture } from './canvas/fitCanvases.ts';
import type { CapturePart } from './capturePart.ts';
import { depthInCapture } from './depth/depthInCapture.ts';
import { hdrVideoInCapture } from './hdrVideo/hdrVideoInCapture.ts';
import { imagesInCapture } from './images/decodeImages.ts';
import { pinnedFontsInCapture } from './pinnedFonts/pinnedFontsInCapture.ts';
import { provenInCapture } from './proven/provenInCapture.ts';
import { topLayerInCapture } from './topLayer/topLayerInCapture.ts';
import { videoInCapture } from './video/videoInCapture.ts';

export const captureParts: Readonly<Record<string, CapturePart>> = {
  backdrop: backdropInCapture,
  backgroundVideo: backgroundVideoInCapture as CapturePart,
  banding: bandingInCapture,
  canvas: canvasInCapture,
  depth: depthInCapture,
  hdrVideo: hdrVideoInCapture as CapturePart,
  images: imagesInCapture as CapturePart,
  pinnedFonts: pinnedFontsInCapture as CapturePart,
  proven: provenInCapture,
  topLayer: topLayerInCapture as CapturePart,
  video: videoInCapture as CapturePart,
};

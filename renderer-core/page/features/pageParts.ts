// The features that do something in the page of a composition, in the order in which they are installed and called.
import type { PageParts } from '../runtime/pagePart.ts';
import { analyserInPage } from './analyser/analyserInPage.ts';
import { animatedImagesInPage } from './animatedImages/animatedImagesInPage.ts';
import { animeInPage } from './anime/animeInPage.ts';
import { backgroundVideoInPage } from './backgroundVideo/backgroundVideoInPage.ts';
import { canvasInPage } from './canvas/canvasInPage.ts';
import { captionsInPage } from './captions/captionsInPage.ts';
import { colorGradingInPage } from './colorGrading/colorGradingInPage.ts';
import { dotLottieInPage } from './dotLottie/dotLottieInPage.ts';
import { gsapInPage } from './gsap/gsapInPage.ts';
import { hdrVideoInPage } from './hdrVideo/hdrVideoInPage.ts';
import { imagesInPage } from './images/imagesInPage.ts';
import { lottieInPage } from './lottie/lottieInPage.ts';
import { pinnedFontsInPage } from './pinnedFonts/pinnedFontsInPage.ts';
import { topLayerInPage } from './topLayer/topLayerInPage.ts';
import { videoInPage } from './video/videoInPage.ts';
import { webglInPage } from './webgl/webglInPage.ts';

export const pageParts: PageParts = {
  // First: scripts and the other features find the styles that it has written.
  pinnedFonts: pinnedFontsInPage,
  images: imagesInPage,
  animatedImages: animatedImagesInPage,
  video: videoInPage,
  hdrVideo: hdrVideoInPage,
  analyser: analyserInPage,
  anime: animeInPage,
  lottie: lottieInPage,
  dotLottie: dotLottieInPage,
  gsap: gsapInPage,
  canvas: canvasInPage,
  webgl: webglInPage,
  backgroundVideo: backgroundVideoInPage,
  topLayer: topLayerInPage,
  captions: captionsInPage,
  // Last: it reads the styles that the others have set.
  colorGrading: colorGradingInPage,
};

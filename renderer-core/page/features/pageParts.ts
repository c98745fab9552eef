// The features that do something in the page of a composition.
import { backgroundVideoInPage } from './backgroundVideo/backgroundVideoInPage.ts';
import { canvasInPage } from './canvas/canvasInPage.ts';
import type { PagePart } from './pagePart.ts';
import { topLayerInPage } from './topLayer/topLayerInPage.ts';
import { webglInPage } from './webgl/webglInPage.ts';

export const pageParts: Readonly<Record<string, PagePart>> = {
  backgroundVideo: backgroundVideoInPage,
  canvas: canvasInPage,
  topLayer: topLayerInPage,
  webgl: webglInPage,
};

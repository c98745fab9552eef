// The corpus: one page for each thing that videos use. The pages of a page feature are in the file with its name.
import { animatedImages } from './corpus/features/animatedImages.ts';
import { backdrop } from './corpus/features/backdrop.ts';
import { backgroundVideo } from './corpus/features/backgroundVideo.ts';
import { canvas } from './corpus/features/canvas.ts';
import { colorGrading } from './corpus/features/colorGrading.ts';
import { depth } from './corpus/features/depth.ts';
import { gsap } from './corpus/features/gsap.ts';
import { images } from './corpus/features/images.ts';
import { topLayer } from './corpus/features/topLayer.ts';
import { video } from './corpus/features/video.ts';
import { webgl } from './corpus/features/webgl.ts';
import { frameworks } from './corpus/frameworks.ts';
import { graphics } from './corpus/graphics.ts';
import { layout } from './corpus/layout.ts';
import { motion } from './corpus/motion.ts';
import { surfaces } from './corpus/surfaces.ts';
import { text } from './corpus/text.ts';

/** By the name of the feature. */
const ofFeatures = {
  backdrop,
  depth,
  gsap,
  topLayer,
  canvas,
  webgl,
  images,
  animatedImages,
  video,
  backgroundVideo,
  colorGrading,
};

export const corpus = [
  ...surfaces,
  ...text,
  ...layout,
  ...motion,
  ...graphics,
  ...Object.values(ofFeatures).flat(),
  ...frameworks,
];

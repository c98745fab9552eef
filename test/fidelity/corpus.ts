// The corpus: what a video's author uses of CSS and media, a page for each feature.
import { graphics } from './corpus/graphics.ts';
import { layout } from './corpus/layout.ts';
import { media } from './corpus/media.ts';
import { motion } from './corpus/motion.ts';
import { surfaces } from './corpus/surfaces.ts';
import { text } from './corpus/text.ts';

export const corpus = [...surfaces, ...text, ...layout, ...motion, ...graphics, ...media];

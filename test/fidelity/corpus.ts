// The corpus: one page for each feature of CSS and media that videos use.
import { frameworks } from './corpus/frameworks.ts';
import { graphics } from './corpus/graphics.ts';
import { layout } from './corpus/layout.ts';
import { media } from './corpus/media.ts';
import { motion } from './corpus/motion.ts';
import { surfaces } from './corpus/surfaces.ts';
import { text } from './corpus/text.ts';

export const corpus = [...surfaces, ...text, ...layout, ...motion, ...graphics, ...media, ...frameworks];

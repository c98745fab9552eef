// The table of features, and the switches that turn them off.
import { UserError } from '../../errors.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import type { PageNeeds } from '../runtime/page.ts';
import { animatedImages } from './animatedImages/animatedImages.ts';
import { anime } from './anime/anime.ts';
import { backdrop } from './backdrop/backdrop.ts';
import { backgroundVideo } from './backgroundVideo/backgroundVideo.ts';
import { banding } from './banding/banding.ts';
import { canvas } from './canvas/canvas.ts';
import { colorGrading } from './colorGrading/colorGrading.ts';
import { depth } from './depth/depth.ts';
import { dotLottie } from './dotLottie/dotLottie.ts';
import type { Feature } from './feature.ts';
import { gsap } from './gsap/gsap.ts';
import { images } from './images/images.ts';
import { lottie } from './lottie/lottie.ts';
import { mergeTraits, type PageTraits } from './pageTraits.ts';
import { pinnedFonts } from './pinnedFonts/pinnedFonts.ts';
import { proven } from './proven/proven.ts';
import { repeats } from './repeats/repeats.ts';
import { skippedFrames } from './skippedFrames/skippedFrames.ts';
import { topLayer } from './topLayer/topLayer.ts';
import { video } from './video/video.ts';
import { webgl } from './webgl/webgl.ts';

export const features: readonly Feature[] = [
  animatedImages,
  anime,
  backdrop,
  backgroundVideo,
  banding,
  canvas,
  colorGrading,
  depth,
  dotLottie,
  gsap,
  images,
  lottie,
  pinnedFonts,
  proven,
  repeats,
  skippedFrames,
  topLayer,
  video,
  webgl,
];

/** The names of features that are switched off. */
export type FeaturesOff = readonly string[];

/** What the files of a project show about its page. */
export function expectedOf(graph: ProjectGraph, off: FeaturesOff = []): { needs: PageNeeds; traits: PageTraits } {
  const expected = features.filter(({ name }) => !off.includes(name)).map(({ expect }) => expect?.(graph));
  return {
    needs: mergeNeeds(...expected.map((one) => one?.needs)),
    traits: mergeTraits(...expected.map((one) => one?.traits)),
  };
}

export function mergeNeeds(...given: readonly (Partial<PageNeeds> | undefined)[]): PageNeeds {
  const needs = (name: keyof PageNeeds) => given.some((one) => one?.[name] === true);
  return { graphics3d: needs('graphics3d'), displayRate: needs('displayRate') };
}

/** The environment variable, for entry points that read the environment. */
const variable = 'FRAMEWORK_FEATURES';

/** The request option for the value of FRAMEWORK_FEATURES; empty if it is not set. */
export function featuresOption(env: Readonly<Record<string, string | undefined>>): { features?: string } {
  const value = env[variable];
  return value === undefined ? {} : { features: value };
}

/** Reads a comma-separated list of features to switch off, such as `-depth,-banding`. Throws UserError `usage`. */
export function readFeatures(list = ''): FeaturesOff {
  const items = list.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const switches = features.map(({ name }) => `-${name}`);
  const unknown = items.find((item) => !switches.includes(item));
  if (unknown === undefined) {
    const isOff = (name: string | undefined) => items.includes(`-${name}`);
    return features.filter(({ name, requires }) => isOff(name) || isOff(requires)).map(({ name }) => name);
  }
  throw new UserError('usage', `Unknown feature "${unknown}" in ${variable}`, {
    hint: `Use a comma-separated list of ${switches.join(', ')}.`,
  });
}

// The table of features, and the switches that turn them off. Rows with code are in the folders of their features.
import { UserError } from '../../errors.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import type { PageNeeds } from '../runtime/page.ts';
import { analyser } from './analyser/analyser.ts';
import { captions } from './captions/captions.ts';
import type { Feature } from './feature.ts';
import { mergeTraits, type PageTraits } from './pageTraits.ts';
import { repeats } from './repeats/repeats.ts';
import { skippedFrames } from './skippedFrames/skippedFrames.ts';
import { topLayer } from './topLayer/topLayer.ts';
import { video } from './video/video.ts';
import { webgl } from './webgl/webgl.ts';

export const features: readonly Feature[] = [
  analyser,
  {
    name: 'animatedImages',
    about: 'Animated images (gif, webp, apng, avif, svg), in elements and in styles',
    share: 'not counted',
    requires: 'images',
  },
  {
    name: 'anime',
    about: 'Animations of anime.js 4',
    share: 'not counted',
    globals: ['anime'],
  },
  {
    name: 'backdrop',
    about: 'Elements that filter what is behind them: `backdrop-filter`',
    share: 'not counted',
    scripts: ['backdropReach.js'],
  },
  {
    name: 'backgroundVideo',
    about:
      'Videos that fill the frame below everything else. Their frames go from the decoder to the encoder, and the page is laid over them. 197 instead of 271 ms of CPU for a 1080p frame with much noise',
    share: 'not counted',
    requires: 'video',
  },
  {
    name: 'banding',
    about: 'Pages without blurs and shadows, which are drawn in bands. Saves 3 of 6 ms for a 720p frame',
    share: 'not counted',
  },
  {
    name: 'canvas',
    about: 'Canvases, and their drawings in frames that are only passed',
    share: 'not counted',
  },
  captions,
  {
    name: 'colorGrading',
    about: 'Elements with a color grading',
    share: 'not counted',
  },
  {
    name: 'depth',
    about: 'Elements in 3D: `transform-style: preserve-3d` and `backface-visibility: hidden`',
    share: 'not counted',
  },
  {
    name: 'dotLottie',
    about: 'Players of dotLottie',
    share: 'not counted',
    globals: ['DotLottie'],
  },
  {
    name: 'gsap',
    about: 'Timelines of GSAP',
    share: 'not counted',
    globals: ['gsap'],
  },
  {
    name: 'hdrVideo',
    about: 'Videos with high dynamic range (PQ or HLG)',
    share: 'not counted',
    requires: 'video',
    scripts: ['hdrFrames.wasm'],
  },
  {
    name: 'images',
    about: 'Images, which are decoded in their full size before they are drawn',
    share: 'not counted',
  },
  {
    name: 'lottie',
    about: 'Animations of lottie-web',
    share: 'not counted',
    globals: ['bodymovin', 'lottie'],
  },
  {
    name: 'pinnedFonts',
    about: 'Text, whose generic families become pinned fonts. Reports its fonts, and characters that no font has',
    share: 'all',
  },
  {
    name: 'proven',
    about:
      'Pages without scripts that use only what is always painted as on a screen. One sample frame is enough for them',
    share: 'not counted',
  },
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

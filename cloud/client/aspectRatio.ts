// Which of the aspect ratios of hosted renders a composition has.
import { UserError } from '../errors.ts';
import { type AspectRatio, aspectRatios } from './order.ts';

/** 1366x768 and 854x480 are meant as 16:9: pixels are whole. */
const tolerance = 0.01;

/** The ratio of `width` by `height`; undefined for any other. */
export function aspectRatioOf(width: number, height: number): AspectRatio | undefined {
  return aspectRatios.find((name) => {
    const [across = 1, down = 1] = name.split(':').map(Number);
    return Math.abs((width * down) / (height * across) - 1) <= tolerance;
  });
}

/** Throws UserError `usage` where a composition has none of them: cropping or bars are not ours to choose. */
export function detectAspectRatio(composition: string, width: number, height: number): AspectRatio {
  const found = aspectRatioOf(width, height);
  if (found) return found;
  throw new UserError(
    'usage',
    `${composition} is ${width}x${height}, which is none of the aspect ratios of hosted renders (${aspectRatios.join(', ')})`,
    {
      hint: 'Choose one with --aspect-ratio, or change data-width and data-height of the composition.',
      place: { file: composition },
    },
  );
}

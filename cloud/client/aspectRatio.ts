// Finds the aspect ratio of a composition among those that hosted renders support.
import { UserError } from '../../renderer-core/errors.ts';
import { type AspectRatio, aspectRatios } from './renderRequest.ts';

/** 1366x768 and 854x480 count as 16:9: they are rounded to whole pixels. */
const tolerance = 0.01;

/** Undefined when none of the supported ratios matches. */
export function aspectRatioOf(width: number, height: number): AspectRatio | undefined {
  return aspectRatios.find((name) => {
    const [across = 1, down = 1] = name.split(':').map(Number);
    return Math.abs((width * down) / (height * across) - 1) <= tolerance;
  });
}

/** Throws UserError `usage` when none matches: whether to crop or to add bars is the author's decision. */
export function detectAspectRatio(composition: string, width: number, height: number): AspectRatio {
  const found = aspectRatioOf(width, height);
  if (found) return found;
  throw new UserError(
    'usage',
    `The aspect ratio of ${composition} (${width}x${height}) is not supported by hosted renders (${aspectRatios.join(', ')})`,
    {
      hint: 'Set --aspect-ratio, or change data-width and data-height of the composition.',
      place: { file: composition },
    },
  );
}

// The options for the size of a video, which all commands that render share.

import { given } from '../../renderer-core/model/variables/given.ts';
import { commonAspectRatios, fits, resolutions, type SizeOptions } from '../../renderer-core/plan/resolution.ts';
import type { CommandInput, OptionSpec } from '../command.ts';
import { valueOption } from './optionSpecs.ts';

const pixels = { label: 'n', wholeNumberFrom: 1 };

type Choices = { size?: string; ratios?: readonly string[] };

/** `size`: the default. `ratios`: the only ones allowed; default: any. */
export const sizeOptions = ({ size = 'same as the composition', ratios }: Choices = {}): readonly OptionSpec[] => [
  valueOption(
    'resolution',
    `Pixels of the shorter side: ${resolutions.join(', ')} (default: ${size})`,
    'name',
    resolutions,
  ),
  { name: 'width', summary: 'Width in pixels; the height follows from the aspect ratio', value: pixels },
  { name: 'height', summary: 'Height in pixels; the width follows from the aspect ratio', value: pixels },
  valueOption(
    'aspect-ratio',
    `${ratios?.join(', ') ?? '16:9, 9:16, 1:1 or any other width:height'} (default: same as the composition)`,
    'ratio',
    ratios ?? commonAspectRatios,
  ),
  valueOption('fit', `How the page fills another aspect ratio: ${fits.join(', ')} (default: contain)`, 'name', fits),
  valueOption(
    'background',
    "Color of the bars: #rrggbb, a CSS name or transparent (default: the page's background, or black)",
    'color',
  ),
];

/** Contains only the given options, unchecked. */
export function readSizeOptions({ values }: Pick<CommandInput, 'values'>): SizeOptions {
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) : undefined);
  return given({
    resolution: values.get('resolution'),
    width: number('width'),
    height: number('height'),
    aspectRatio: values.get('aspect-ratio'),
    fit: values.get('fit'),
    background: values.get('background'),
  }) as SizeOptions;
}

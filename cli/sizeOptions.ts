// The options for the size of a video, which all commands that render share.
import { given } from '../renderer-core/model/given.ts';
import { commonAspectRatios, fits, resolutions, type SizeOptions } from '../renderer-core/plan/resolution.ts';
import type { CommandInput, OptionSpec } from './command.ts';

const pixels = { label: 'n', wholeNumberFrom: 1 };

type Choices = { size?: string; ratios?: readonly string[] };

/** `size`: the default. `ratios`: the only ones allowed; default: any. */
export const sizeOptions = ({ size = 'same as the composition', ratios }: Choices = {}): readonly OptionSpec[] => [
  {
    name: 'resolution',
    summary: `Pixels of the shorter side: ${resolutions.join(', ')} (default: ${size})`,
    value: { label: 'name', complete: resolutions },
  },
  { name: 'width', summary: 'Width in pixels; the height follows from the aspect ratio', value: pixels },
  { name: 'height', summary: 'Height in pixels; the width follows from the aspect ratio', value: pixels },
  {
    name: 'aspect-ratio',
    summary: `${ratios?.join(', ') ?? '16:9, 9:16, 1:1 or any other width:height'} (default: same as the composition)`,
    value: { label: 'ratio', complete: ratios ?? commonAspectRatios },
  },
  {
    name: 'fit',
    summary: `How the page fills another aspect ratio: ${fits.join(', ')} (default: contain)`,
    value: { label: 'name', complete: fits },
  },
  {
    name: 'background',
    summary: "Color of the bars: #rrggbb, a CSS name or transparent (default: the page's background, or black)",
    value: { label: 'color' },
  },
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

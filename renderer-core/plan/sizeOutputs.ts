// The outputs of a render in all sizes: `out.mp4` becomes `out-16x9.mp4` and `out-9x16.mp4`.
import { type Size, sizeText } from '../model/declaredSizes.ts';
import { folderContent } from './formats.ts';
import { aspectRatioName } from './resolution.ts';

/** The size and the output of each video. A size whose aspect ratio another one has too is named by its pixels. */
export function sizeOutputs(sizes: readonly Size[], output: string, format = ''): { size: Size; output: string }[] {
  const extension = folderContent(format) !== undefined ? '' : (/\.[a-z0-9]+$/i.exec(output)?.[0] ?? '');
  const base = output.slice(0, output.length - extension.length);
  const ratios = sizes.map((size) => aspectRatioName(size).replace(':', 'x'));
  return sizes.map((size, at) => {
    const isOnly = ratios.filter((ratio) => ratio === ratios[at]).length === 1;
    return { size, output: `${base}-${isOnly ? ratios[at] : sizeText(size)}${extension}` };
  });
}

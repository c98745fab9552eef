// How the videos of a render in all sizes are named.
import { expect, test } from 'vitest';
import { readSizes } from '../../../renderer-core/model/declaredSizes.ts';
import type { Format } from '../../../renderer-core/plan/formats.ts';
import { sizeOutputs } from '../../../renderer-core/plan/sizeOutputs.ts';

test.each<[sizes: string, output: string, Format, expected: string[]]>([
  ['1920x1080 1080x1920 1080x1080', 'a/out.mp4', 'mp4', ['a/out-16x9.mp4', 'a/out-9x16.mp4', 'a/out-1x1.mp4']],
  ['1920x1080 1280x720 1000x500', 'out.mp4', 'mp4', ['out-1920x1080.mp4', 'out-1280x720.mp4', 'out-2x1.mp4']],
  ['1920x1080 1080x1350', 'out', 'webm', ['out-16x9', 'out-4x5']],
  ['1920x1080 1080x1920', 'v1.2', 'png', ['v1.2-16x9', 'v1.2-9x16']],
  ['1920x1080 1080x1920', 'v1.2', 'hls', ['v1.2-16x9', 'v1.2-9x16']],
])('%s of %s as %s', (sizes, output, format, expected) =>
  expect(sizeOutputs(readSizes(sizes).sizes, output, format).map((one) => one.output)).toEqual(expected));

// Reads the render options of `serverless render` and `render-batch`.

import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import { chooseFormat } from '../../../renderer-core/plan/formats.ts';
import type { ChunkSettings, ServerlessConfig } from '../../../serverless/renders/execution.ts';
import type { CommandInput } from '../../command.ts';
import { readSizeOptions } from '../../options/sizeOptions.ts';

/** Contains only the given options. */
export function readConfig(input: CommandInput, variables?: Record<string, unknown>): ServerlessConfig {
  const { values, flags } = input;
  const [format, output] = [values.get('format'), values.get('output')];
  return {
    ...given({
      composition: values.get('composition'),
      fps: values.get('fps'),
      format: output === undefined ? format : chooseFormat(format, output),
      codec: values.get('codec'),
      quality: values.get('quality'),
      variables,
    }),
    ...readSizeOptions(input),
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    ...(flags.has('hdr') ? { hdr: true } : {}),
  };
}

/** Throws UserError `usage`. */
export function readChunks({ values }: CommandInput): ChunkSettings {
  const other = ['chunk-size', 'target-chunk-frames', 'max-parallel-chunks'].find((name) => values.has(name));
  if (values.has('chunks') && other !== undefined)
    throw new UserError('usage', `--chunks auto and --${other} cannot be combined`, { hint: 'Use one of them.' });
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) : undefined);
  return given({
    chunkSize: number('chunk-size'),
    targetChunkFrames: number('target-chunk-frames'),
    maxParallelChunks: number('max-parallel-chunks'),
    auto: values.has('chunks') ? (true as const) : undefined,
  });
}

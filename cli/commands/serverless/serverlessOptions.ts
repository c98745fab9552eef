// Reads the render options of `serverless render` and `render-batch`.
import { UserError } from '../../../renderer-core/errors.ts';
import { chooseFormat } from '../../../renderer-core/plan/formats.ts';
import type { ChunkSettings, ServerlessConfig } from '../../../serverless/execution.ts';
import type { CommandInput } from '../../command.ts';
import { readSizeOptions } from '../../sizeOptions.ts';

/** Contains only the given options. */
export function readConfig(input: CommandInput, variables?: Record<string, unknown>): ServerlessConfig {
  const { values, flags } = input;
  const text = ['composition', 'fps', 'format', 'codec', 'quality'].flatMap((name) => pair(name, values.get(name)));
  const config: ServerlessConfig = { ...Object.fromEntries(text), ...readSizeOptions(input) };
  const output = values.get('output');
  return {
    ...(output === undefined ? {} : { format: chooseFormat(values.get('format'), output) }),
    ...config,
    ...(variables === undefined ? {} : { variables }),
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    ...(flags.has('hdr') ? { hdr: true } : {}),
  };
}

const pair = <T>(name: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[name, value]]);

/** Throws UserError `usage`. */
export function readChunks({ values }: CommandInput): ChunkSettings {
  const other = ['chunk-size', 'target-chunk-frames', 'max-parallel-chunks'].find((name) => values.has(name));
  if (values.has('chunks') && other !== undefined)
    throw new UserError('usage', `--chunks auto and --${other} cannot be combined`, { hint: 'Use one of them.' });
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) : undefined);
  const options = {
    chunkSize: number('chunk-size'),
    targetChunkFrames: number('target-chunk-frames'),
    maxParallelChunks: number('max-parallel-chunks'),
    auto: values.has('chunks') ? true : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

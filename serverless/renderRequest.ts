// What an execution is given, checked before anything is asked of AWS: options, values and the size of it all.
import { UserError } from '../errors.ts';
import type { ChunkOptions } from '../plan/chunks.ts';
import { refuseLocalOnly } from '../plan/localOnly.ts';
import { type ExecutionInput, maxInputBytes, type ServerlessConfig } from './execution.ts';
import { keys } from './keys.ts';

/** What the names of AWS's things can be at most: the input must fit whatever they turn out to be. */
const longestBucket = 63;
const siteIdLength = 16;
/** `r-` and a UUID. */
const renderIdLength = 38;

export type OrderedRender = {
  config: ServerlessConfig;
  chunks: ChunkOptions;
  /** Undefined: under the render's own id. */
  outputKey?: string | undefined;
};

const extensions: Record<string, string> = { mp4: '.mp4', webm: '.webm', mov: '.mov', gif: '.gif' };

/** Extension of the result: of the key that was asked for, or of the format. */
const extensionOf = ({ format = 'mp4' }: ServerlessConfig): string => extensions[format] ?? `.${format}`;

/** The input of one execution. */
export function executionInput(
  { config, chunks, outputKey }: OrderedRender,
  ids: { renderId: string; bucket: string; siteId: string },
): ExecutionInput {
  return {
    version: 1,
    ...ids,
    outputKey: outputKey ?? keys.output(ids.renderId, extensionOf(config)),
    config,
    chunks,
  };
}

/**
 * Throws UserError `usage` when the whole serialised input, with the longest names it can get, would be larger than an
 * execution takes (contract, "Errors").
 */
export function checkInputSize(order: OrderedRender): void {
  const longest = {
    renderId: 'r'.repeat(renderIdLength),
    bucket: 'b'.repeat(longestBucket),
    siteId: 's'.repeat(siteIdLength),
  };
  const bytes = Buffer.byteLength(JSON.stringify(executionInput(order, longest)));
  if (bytes <= maxInputBytes) return;
  const message = `[validateConfig] config: the input of the execution has ${bytes} bytes, and at most ${maxInputBytes} are allowed`;
  throw new UserError('usage', message, {
    hint: 'Put large values into a file of the project, or at a URL, and pass its path as the variable.',
  });
}

/** What a config cannot ask for, whatever the project. Throws UserError `usage`. */
export function checkConfig(config: ServerlessConfig): void {
  refuseLocalOnly(config);
  for (const side of ['width', 'height'] as const) {
    const pixels: unknown = config[side];
    if (pixels === undefined || (Number.isInteger(pixels) && Number(pixels) > 0)) continue;
    throw new UserError('usage', `[validateConfig] config: ${side} is no whole number of pixels (${String(pixels)})`);
  }
}

/** Keys of S3 have at most 1,024 bytes; a name of ours must not be hit by chance. */
export function outputKeyProblem(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (Buffer.byteLength(key) > 1024) return 'is longer than 1024 bytes';
  if (key.startsWith('/')) return 'begins with a slash';
  if (key.split('/').some((part) => part === '..' || part === '.')) return 'has "." or ".." in its path';
  if (/^(?:code|intermediate|sites)\//.test(key)) return 'begins with a folder that the stack keeps for itself';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(key)) return 'has control characters';
  return undefined;
}

/** Throws UserError `usage`. */
export function checkOutputKey(key: string): void {
  const problem = outputKeyProblem(key);
  if (problem === undefined) return;
  throw new UserError('usage', `The output key "${key.slice(0, 80)}" ${problem}`, {
    hint: 'Name the place in the bucket, such as videos/card.mp4.',
  });
}

// The input of an execution, and its checks, which need no request to AWS.
import { UserError } from '../renderer-core/errors.ts';
import type { ChunkOptions } from '../renderer-core/plan/chunks.ts';
import { assertDistributable, formats } from '../renderer-core/plan/formats.ts';
import { checkSizeOptions } from '../renderer-core/plan/resolution.ts';
import { type ExecutionInput, maxInputBytes, type ServerlessConfig } from './execution.ts';
import { keys } from './keys.ts';

/** Longest possible names: the size of the input is checked before the real ones are known. */
const longestBucket = 63;
const siteIdLength = 16;
/** `r-` and a UUID. */
const renderIdLength = 38;

export type OrderedRender = {
  config: ServerlessConfig;
  chunks: ChunkOptions;
  /** Default `renders/<render id>.<ext>`. */
  outputKey?: string | undefined;
};

const extensions: Record<string, string> = { mp4: '.mp4', webm: '.webm', mov: '.mov', gif: '.gif' };

const extensionOf = ({ format = 'mp4' }: ServerlessConfig): string => extensions[format] ?? `.${format}`;

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

/** Throws UserError `usage` when the serialized input, with the longest possible names, exceeds the limit. */
export function checkInputSize(order: OrderedRender): void {
  const longest = {
    renderId: 'r'.repeat(renderIdLength),
    bucket: 'b'.repeat(longestBucket),
    siteId: 's'.repeat(siteIdLength),
  };
  const bytes = Buffer.byteLength(JSON.stringify(executionInput(order, longest)));
  if (bytes <= maxInputBytes) return;
  const message = `[validateConfig] config: the input of the execution must have at most ${maxInputBytes} bytes (got ${bytes})`;
  throw new UserError('usage', message, {
    hint: 'Put large values into a file of the project or at a URL, and pass the path or URL as the variable.',
  });
}

/** Checks that do not depend on the project. Throws UserError `usage`. */
export function checkConfig(config: ServerlessConfig): void {
  assertDistributable(config);
  checkSizes(config);
}

/** The prefix is part of the contract for errors of the config. */
function checkSizes(config: ServerlessConfig): void {
  for (const side of ['width', 'height'] as const) {
    const pixels: unknown = config[side];
    if (pixels === undefined || (Number.isInteger(pixels) && Number(pixels) > 0)) continue;
    throw new UserError(
      'usage',
      `[validateConfig] config: ${side} must be a positive whole number of pixels (got ${String(pixels)})`,
    );
  }
  try {
    checkSizeOptions(config);
  } catch (error) {
    const { message, hint } = error as UserError;
    throw new UserError('usage', `[validateConfig] config: ${message}`, hint === undefined ? {} : { hint });
  }
}

/** Checks the limits of S3, reserved prefixes and the extension. Returns a predicate for an error message. */
export function outputKeyProblem(key: string, { format = 'mp4' }: ServerlessConfig): string | undefined {
  if (key === '') return 'must not be empty';
  if (Buffer.byteLength(key) > 1024) return 'must not be longer than 1024 bytes';
  if (key.startsWith('/')) return 'must not start with a slash';
  if (key.split('/').some((part) => part === '..' || part === '.')) return 'must not contain "." or ".." as a folder';
  if (/^(?:code|intermediate|sites)\//.test(key)) return 'must not start with code/, intermediate/ or sites/';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: searches for control characters
  if (/[\u0000-\u001f\u007f]/.test(key)) return 'must not contain control characters';
  const extension = /\.([a-z0-9]+)$/i.exec(key)?.[1]?.toLowerCase();
  if (formats.some((name) => name === extension && name !== format)) return `contradicts the format ${format}`;
  return undefined;
}

/** Throws UserError `usage`. */
export function checkOutputKey(key: string, config: ServerlessConfig): void {
  const problem = outputKeyProblem(key, config);
  if (problem === undefined) return;
  throw new UserError('usage', `The output key "${key.slice(0, 80)}" ${problem}`, {
    hint: `Use a key such as videos/card${extensionOf(config)}, or set --format.`,
  });
}

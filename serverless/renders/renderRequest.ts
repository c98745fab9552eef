// The input of an execution, and the checks of all that it contains, which need no request to AWS.
import { UserError } from '../../renderer-core/errors.ts';
import { formats } from '../../renderer-core/plan/formats.ts';
import { type Callback, isCallbackId, maxCallbackIdLength } from '../../webhooks/callback.ts';
import { checkChunks, checkConfig } from '../deploy/validateConfig.ts';
import { keys } from '../keys.ts';
import {
  type ChunkSettings,
  type ExecutionInput,
  maxInputBytes,
  type ServerlessConfig,
  type Task,
} from './execution.ts';

/** Longest possible names: the size of the input is checked before the real ones are known. */
const longestBucket = 63;
const siteIdLength = 16;
/** `r-` and a UUID. */
const renderIdLength = 38;

export type OrderedRender = {
  config: ServerlessConfig;
  chunks: ChunkSettings;
  /** Default `renders/<render id>.<ext>`. */
  outputKey?: string | undefined;
  /** The render id. By default, a new one. */
  executionName?: string | undefined;
  /** The webhook at the end of the render. */
  callback?: Partial<Callback> | undefined;
};

const extensions: Record<string, string> = { mp4: '.mp4', webm: '.webm', mov: '.mov', gif: '.gif' };

const extensionOf = ({ format = 'mp4' }: ServerlessConfig): string => extensions[format] ?? `.${format}`;

export function executionInput(
  { config, chunks, outputKey, callback }: OrderedRender,
  ids: { renderId: string; bucket: string; siteId: string },
): ExecutionInput {
  return {
    version: 1,
    ...ids,
    outputKey: outputKey ?? keys.output(ids.renderId, extensionOf(config)),
    config,
    chunks,
    ...(callback?.url === undefined ? {} : { callback: { ...callback, url: callback.url } }),
  };
}

/** Checks everything that needs neither the project nor AWS. Throws UserError `usage`. */
export function checkOrder(order: OrderedRender): void {
  checkConfig(order.config);
  checkChunks(order.chunks);
  if (order.outputKey !== undefined) checkOutputKey(order.outputKey, order.config);
  const problem = callbackProblem(order.callback);
  if (problem !== undefined) throw new UserError('usage', problem.message, { hint: problem.hint });
  checkInputSize(order);
}

export function callbackOf(url: string | undefined, id: string | undefined): Partial<Callback> | undefined {
  if (url === undefined && id === undefined) return undefined;
  return { ...(url === undefined ? {} : { url }), ...(id === undefined ? {} : { id }) };
}

/** `names`: those of the options or fields, in messages. */
export function callbackProblem(
  { url, id }: Partial<Callback> = {},
  names: { url: string; id: string } = { url: '--callback-url', id: '--callback-id' },
): { message: string; hint: string } | undefined {
  const hint = 'Use a complete URL such as https://example.com/hooks/renders.';
  if (url === undefined) {
    return id === undefined ? undefined : { message: `${names.id} needs ${names.url}`, hint };
  }
  // Functions reach no private network, so plain http is not allowed for one.
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'https:')
    return { message: `${names.url} must be an https URL (got ${JSON.stringify(url)})`, hint };
  if (id === undefined || (typeof id === 'string' && isCallbackId(id))) return undefined;
  return {
    message: `${names.id} must be one line of 1 to ${maxCallbackIdLength} characters`,
    hint: 'It must not be empty or contain control characters.',
  };
}

/** The longest ARN of a version of the function: partition, region, account, 64 characters of the name, and the version. */
const longestFunctionArn =
  'arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:'.length + 64 + ':1000000'.length;

/**
 * Throws UserError `usage` when the largest payload of a state, with the longest possible names, exceeds the limit. The first state
 * wraps the whole input in the task for the function; later ones pass only keys.
 */
export function checkInputSize(order: OrderedRender): void {
  const longest = {
    renderId: 'r'.repeat(Math.max(renderIdLength, order.executionName?.length ?? 0)),
    bucket: 'b'.repeat(longestBucket),
    siteId: 's'.repeat(siteIdLength),
  };
  const task: Task = { step: 'plan', input: executionInput(order, longest) };
  const payload = { FunctionName: 'f'.repeat(longestFunctionArn), Payload: task };
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes <= maxInputBytes) return;
  const message = `[validateConfig] config: the input of the execution, as its first state passes it on, must have at most ${maxInputBytes} bytes (got ${bytes})`;
  throw new UserError('usage', message, {
    hint: 'Put large values into a file of the project or at a URL, and pass the path or URL as the variable.',
  });
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

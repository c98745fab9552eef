// Checks every field of a render before any request to AWS, for the command line and for programs that are not type-checked.
import { UserError } from '../../renderer-core/errors.ts';
import { didYouMean } from '../../renderer-core/model/text/suggest.ts';
import {
  assertDistributable,
  chooseCodec,
  chooseFormat,
  chooseQuality,
  type Format,
} from '../../renderer-core/plan/formats.ts';
import { parseFrameRate } from '../../renderer-core/plan/frameRate.ts';
import { checkSizeOptions } from '../../renderer-core/plan/resolution.ts';
import type { ChunkSettings, ServerlessConfig } from '../renders/execution.ts';
import { maxChunks } from './stateMachine.ts';

type FieldType = 'text' | 'number' | 'boolean' | 'text or number' | 'object';

const configFields = {
  composition: 'text',
  fps: 'text or number',
  width: 'number',
  height: 'number',
  resolution: 'text',
  aspectRatio: 'text',
  fit: 'text',
  background: 'text',
  format: 'text',
  codec: 'text',
  quality: 'text',
  hdr: 'boolean',
  variables: 'object',
  strictVariables: 'boolean',
  network: 'text',
} as const satisfies Record<keyof ServerlessConfig, FieldType>;

const chunkFields = {
  chunkSize: 'number',
  targetChunkFrames: 'number',
  maxParallelChunks: 'number',
  auto: 'boolean',
} as const satisfies Record<keyof ChunkSettings, FieldType>;

/** Checks that do not depend on the project. Throws UserError `usage`, whose message begins with `[validateConfig] config:`. */
export function checkConfig(config: ServerlessConfig): void {
  checkFields('config', config, configFields);
  prefixed(() => {
    assertDistributable(config);
    const format: Format = chooseFormat(config.format, undefined);
    chooseCodec(config.codec, format);
    chooseQuality(config.quality);
    if (config.fps !== undefined) parseFrameRate(String(config.fps));
    checkSizeOptions(config);
  });
  if (config.network !== undefined && config.network !== 'any' && config.network !== 'public')
    throw invalid(`network must be "any" or "public" (got "${config.network}")`);
  if (config.variables !== undefined) checkJson(config.variables, 'variables', []);
}

/** Throws UserError `usage` as `checkConfig` does. */
export function checkChunks(chunks: ChunkSettings): void {
  checkFields('chunks', chunks, chunkFields);
  const { auto = false, ...numbers } = chunks;
  if (auto && Object.values(numbers).some((value) => value !== undefined)) {
    throw invalid('auto cannot be combined with chunkSize, targetChunkFrames or maxParallelChunks');
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && (!Number.isInteger(value) || value < 1))
      throw invalid(`${name} must be a whole number from 1 (got ${value})`);
  }
  const { maxParallelChunks = 1 } = chunks;
  if (maxParallelChunks > maxChunks) {
    throw invalid(`maxParallelChunks must be at most ${maxChunks} (got ${maxParallelChunks})`, {
      hint: 'Use fewer, longer chunks.',
    });
  }
}

/** The stack, and the site to render, as programs pass them. Returns the region of the stack. Throws UserError `usage`. */
export function checkTarget(target: { siteId: string; bucketName: string; stateMachineArn: string }): string {
  const { siteId, bucketName, stateMachineArn } = target;
  if (typeof siteId !== 'string' || !/^[0-9a-f]{16}$/.test(siteId))
    throw invalid(`siteHandle.siteId must have 16 hexadecimal digits (got ${shown(siteId)})`);
  if (typeof bucketName !== 'string' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucketName))
    throw invalid(`bucketName must be the name of a bucket (got ${shown(bucketName)})`);
  return regionOf('stateMachine', stateMachineArn);
}

/** Throws UserError `usage`. */
export function regionOf(type: 'stateMachine' | 'execution', arn: string): string {
  const [, region, found] = /^arn:aws[a-z-]*:states:([a-z0-9-]+):\d{12}:(\w+):[^:]+/.exec(String(arn)) ?? [];
  if (region !== undefined && found === type) return region;
  throw invalid(
    `${type}Arn must be the ARN of ${type === 'execution' ? 'an execution' : 'a state machine'} (got ${shown(arn)})`,
  );
}

const invalid = (message: string, options: { hint?: string } = {}): UserError =>
  new UserError('usage', `[validateConfig] config: ${message}`, options);

/** The prefix is part of the contract. */
function prefixed(check: () => void): void {
  try {
    check();
  } catch (error) {
    const { message, hint } = error as UserError;
    throw invalid(message, hint === undefined ? {} : { hint });
  }
}

function checkFields(name: string, value: unknown, fields: Record<string, FieldType>): void {
  if (!isObject(value)) throw invalid(`${name} must be an object (got ${shown(value)})`);
  for (const [key, item] of Object.entries(value)) {
    const type = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (type === undefined) {
      const hint = `The keys are ${Object.keys(fields).join(', ')}.`;
      throw invalid(`the key "${key}" is unknown${didYouMean(key, Object.keys(fields))}`, { hint });
    }
    if (item !== undefined && !hasType(item, type))
      throw invalid(`${key} must be ${withArticle(type)} (got ${shown(item)})`);
  }
}

function hasType(value: unknown, type: FieldType): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'text or number') return typeof value === 'string' || typeof value === 'number';
  return typeof value === (type === 'text' ? 'string' : type);
}

const withArticle = (type: FieldType): string =>
  ({
    text: 'a string',
    number: 'a number',
    boolean: 'a boolean',
    'text or number': 'a string or number',
    object: 'an object',
  })[type];

/** Whether the value comes from an object literal or from JSON. */
function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Other values would change on their way to the workers, or disappear. `parents` finds objects that contain themselves. */
function checkJson(value: unknown, path: string, parents: readonly unknown[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (parents.includes(value)) throw invalid(`${path} contains itself`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkJson(item, `${path}[${index}]`, [...parents, value]);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) checkJson(item, `${path}.${key}`, [...parents, value]);
  } else throw invalid(`${path} must be JSON (got ${shown(value)})`);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'an array' : `a ${value.constructor?.name}`;
  return typeof value === 'function' ? 'a function' : String(value);
}

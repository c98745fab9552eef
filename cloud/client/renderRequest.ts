// The options of a hosted render, checked against the limits of the API before anything is sent.

import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { chooseFormat as planFormat, qualities } from '../../renderer-core/plan/formats.ts';
import { maxFrameRate, minFrameRate, parseFrameRate } from '../../renderer-core/plan/frameRate.ts';
import { checkSizeOptions, resolutions, type SizeOptions } from '../../renderer-core/plan/resolution.ts';
import type { ValuesSource } from '../../renderer-core/plan/valueProblems.ts';
import { isCallbackUrl, maxCallbackIdLength } from '../../webhooks/callback.ts';
import type { RenderOrder } from './apiTypes.ts';

export const cloudFormats = ['mp4', 'webm', 'mov'] as const;
export const aspectRatios = ['16:9', '9:16', '1:1'] as const;

/** Options of the video. The service chooses what is not given. */
export type OrderOptions = Omit<SizeOptions, 'resolution' | 'fit'> & {
  composition?: string;
  /** 1 to 240: `30`, `29.97` or `30000/1001`. */
  fps?: string;
  quality?: string;
  /** Default is the extension of the output. */
  format?: string;
  resolution?: string;
  fit?: string;
  variables?: Record<string, unknown>;
  /** The JSON that `variables` were read from, for the locations of their problems. */
  variablesSource?: ValuesSource;
  strictVariables?: boolean;
  /** An https URL that is notified when the render ends; http is only allowed for private networks. */
  callbackUrl?: string;
  /** Is included in the notification. */
  callbackId?: string;
  title?: string;
};

/** The request body without the project. */
export type OrderSettings = Omit<RenderOrder, 'project'>;

/** The result contains only the given options. `output` is the path of the video. Throws UserError `usage`. */
export function checkOrder(options: OrderOptions, output: string | undefined): OrderSettings {
  const format = chooseFormat(options.format, output);
  const resolution = oneOf('resolution', options.resolution, resolutions);
  if (resolution === '4k' && (format === 'webm' || format === 'mov')) throw noAlphaAt4k(format);
  const aspectRatio = oneOf('aspect-ratio', options.aspectRatio, aspectRatios);
  checkSizeOptions(options as SizeOptions);
  return given({
    composition: options.composition,
    fps: options.fps === undefined ? undefined : readRate(options.fps),
    quality: oneOf('quality', options.quality, qualities),
    format,
    resolution,
    width: options.width,
    height: options.height,
    aspect_ratio: aspectRatio,
    fit: options.fit,
    background: options.background,
    variables: options.variables === undefined ? undefined : checkVariablesSize(options.variables),
    strict_variables: options.strictVariables ? true : undefined,
    callback_url: options.callbackUrl === undefined ? undefined : checkCallback(options.callbackUrl),
    callback_id: checkLine('callback-id', options.callbackId, limits.callbackId),
    title: checkLine('title', options.title, limits.title),
  });
}

/** Characters of texts; bytes of the variables as JSON. */
const limits = { callbackId: maxCallbackIdLength, title: 200, variables: 256 * 1024 };

function checkLine(option: string, text: string | undefined, max: number): string | undefined {
  if (text === undefined || (text !== '' && text.length <= max && !/\p{Control}/u.test(text))) return text;
  throw new UserError('usage', `--${option} must be one line of 1 to ${max} characters`, {
    hint:
      text.length > max ? `It has ${text.length} characters.` : 'It must not be empty or contain control characters.',
  });
}

function checkVariablesSize(variables: Record<string, unknown>): Record<string, unknown> {
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes <= limits.variables) return variables;
  throw new UserError(
    'usage',
    `The variables have ${bytes} bytes as JSON; a hosted render accepts at most ${limits.variables}`,
    {
      hint: 'Put large data into a file of the project, and pass the path of the file as the value.',
    },
  );
}

const keyPattern = /^[A-Za-z0-9_:.-]{1,255}$/;

/** Throws UserError `usage`. */
export function checkIdempotencyKey(key: string): string {
  if (keyPattern.test(key)) return key;
  throw new UserError(
    'usage',
    `--idempotency-key must have 1 to 255 of the characters A-Z a-z 0-9 _ : . - (got "${key.slice(0, 80)}")`,
  );
}

/** For a project that the service downloads itself. Throws UserError `usage`. */
export function checkProjectUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UserError('usage', `--url must be an http or https URL (got "${url}")`, {
    hint: 'Use the https URL of a zip archive that the service can download.',
  });
}

function chooseFormat(format: string | undefined, output: string | undefined): string | undefined {
  const named = oneOf('format', format, cloudFormats);
  if (named !== undefined) return planFormat(named, output);
  const extension = /[^/\\]\.([a-z0-9]+)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  if (extension === undefined || extension === 'mp4') return undefined;
  if (cloudFormats.some((one) => one === extension)) return extension;
  throw new UserError('usage', `Hosted renders do not support the output format .${extension}`, {
    hint: `Use an output that ends in .mp4, .webm or .mov, or set --format ${cloudFormats.join('|')}.`,
  });
}

function noAlphaAt4k(format: string): UserError {
  return new UserError(
    'usage',
    `--resolution 4k cannot be combined with --format ${format}: formats with alpha (webm, mov) render at 1080p`,
    { hint: `Use --format mp4 for 4k, or --resolution 1080p for ${format}.` },
  );
}

function checkCallback(url: string): string {
  if (isCallbackUrl(url)) return url;
  throw new UserError('usage', `--callback-url must be an https URL (got "${url}")`, {
    hint: 'Use a complete URL such as https://example.com/hooks/renders.',
  });
}

/** The API expects a decimal number, where 29.97 means 30000/1001 too. */
function readRate(text: string): number {
  const rate = parseFrameRate(text);
  const value = rate.num / rate.den;
  for (let digits = 0; digits <= 6; digits++) {
    const short = value.toFixed(digits);
    if (Number(short) < minFrameRate || Number(short) > maxFrameRate) continue;
    const same = parseFrameRate(short);
    if (same.num === rate.num && same.den === rate.den) return Number(short);
  }
  throw new UserError(
    'usage',
    `Hosted renders do not support the frame rate ${text}: it cannot be written as a decimal number`,
    {
      hint: 'Use a rate such as 30, 29.97 or 12.5.',
    },
  );
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UserError('usage', `--${option} must be one of ${allowed.join(', ')} (got "${value}")`);
}

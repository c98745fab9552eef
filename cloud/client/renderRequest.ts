// What a hosted render is asked for, checked before anything is sent: the limits of the API and what cannot go together.
import { isIP } from 'node:net';
import { UserError } from '../errors.ts';
import { qualities } from '../plan/formats.ts';
import { maxFrameRate, minFrameRate, parseFrameRate } from '../plan/frameRate.ts';
import { isPublicAddress } from '../project/publicAddress.ts';
import type { RenderOrder } from './apiTypes.ts';

export const cloudFormats = ['mp4', 'webm', 'mov'] as const;
export const resolutions = ['1080p', '4k'] as const;
export const aspectRatios = ['16:9', '9:16', '1:1'] as const;

export type AspectRatio = (typeof aspectRatios)[number];

/** What can be chosen about the video; what is left out is the service's to choose. */
export type OrderOptions = {
  composition?: string;
  /** 1 to 240: `30`, `29.97` or `30000/1001`. */
  fps?: string;
  quality?: string;
  /** Else the one that the extension of the output names. */
  format?: string;
  resolution?: string;
  aspectRatio?: string;
  variables?: Record<string, unknown>;
  strictVariables?: boolean;
  /** An https URL that is told when the render ends; http only to an address of a private network. */
  callbackUrl?: string;
  /** Comes back in what the callback is told. */
  callbackId?: string;
  title?: string;
};

/** The order without the project. */
export type OrderSettings = Omit<RenderOrder, 'project'>;

/** Holds only what was given. `output` is the path of the video to come. Throws UserError `usage`. */
export function checkOrder(options: OrderOptions, output: string | undefined): OrderSettings {
  const format = chooseFormat(options.format, output);
  const resolution = oneOf('resolution', options.resolution, resolutions);
  if (resolution === '4k' && (format === 'webm' || format === 'mov')) throw noAlphaAt4k(format);
  return withoutUndefined({
    composition: options.composition,
    fps: options.fps === undefined ? undefined : readRate(options.fps),
    quality: oneOf('quality', options.quality, qualities),
    format,
    resolution,
    aspect_ratio: oneOf('aspect-ratio', options.aspectRatio, aspectRatios),
    variables: options.variables === undefined ? undefined : checkVariablesSize(options.variables),
    strict_variables: options.strictVariables ? true : undefined,
    callback_url: options.callbackUrl === undefined ? undefined : checkCallback(options.callbackUrl),
    callback_id: checkLine('callback-id', options.callbackId, longest.callbackId),
    title: checkLine('title', options.title, longest.title),
  });
}

/** What the service takes: characters of texts, bytes of the values as JSON. */
const longest = { callbackId: 255, title: 200, variables: 256 * 1024 };

function checkLine(option: string, text: string | undefined, most: number): string | undefined {
  if (text === undefined || (text !== '' && text.length <= most && !/\p{Control}/u.test(text))) return text;
  throw new UserError('usage', `--${option} takes one line of 1 to ${most} characters`, {
    hint: text.length > most ? `It has ${text.length}.` : 'It must not be empty, and has no control characters.',
  });
}

function checkVariablesSize(variables: Record<string, unknown>): Record<string, unknown> {
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes <= longest.variables) return variables;
  throw new UserError(
    'usage',
    `The values of the variables have ${bytes} bytes; a hosted render takes ${longest.variables}`,
    {
      hint: 'Put large data into a file of the project, and give its path as the value.',
    },
  );
}

/** Contract, "Limits". */
const keyPattern = /^[A-Za-z0-9_:.-]{1,255}$/;

/** Throws UserError `usage`. */
export function checkIdempotencyKey(key: string): string {
  if (keyPattern.test(key)) return key;
  throw new UserError('usage', `--idempotency-key cannot be "${key.slice(0, 80)}"`, {
    hint: 'It takes 1 to 255 of the characters A-Z a-z 0-9 _ : . -',
  });
}

/** The address of a project that the service fetches itself. Throws UserError `usage`. */
export function checkProjectUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UserError('usage', `--url is not the URL of a project: "${url}"`, {
    hint: 'Write an https URL of a zip archive that the service can fetch.',
  });
}

function chooseFormat(format: string | undefined, output: string | undefined): string | undefined {
  const named = oneOf('format', format, cloudFormats);
  const extension = /[^/\\]\.([a-z0-9]+)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  if (named !== undefined || extension === undefined || extension === 'mp4') return named;
  if (cloudFormats.some((one) => one === extension)) return extension;
  throw new UserError('usage', `the output's extension .${extension} names no format of a hosted render`, {
    hint: `End the output in .mp4, .webm or .mov, or name the format: --format ${cloudFormats.join('|')}`,
  });
}

/** What the output's name promises, where it is not what comes. */
export function formatWarnings({ format = 'mp4' }: OrderSettings, output: string | undefined): string[] {
  const extension = /\.([a-z0-9]+)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  if (extension === undefined || extension === format) return [];
  return [`The output ends in .${extension}, but will be ${format}`];
}

function noAlphaAt4k(format: string): UserError {
  return new UserError(
    'usage',
    `--resolution 4k cannot go with --format ${format}: formats with alpha (webm, mov) render at 1080p`,
    { hint: `Use --format mp4 for 4k, or --resolution 1080p for ${format}.` },
  );
}

/** Without TLS only to an address of one's own network, which a service of one's own may be allowed to call. */
function checkCallback(url: string): string {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol === 'https:' || (protocol === 'http:' && isPrivate(hostname))) return url;
  throw new UserError('usage', `--callback-url must be an https URL, and "${url}" is not`, {
    hint: 'Write the whole address: https://example.com/hooks/renders',
  });
}

function isPrivate(hostname: string): boolean {
  return hostname === 'localhost' || (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && !isPublicAddress(hostname));
}

/** The API takes a number: 29.97 means 30000/1001 there too. */
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
    `a hosted render cannot have the frame rate ${text}: no decimal number is exactly that`,
    {
      hint: 'Use a rate like 30, 29.97 or 12.5.',
    },
  );
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UserError('usage', `--${option} cannot be "${value}"`, { hint: `It takes ${allowed.join(', ')}.` });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}

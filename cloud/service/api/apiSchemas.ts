// Schemas of all requests and responses of /v3. They validate requests, and the OpenAPI document is generated from
// them.

import { z } from '@hono/zod-openapi';
import type { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import { checkSizeOptions, fits, resolutions, type SizeOptions } from '../../../renderer-core/plan/resolution.ts';
import { engineSchema } from '../../../renderer-core/reports/engine.ts';
import { renderStatuses } from '../../client/apiTypes.ts';
import { apiErrorStatus } from './apiErrors.ts';

/** Maximum sizes of requests: bytes of UTF-8, lengths in UTF-16 code units. */
export const limits = {
  archiveBytes: 200 * 1024 * 1024,
  bodyBytes: 512 * 1024,
  variablesBytes: 256 * 1024,
  variablesDepth: 32,
  url: 2048,
  callbackId: 255,
  title: 200,
  composition: 255,
  page: 100,
} as const;

export const qualities = ['draft', 'standard', 'high'] as const;
export const formats = ['mp4', 'webm', 'mov'] as const;
export const aspectRatios = ['16:9', '9:16', '1:1'] as const;

/**
 * A string on one line, without control characters (which break databases and logs) and without unpaired surrogates.
 */
function line(max: number, error: string) {
  return z
    .string({ error })
    .min(1, { error })
    .max(max, { error })
    .refine((text) => !/[\p{Control}\p{Surrogate}]/u.test(text), { error })
    .openapi({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });
}

function choice<const T extends readonly [string, ...string[]]>(name: string, values: T) {
  return z.enum(values, { error: `${name} must be one of ${values.join(', ')}.` });
}

function url(name: string, protocols: readonly string[]) {
  const error = `${name} must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, without a user name, of at most ${limits.url} characters.`;
  return line(limits.url, error).refine((text) => isUrl(text, protocols), { error });
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return protocols.includes(protocol) && username === '' && password === '' && hostname !== '';
}

const compositionError =
  'composition must be the path of an .html file inside the project, such as scenes/intro.html. Use forward slashes; no name may begin with a dot.';
const composition = line(limits.composition, compositionError)
  .refine(isCompositionPath, { error: compositionError })
  .openapi({
    pattern: '^([^./\\\\][^/\\\\]*/)*[^./\\\\][^/\\\\]*\\.[hH][tT][mM][lL]$',
    default: 'index.html',
    example: 'index.html',
  });

/** Names that begin with a dot are hidden from renders. */
function isCompositionPath(path: string): boolean {
  const names = path.split('/');
  return /\.html$/i.test(path) && !path.includes('\\') && names.every((name) => name !== '' && !name.startsWith('.'));
}

const fpsError = 'fps must be a number from 1 to 240, such as 30 or 29.97.';
const variablesError = `variables must be a JSON object of at most ${limits.variablesBytes} bytes and at most ${limits.variablesDepth} levels deep.`;
// A record would be copied entry by entry, which takes long for many.
const variables = z
  .custom<Record<string, unknown>>(isObject, { error: variablesError, abort: true })
  .refine((value) => !isDeeper(value, limits.variablesDepth), { error: variablesError, abort: true })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= limits.variablesBytes, { error: variablesError });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Stops at the maximum depth: a few kilobytes of JSON can be nested deeper than the call stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

export const assetIdPattern = /^ast_[A-Za-z0-9_-]{22}$/;
export const renderIdPattern = /^rnd_[A-Za-z0-9_-]{22}$/;
const assetIdExample = 'ast_8J4mJqWc0hXv0GmPZ2k1dQ';
const renderIdExample = 'rnd_Q0mV5nq1Tg2y7bZ8kL3xWw';

const unknownFields = (issue: { code?: string | undefined }): string | undefined =>
  issue.code === 'unrecognized_keys' ? undefined : 'The body must be a JSON object.';

const maxSide = 3840;
const side = (name: string, other: string) => {
  const error = `${name} must be a whole number of pixels from 16 to ${maxSide}.`;
  return z
    .int({ error })
    .min(16, { error })
    .max(maxSide, { error })
    .optional()
    .openapi({ description: `Pixels. The ${other} follows from the aspect ratio. Not together with resolution.` });
};

const backgroundError = 'background must be a color, such as #102030, or transparent.';
const background = line(50, backgroundError).refine((text) => sizeProblem({ background: text }) === undefined, {
  error: backgroundError,
});

/** Whether both sides fit the composition is only known when it is rendered. */
function sizeProblem(size: { [Name in keyof SizeOptions]?: SizeOptions[Name] | undefined }): string | undefined {
  try {
    checkSizeOptions(given(size));
    return undefined;
  } catch (error) {
    return `${(error as UserError).message}.`;
  }
}

const projectError =
  'project must be {"type": "asset_id", "asset_id": "…"} with the ID that POST /v3/assets returned, or {"type": "url", "url": "…"}.';
const project = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({
        type: z.literal('asset_id'),
        asset_id: line(100, 'asset_id must be the ID that POST /v3/assets returned.').openapi({
          example: assetIdExample,
        }),
      }),
      z.strictObject({
        type: z.literal('url'),
        url: url('url', ['https:', 'http:']).openapi({
          format: 'uri',
          description: 'URL of a zip archive of the project.',
          example: 'https://example.com/project.zip',
        }),
      }),
    ],
    { error: projectError },
  )
  .openapi('Project');

/** The body of POST /v3/framework/renders. */
export const renderOrder = z
  .strictObject(
    {
      project,
      composition: composition.optional(),
      fps: z
        .number({ error: fpsError })
        .min(1, { error: fpsError })
        .max(240, { error: fpsError })
        .optional()
        .openapi({ description: "Frames per second. Default: the composition's own, or 30.", example: 30 }),
      quality: choice('quality', qualities).optional().openapi({ default: 'standard' }),
      format: choice('format', formats).optional().openapi({
        default: 'mp4',
        description: 'webm and mov support transparency.',
      }),
      resolution: choice('resolution', resolutions).optional().openapi({
        default: '1080p',
        description: 'Pixels of the shorter side: 1080 or 2160. 4k costs 1.5 times as much and requires mp4.',
      }),
      width: side('width', 'height'),
      height: side('height', 'width'),
      aspect_ratio: choice('aspect_ratio', aspectRatios)
        .optional()
        .openapi({ description: "Default: the composition's own." }),
      fit: choice('fit', fits).optional().openapi({
        default: 'contain',
        description: 'How the page fills another aspect ratio: with bars, cropped or distorted.',
      }),
      background: background.optional().openapi({
        description: "Color of the bars: #rrggbb, a CSS name or transparent. Default: the page's background, or black.",
        example: '#102030',
      }),
      variables: variables.optional().openapi({ type: 'object', example: { title: 'Hello' } }),
      strict_variables: z
        .boolean({ error: 'strict_variables must be true or false.' })
        .optional()
        .openapi({ default: false, description: 'Fail the render if a value does not match its declaration.' }),
      callback_url: url('callback_url', ['https:', 'http:']).optional().openapi({
        format: 'uri',
        description: 'Receives a signed webhook when the render ends. https only.',
        example: 'https://example.com/hooks/renders',
      }),
      callback_id: line(
        limits.callbackId,
        `callback_id must be a string of 1 to ${limits.callbackId} characters without control characters.`,
      )
        .optional()
        .openapi({ description: 'Returned in webhooks.' }),
      title: line(limits.title, `title must be a string of 1 to ${limits.title} characters without control characters.`)
        .optional()
        .openapi({ example: 'Welcome video' }),
    },
    { error: unknownFields },
  )
  .superRefine(({ resolution, width, height, aspect_ratio: aspectRatio }, context) => {
    const message = sizeProblem({ resolution, width, height, aspectRatio });
    const path = [resolution === undefined ? 'aspect_ratio' : 'resolution'];
    if (message !== undefined) context.addIssue({ code: 'custom', path, message });
  })
  .superRefine(({ resolution, format }, context) => {
    if (resolution !== '4k' || (format !== 'webm' && format !== 'mov')) return;
    const message = `resolution 4k cannot be combined with format ${format}: formats with transparency render at 1080p. Use mp4 for 4k.`;
    context.addIssue({ code: 'custom', path: ['resolution'], message });
  })
  .openapi('RenderOrder');

export type RenderOrderInput = z.infer<typeof renderOrder>;

const seconds = z.number().int().openapi({ description: 'Unix seconds.', example: 1_800_000_000 });
const renderId = z.string().openapi({ example: renderIdExample });
const status = z.enum(renderStatuses);

export const asset = z
  .object({
    asset_id: z.string().openapi({ example: assetIdExample }),
    size_bytes: z.number().int().openapi({ example: 48_213 }),
    sha256: z.string().openapi({ pattern: '^[0-9a-f]{64}$' }),
  })
  .openapi('Asset');

export const renderTicket = z.object({ render_id: renderId, status }).openapi('RenderTicket');

export const renderRecord = z
  .object({
    render_id: renderId,
    status,
    progress: z.number().min(0).max(1).openapi({ example: 0.4 }),
    title: z.string().nullable(),
    callback_id: z.string().nullable(),
    video_url: z
      .string()
      .nullable()
      .openapi({ description: 'Signed URL that expires soon. Null until the render completes.' }),
    thumbnail_url: z.string().nullable().openapi({ description: 'Signed URL that expires soon.' }),
    duration: z.number().nullable().openapi({ description: 'Seconds.' }),
    fps: z.number().nullable().openapi({
      description: "Actual value once completed. Before that the requested value, or null for the composition's own.",
    }),
    quality: z.string(),
    format: z.string(),
    resolution: z.string(),
    aspect_ratio: z.string().nullable().openapi({ description: 'Null as for fps.', example: '16:9' }),
    composition: z.string(),
    created_at: seconds,
    completed_at: z.number().int().nullable().openapi({ description: 'Unix seconds.' }),
    credits: z
      .number()
      .nullable()
      .openapi({ description: 'The cost of the render; null until it ends, and if it is not charged.' }),
    failure_code: z.string().nullable(),
    failure_message: z.string().nullable(),
    engine: engineSchema.nullable(),
    warnings: z.array(z.string()).openapi({
      description:
        'Possible problems, such as variables that do not match a declaration. Empty until the render completes.',
    }),
  })
  .openapi('Render');

export const deletedAsset = z
  .object({ asset_id: z.string().openapi({ example: assetIdExample }), deleted: z.literal(true) })
  .openapi('DeletedAsset');

export const deletedRender = z.object({ render_id: renderId, deleted: z.literal(true) }).openapi('DeletedRender');

const quota = (description: string) =>
  z.object({ used: z.number().int(), limit: z.number().int() }).openapi({ description });

export const user = z
  .object({
    user_id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    billing: z.object({
      plan: z.string(),
      credits_remaining: z.number(),
      resets_at: z.number().nullable(),
    }),
    quotas: z.object({
      stored_bytes: quota('Bytes of projects and videos, and of uploads in progress.'),
      uploads: quota('Uploads in progress.'),
      renders: quota('Queued and running renders.'),
    }),
  })
  .openapi('User');

export const apiError = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(apiErrorStatus) as [keyof typeof apiErrorStatus]),
      message: z.string(),
      param: z.string().optional().openapi({ description: 'The field of the request that is invalid.' }),
      doc_url: z.string().optional(),
    }),
  })
  .openapi('Error');

const limitError = `limit must be an integer from 1 to ${limits.page}.`;
export const pageQuery = z.strictObject({
  limit: z
    .string({ error: limitError })
    .regex(/^\d{1,3}$/, { error: limitError })
    .transform(Number)
    .refine((count) => count >= 1 && count <= limits.page, { error: limitError })
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: limits.page, default: 10 }),
  token: z
    .string({ error: 'token must be the next_token of the previous page.' })
    .optional()
    .openapi({ description: 'The next_token of the previous page.' }),
});

export const noQuery = z.strictObject({});

const idParam = (example: string) =>
  z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' }, example }) });
export const renderIdParam = idParam(renderIdExample);
export const assetIdParam = idParam(assetIdExample);

const keyError = 'Idempotency-Key must be 1 to 255 characters of A-Z a-z 0-9 _ : . -';
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string({ error: keyError })
    .regex(/^[A-Za-z0-9_:.-]{1,255}$/, { error: keyError })
    .optional()
    .openapi({
      description: 'A repeated request with the same key within 24 hours returns the first response again.',
      example: 'order-4711',
    }),
});

/** The `{"data": …}` wrapper of single objects. */
export const single = <T extends z.ZodType>(data: T) => z.object({ data });
export const page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_token: z.string().nullable() });

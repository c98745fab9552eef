// What a schema found wrong with a request, as the API's error: the first thing, with the name of its field.
import type { z } from '@hono/zod-openapi';
import { nearestName } from '../model/suggest.ts';
import { ApiError } from './apiErrors.ts';

/** The hook of every route. Throws ApiError `invalid_parameter`. */
export function refuseInvalid(result: { success: boolean; error?: unknown; data?: unknown }): undefined {
  if (!result.success) throw invalidParameter(result.error as z.ZodError);
}

export function invalidParameter({ issues }: Pick<z.ZodError, 'issues'>): ApiError {
  const [issue] = issues;
  if (!issue) return new ApiError('invalid_parameter', 'The request is not valid.');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') return unknownField(path, issue.keys[0] ?? '');
  const param = path.join('.');
  return new ApiError('invalid_parameter', issue.message, param === '' ? {} : { param });
}

/** Fields of every request: small enough a list to suggest from. */
const known = [
  'project',
  'asset_id',
  'url',
  'composition',
  'fps',
  'quality',
  'format',
  'resolution',
  'aspect_ratio',
  'variables',
  'strict_variables',
  'callback_url',
  'callback_id',
  'title',
  'limit',
  'token',
];

function unknownField(path: string[], key: string): ApiError {
  const name = key.slice(0, 100);
  const param = [...path, name].join('.');
  const nearest = nearestName(name, known);
  const question = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return new ApiError('invalid_parameter', `There is no field ${param}.${question}`, { param });
}

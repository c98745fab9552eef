// Turns errors of schema validation into an API error: the first problem, with its field.
import type { z } from '@hono/zod-openapi';
import { nearestName } from '../../../renderer-core/model/text/suggest.ts';
import { ApiError } from './apiErrors.ts';
import { pageQuery, renderOrder } from './apiSchemas.ts';

/** The validation hook of all routes. Throws ApiError `invalid_parameter`. */
export function validationHook(result: { success: boolean; error?: unknown; data?: unknown }): undefined {
  if (!result.success) throw invalidParameter(result.error as z.ZodError);
}

export function invalidParameter({ issues }: Pick<z.ZodError, 'issues'>): ApiError {
  const [issue] = issues;
  if (!issue) return new ApiError('invalid_parameter', 'The request is invalid.');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') return unknownField(path, issue.keys[0] ?? '');
  const param = path.join('.');
  return new ApiError('invalid_parameter', issue.message, param === '' ? {} : { param });
}

/** The fields of all requests, for suggestions. */
const knownFields = [
  ...Object.keys(renderOrder.shape),
  ...renderOrder.shape.project.options.flatMap(({ shape }) => Object.keys(shape)),
  ...Object.keys(pageQuery.shape),
];

function unknownField(path: string[], key: string): ApiError {
  const name = key.slice(0, 100);
  const param = [...path, name].join('.');
  const nearest = nearestName(name, knownFields);
  const question = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return new ApiError('invalid_parameter', `Unknown field ${param}.${question}`, { param });
}

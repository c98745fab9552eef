// Validation of requests: which ones are rejected, and which field the error names.

import type { z } from '@hono/zod-openapi';
import { expect, expectTypeOf, test } from 'vitest';
import type { Asset, Page, RenderOrder, RenderRecord, Single, User } from '../../../../cloud/client/apiTypes.ts';
import { ApiError } from '../../../../cloud/service/api/apiErrors.ts';
import {
  type asset,
  idempotencyHeader,
  limits,
  type page,
  pageQuery,
  type RenderOrderInput,
  renderOrder,
  type renderRecord,
  type single,
  type user,
} from '../../../../cloud/service/api/apiSchemas.ts';
import { validationHook } from '../../../../cloud/service/api/validation.ts';

const project = { type: 'url', url: 'https://example.com/p.zip' };

/** Returns the field that the error names, its message, or `ok`. */
function verdict(body: unknown, schema: z.ZodType = renderOrder): string {
  try {
    validationHook(schema.safeParse(body));
    return 'ok';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).toBe('invalid_parameter');
    expect(error.message.length).toBeLessThan(300);
    return error.param ?? error.message;
  }
}

const check = (fields: object, expected: string): void => expect(verdict({ project, ...fields })).toBe(expected);

test('accepts all fields together, and the project alone', () => {
  check({}, 'ok');
  check(
    {
      project: { type: 'asset_id', asset_id: 'ast_1' },
      composition: 'scenes/intro.html',
      fps: 29.97,
      quality: 'high',
      format: 'mp4',
      resolution: '4k',
      aspect_ratio: '9:16',
      variables: { title: 'Hello', deep: [{ a: null }] },
      strict_variables: true,
      callback_url: 'https://example.com/hook?x=1',
      callback_id: 'order 4711 ✓',
      title: 'Ärger 🎬',
    },
    'ok',
  );
});

test('rejects a missing or incomplete project', () => {
  for (const value of [undefined, null, 'x', [], {}, { type: 'git' }, { asset_id: 'ast_1' }]) {
    expect(verdict({ project: value })).toMatch(/^project/);
  }
  expect(verdict({ project: { type: 'asset_id' } })).toBe('project.asset_id');
  expect(verdict({ project: { type: 'asset_id', asset_id: '' } })).toBe('project.asset_id');
  expect(verdict({ project: { type: 'url', url: 'file:///etc/passwd' } })).toBe('project.url');
  expect(verdict({ project: { type: 'url', url: 'https://ann:pw@example.com/' } })).toBe('project.url');
  expect(verdict({ project: { ...project, branch: 'main' } })).toBe('project.branch');
});

test('rejects a body that is not an object', () => {
  for (const body of [null, [], 'x', 1, true]) expect(verdict(body)).toBe('The body must be a JSON object.');
});

test('rejects unknown fields and suggests the nearest name', () => {
  check({ fsp: 30 }, 'fsp');
  const message = (() => {
    try {
      validationHook(renderOrder.safeParse({ project, fsp: 30 }));
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message).toBe('Unknown field fsp. Did you mean fps?');
  check({ constructor: 1 }, 'constructor');
});

test.each([
  ['fps', [1, 240, 29.97, 23.976], [0, 0.99, 240.01, -30, '30', null, Number.NaN, Number.POSITIVE_INFINITY]],
  ['quality', ['draft', 'standard', 'high'], ['', 'best', 1, null]],
  ['format', ['mp4', 'webm', 'mov'], ['gif', 'MP4', null]],
  ['resolution', ['1080p', '4k'], ['4K', '720p', 2160]],
  ['aspect_ratio', ['16:9', '9:16', '1:1'], ['4:3', '16/9']],
  ['width', [16, 3840], [0, 15, 3841, 640.5, '640', null]],
  ['height', [16, 3840], [15, 3841]],
  ['fit', ['contain', 'cover', 'stretch'], ['fill', null]],
  ['background', ['#123', '#102030', 'tomato', 'transparent'], ['', 'no-color', 'url(x)', 1]],
  ['strict_variables', [true, false], ['true', 1, null]],
  [
    'composition',
    ['index.html', 'a/b c/d.html', 'ä.HTML', '%20.html'],
    [
      '',
      '.html',
      '/index.html',
      '../a.html',
      'a/../b.html',
      'a//b.html',
      './a.html',
      'a\\b.html',
      '.git/a.html',
      'a.htm',
      'a.html\n',
      `${'a'.repeat(251)}.html`,
    ],
  ],
  [
    'callback_url',
    ['https://example.com/', `https://example.com/${'a'.repeat(2000)}`],
    ['example.com', 'ftp://example.com/', 'javascript:1', 'https://', `https://example.com/${'a'.repeat(2048)}`],
  ],
  ['callback_id', ['x', 'x'.repeat(255)], ['', 'x'.repeat(256), 'a\0b', 'a\nb', '\ud800', 7]],
  ['title', ['x', '🎬'.repeat(100)], ['', 'x'.repeat(201), 'a\u0007', null]],
  ['variables', [{}, { a: { b: [1] } }], [null, [], 'x', '{}', { a: 'x'.repeat(limits.variablesBytes) }]],
])('validates %s', (field, right, wrong) => {
  for (const value of right) check({ [field]: value }, 'ok');
  for (const value of wrong) check({ [field]: value }, field);
});

test('limits the depth of variables, and does not overflow on a deeper body', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  check({ variables: nested(limits.variablesDepth) }, 'ok');
  check({ variables: nested(limits.variablesDepth + 1) }, 'variables');
  check({ variables: nested(50_000) }, 'variables');
});

test('rejects 4k with formats that have transparency', () => {
  for (const format of ['webm', 'mov']) {
    expect(() => validationHook(renderOrder.safeParse({ project, resolution: '4k', format }))).toThrow(
      `resolution 4k cannot be combined with format ${format}: formats with transparency render at 1080p. Use mp4 for 4k.`,
    );
    check({ resolution: '1080p', format }, 'ok');
  }
});

test('rejects sizes that exclude each other', () => {
  check({ width: 640, height: 360, aspect_ratio: '16:9' }, 'ok');
  check({ width: 640, height: 640, fit: 'cover', background: 'red' }, 'ok');
  check({ resolution: '4k', width: 640 }, 'resolution');
  check({ width: 640, height: 640, aspect_ratio: '16:9' }, 'aspect_ratio');
});

test('validates pages and keys', () => {
  for (const limit of ['1', '10', '100']) expect(verdict({ limit }, pageQuery)).toBe('ok');
  for (const limit of ['0', '101', '', '-1', '1.5', '1e1', ' 5', 'x'])
    expect(verdict({ limit }, pageQuery)).toBe('limit');
  expect(verdict({ limit: ['1', '2'] }, pageQuery)).toBe('limit');
  expect(verdict({ page: '2' }, pageQuery)).toBe('page');
  for (const key of ['a', 'A-Z_0:9.x', 'k'.repeat(255)])
    expect(verdict({ 'Idempotency-Key': key }, idempotencyHeader)).toBe('ok');
  for (const key of ['', 'a b', 'k'.repeat(256), 'ä', 'a,b'])
    expect(verdict({ 'Idempotency-Key': key }, idempotencyHeader)).toBe('Idempotency-Key');
});

test('uses the same types in client and service', () => {
  type Infer<T extends z.ZodType> = z.infer<T>;
  expectTypeOf<Infer<ReturnType<typeof single<typeof asset>>>>().toEqualTypeOf<Single<Asset>>();
  expectTypeOf<Infer<ReturnType<typeof single<typeof renderRecord>>>>().toEqualTypeOf<Single<RenderRecord>>();
  expectTypeOf<Infer<ReturnType<typeof page<typeof renderRecord>>>>().toEqualTypeOf<Page<RenderRecord>>();
  expectTypeOf<Infer<ReturnType<typeof single<typeof user>>>>().toEqualTypeOf<Single<User>>();
  // The client's types allow any string for options with a fixed set of values: the service checks them.
  expectTypeOf<keyof RenderOrderInput>().toEqualTypeOf<keyof RenderOrder>();
  expectTypeOf<RenderOrderInput['project']>().toEqualTypeOf<RenderOrder['project']>();
});

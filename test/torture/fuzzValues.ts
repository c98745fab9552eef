// Values for fields of requests: some that the schemas of the OpenAPI document allow, and some that nothing should accept.
import fc from 'fast-check';
import type { Json, OpenApiDocument } from '../support/service/openApi.ts';

/** A value that a schema allows. Conditions between fields, which no schema expresses, may still reject it. */
export function allowed(schema: Json, document: OpenApiDocument): fc.Arbitrary<unknown> {
  const { $ref, enum: names, const: only, anyOf, oneOf, type, format } = schema;
  if (typeof $ref === 'string')
    return allowed(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, document);
  if (Array.isArray(names)) return fc.constantFrom(...names);
  if (only !== undefined) return fc.constant(only);
  const variants = (anyOf ?? oneOf) as Json[] | undefined;
  if (variants) return fc.oneof(...variants.map((variant) => allowed(variant, document)));
  if (type === 'object') return allowedObject(schema, document);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return allowedNumber(schema);
  if (type === 'array') return fc.array(allowed((schema.items ?? {}) as Json, document), { maxLength: 3 });
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'], withQueryParameters: true });
  return allowedText(schema);
}

function allowedObject(schema: Json, document: OpenApiDocument): fc.Arbitrary<unknown> {
  const { properties, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  // The values of variables, which may be anything.
  if (!properties) return fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const fields = Object.entries(properties).map(([name, field]) => [name, allowed(field, document)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] });
}

function allowedNumber({ type, minimum, maximum }: Json): fc.Arbitrary<number> {
  const min = typeof minimum === 'number' ? minimum : 0;
  const max = typeof maximum === 'number' ? maximum : 1_000_000;
  return type === 'integer'
    ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    : fc.double({ min, max, noNaN: true });
}

function allowedText({ pattern, minLength, maxLength, example }: Json): fc.Arbitrary<string> {
  const max = Math.min(typeof maxLength === 'number' ? maxLength : 300, 300);
  const min = typeof minLength === 'number' ? minLength : 0;
  const examples = typeof example === 'string' ? [fc.constant(example)] : [];
  const texts =
    typeof pattern === 'string' && !pattern.startsWith('^[^\\u0000')
      ? fc.stringMatching(new RegExp(pattern)).filter((text) => text.length >= min && text.length <= max)
      : fc.string({ unit: 'grapheme', minLength: min, maxLength: max });
  return fc.oneof(...examples, texts);
}

const oddTexts = [
  ...[
    '',
    ' ',
    '\0',
    '\u0000a',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '\u202egnp.exe',
    '\u2028',
    'é',
    'e\u0301',
    '👩‍👩‍👧‍👦',
  ],
  ...[
    '../../etc/passwd',
    '..\\..\\x',
    '/etc/passwd',
    'C:\\x',
    'file:///etc/passwd',
    'http://127.0.0.1/',
    'http://[::1]/',
  ],
  ...["' or 1=1 --", '"; drop table renders; --', '%00', '%', '%zz', '{{7*7}}', '<script>', '\r\nx: y'],
  ...[
    '__proto__',
    'constructor',
    'NaN',
    'null',
    'true',
    '1e999',
    '-0',
    '0x10',
    'https://user:pw@example.com/',
    'https://',
  ],
];

/** A value of any type, often at or beyond a limit. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 0.1, 1e21) },
  {
    weight: 2,
    arbitrary: fc.constantFrom([], {}, [[]], [null], { __proto__: null }, { toString: 1 }, { length: 1e9 }),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(200, 201, 255, 256, 2048, 2049, 100_000).map((length) => 'x'.repeat(length)),
  },
  { weight: 1, arbitrary: fc.constantFrom(31, 32, 33, 1000, 20_000).map(nested) },
);

/** Becomes JSON in `jsonText`: a value this deep would overflow the stack of JSON.stringify. */
export class DeepJson {
  readonly levels: number;
  constructor(levels: number) {
    this.levels = levels;
  }
}

function nested(levels: number): DeepJson {
  return new DeepJson(levels);
}

/** Like JSON.stringify, also for deep values. */
export function jsonText(value: unknown): string {
  const deep: string[] = [];
  const text = JSON.stringify(value, (_, inner) => {
    if (!(inner instanceof DeepJson)) return inner;
    deep.push(`${'{"a":'.repeat(inner.levels)}1${'}'.repeat(inner.levels)}`);
    return `deep-${deep.length - 1}-deep`;
  });
  return (text ?? 'null').replaceAll(/"deep-(\d+)-deep"/g, (_, index) => deep[Number(index)] ?? '');
}

/** A text for headers and queries, which have no types. */
export const hostileText: fc.Arbitrary<string> = hostile.map((value) =>
  typeof value === 'string' ? value : jsonText(value).slice(0, 4000),
);

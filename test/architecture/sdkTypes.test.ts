// The types of the SDK: inferred types are written out, because programs that use the package have no zod.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { typeOf, writeOut } from '../../scripts/sdkTypes.ts';

test('writes the type of a schema, with descriptions as comments', () => {
  const size = z.object({ width: z.number().describe('Pixels.') }).meta({ id: 'Size' });
  const schema = z.object({
    size,
    kind: z.enum(['a', 'b']).nullable(),
    text: z.exactOptional(z.string()),
    lists: z.array(z.union([z.literal(1), z.array(z.boolean())])),
    values: z.record(z.string(), z.unknown()),
    title: z.string().nullable().describe('Null without a title.'),
  });
  expect(typeOf(schema)).toBe(`{
  size: {
    /** Pixels. */
    width: number;
  };
  kind: "a" | "b" | null;
  text?: string;
  lists: Array<1 | Array<boolean>>;
  values: Record<string, unknown>;
  /** Null without a title. */
  title: string | null;
}`);
});

const declarations = `import { z } from 'zod';
import type { Kept, Other } from './other.ts';
import { partSchema } from './part.ts';
/** The schema. */
export declare const reportSchema: z.ZodObject<{
    part: z.ZodObject<{
        bytes: z.ZodNumber;
    }, z.core.$strip>;
}, z.core.$strip>;
/** The report. */
export type Report = z.infer<typeof reportSchema> & {
    kept: Kept;
};
`;

test('replaces inferred types in a declaration file, and removes schemas and unused imports', () => {
  expect(
    writeOut(declarations, { reportSchema: z.object({ bytes: z.number() }) }),
  ).toBe(`import type { Kept, Other } from './other.ts';
/** The report. */
export type Report = {
  bytes: number;
} & {
    kept: Kept;
};
`);
});

test('rejects a type that is inferred from a schema without export', () => {
  expect(() => writeOut(declarations, {})).toThrow('inferred from reportSchema: export that schema');
});

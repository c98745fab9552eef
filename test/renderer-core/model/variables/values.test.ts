// Checking values against declarations, and the one merge of their layers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkValues, formatValue, mergeValues } from '../../../../renderer-core/model/variables/values.ts';
import { type VariableDeclaration, variableTypes } from '../../../../renderer-core/model/variables/variables.ts';

const declarations: VariableDeclaration[] = [
  { id: 'title', type: 'string', default: 'Hello' },
  { id: 'price', type: 'number', default: 9.5, min: 0, max: 10 },
  { id: 'ink', type: 'color', default: '#111827' },
  { id: 'dark', type: 'boolean', default: false },
  {
    id: 'look',
    type: 'enum',
    default: 'warm',
    options: [
      { value: 'warm', label: 'Warm' },
      { value: 'cold', label: 'Cold' },
    ],
  },
  { id: 'open', type: 'enum' },
];

/** Issues as `kind: message`. */
function check(values: Record<string, unknown>, expected: string[]) {
  expect(checkValues(declarations, values).map(({ kind, message }) => `${kind}: ${message}`)).toEqual(expected);
}

test('reports no issue for valid values', () => {
  check({ title: '', price: -1e9, ink: '#ABCDEF', dark: true, look: 'cold', open: 'anything' }, []);
  check({ title: undefined }, []);
});

test('reports an undeclared key with the most similar declared one', () => {
  check({ titel: 'x' }, ['undeclared: Variable "titel" is not declared by this composition; did you mean "title"?']);
  check({ zebra: 'x' }, [
    'undeclared: Variable "zebra" is not declared by this composition; declared variables: "title", "price", "ink", "dark", "look", "open"',
  ]);
  expect(checkValues([], { a: 1 })).toEqual([
    {
      kind: 'undeclared',
      id: 'a',
      message: 'Variable "a" is not declared by this composition; it declares no variables',
      given: '1',
    },
  ]);
  expect(checkValues(declarations, JSON.parse('{"__proto__": 1, "constructor": 2}')).map(({ id }) => id)).toEqual([
    '__proto__',
    'constructor',
  ]);
});

test('reports a value of the wrong type with a hint', () => {
  check({ price: '12' }, ['type-mismatch: Variable "price" must be a number (got "12"); write 12 without quotes']);
  check({ price: Number.NaN }, ['type-mismatch: Variable "price" must be a number (got NaN)']);
  check({ title: 5 }, ['type-mismatch: Variable "title" must be a string (got 5); write it in quotes: "5"']);
  check({ title: { a: 1 } }, [
    'type-mismatch: Variable "title" must be a string (got an object); pass structured data as a JSON string',
  ]);
  check({ title: null }, ['type-mismatch: Variable "title" must be a string (got null)']);
  check({ dark: 'true' }, [
    'type-mismatch: Variable "dark" must be true or false (got "true"); write true without quotes',
  ]);
  check({ dark: [] }, ['type-mismatch: Variable "dark" must be true or false (got an array)']);
  check({ ink: '#f04' }, [
    'type-mismatch: Variable "ink" must be a color as #rrggbb (got "#f04"); write it as #ff0044',
  ]);
  check({ ink: '111827' }, [
    'type-mismatch: Variable "ink" must be a color as #rrggbb (got "111827"); did you mean #111827?',
  ]);
  check({ ink: '#11182780' }, [
    'type-mismatch: Variable "ink" must be a color as #rrggbb (got "#11182780"); alpha is not supported',
  ]);
  check({ look: 3 }, ['type-mismatch: Variable "look" must be one of "warm", "cold" (got 3); write it in quotes: "3"']);
});

test('reports an enum value that is not an option', () => {
  check({ look: 'warn' }, [
    'enum-out-of-range: Variable "look" must be one of "warm", "cold" (got "warn"); did you mean "warm"?',
  ]);
  expect(checkValues([{ id: 'e', type: 'enum', options: [] }], { e: 'x' })[0]?.message).toBe(
    'Variable "e" accepts no value because it declares no options (got "x")',
  );
});

test('returns what was expected and a short form of the given value', () => {
  expect(checkValues(declarations, { look: 'x' })).toMatchObject([
    { id: 'look', expected: 'one of "warm", "cold"', given: '"x"' },
  ]);
  expect(formatValue('y'.repeat(100))).toMatch(/^"y{58}…$/);
  expect(formatValue('y'.repeat(58))).toBe(`"${'y'.repeat(58)}"`);
  expect([1n, Symbol('s'), undefined, Object.create(null), () => 1].map(formatValue)).toEqual([
    '1',
    'Symbol(s)',
    'undefined',
    'an object',
    'a function',
  ]);
});

test('merges defaults, host values and values of the command line, in order of precedence', () => {
  const merged = mergeValues(declarations, { title: 'host', dark: true }, { title: 'cli', extra: 1 });
  expect(merged).toEqual({ title: 'cli', price: 9.5, ink: '#111827', dark: true, look: 'warm', extra: 1 });
  expect(mergeValues(declarations, undefined, { title: undefined })).toMatchObject({ title: 'Hello' });
  expect(mergeValues([], { a: null, b: [] })).toEqual({ a: null, b: [] });
});

test('cannot set a prototype with a value', () => {
  const merged = mergeValues(
    [{ id: '__proto__', type: 'string', default: 'x' }],
    JSON.parse('{"__proto__": {"polluted": true}}'),
  );
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(merged).not.toHaveProperty('polluted');
  expect(Object.keys(merged)).toEqual([]);
});

const id = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__');
const layer = fc.option(
  fc.dictionary(id, fc.oneof(fc.integer(), fc.string(), fc.constant(undefined), fc.constant(null))),
  { nil: undefined },
);
const defaultOf = { string: 'x', number: 1, color: '#000000', boolean: true, enum: 'x' };
const declared = fc
  .uniqueArray(fc.record({ id, type: fc.constantFrom(...variableTypes), given: fc.boolean() }), {
    selector: (one) => one.id,
  })
  .map((list) =>
    list.map(
      ({ id, type, given }): VariableDeclaration => (given ? { id, type, default: defaultOf[type] } : { id, type }),
    ),
  );

test('uses the value of the highest layer for each key', () => {
  fc.assert(
    fc.property(declared, layer, layer, (declarations, host, cli) => {
      const defaults = new Map(declarations.map((declaration) => [declaration.id, declaration.default]));
      const merged = mergeValues(declarations, host, cli);
      const own = (values: Record<string, unknown> | undefined, key: string) =>
        values && Object.hasOwn(values, key) ? values[key] : undefined;
      for (const key of ['a', 'b', 'c', 'toString']) {
        const expected = [own(cli, key), own(host, key), defaults.get(key)].find((value) => value !== undefined);
        expect(own(merged, key)).toBe(expected);
      }
      expect(mergeValues(declarations, mergeValues(declarations, host, cli))).toEqual(merged);
    }),
  );
});

test('accepts any declared defaults', () => {
  fc.assert(
    fc.property(declared, (declarations) => {
      expect(checkValues(declarations, mergeValues(declarations))).toEqual([]);
    }),
  );
});

test('messages stay short for long lists of values, declarations and options', () => {
  const name = (index: number) => `${'a'.repeat(90)}${index}`;
  const declarations = Array.from({ length: 210 }, (_, index) => ({
    id: `${'b'.repeat(90)}${index}`,
    type: 'string' as const,
  }));
  const values = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [name(index), '']));
  const issues = checkValues(declarations, values);
  expect(issues).toHaveLength(2000);
  // The first eight declared variables, and no suggestion.
  expect(Math.max(...issues.map(({ message }) => message.length))).toBeLessThan(1100);
  const options = Array.from({ length: 100 }, (_, index) => ({ value: `option ${index}`, label: '' }));
  const [issue] = checkValues([{ id: 'look', type: 'enum', options }], { look: 'x'.repeat(100_000) });
  expect(issue?.message).toMatch(/^Variable "look" must be one of "option 0", .*"option 7" and 92 more \(got "x+…\)$/);
});

test('only the first values of a long list get a suggestion', () => {
  const values = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`titel${index}`, '']));
  const issues = checkValues([{ id: 'title1', type: 'string' }], values);
  expect(issues.filter(({ message }) => message.includes('did you mean'))).toHaveLength(10);
});

// The fields of the variables form, built from declarations and draft values.
import { expect, test } from 'vitest';
import { formFields, onlyChanged, unknownValues, withValue } from '../../../client/form/formModel.ts';
import type { VariableDeclaration } from '../../../client/form/valueText.ts';

const options = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `o${at}`, label: `O ${at}` }));

test.each<[Partial<VariableDeclaration>, string]>([
  [{ type: 'string' }, 'text'],
  [{ type: 'string', maxLength: 72 }, 'text'],
  [{ type: 'string', maxLength: 73 }, 'lines'],
  [{ type: 'string', default: 'one\ntwo' }, 'lines'],
  [{ type: 'string', default: 'a'.repeat(73) }, 'lines'],
  [{ type: 'number' }, 'number'],
  [{ type: 'number', min: 0 }, 'number'],
  [{ type: 'number', min: 0, max: 1 }, 'slider'],
  [{ type: 'number', min: 5, max: 5 }, 'number'],
  [{ type: 'color' }, 'color'],
  [{ type: 'boolean' }, 'switch'],
  [{ type: 'enum', options: options(4) }, 'radios'],
  [{ type: 'enum', options: options(5) }, 'select'],
])('shows %j as a field of kind %s', (declaration, kind) => {
  expect(formFields([{ id: 'x', type: 'string', ...declaration }], {})[0]?.kind).toBe(kind);
});

const declarations: VariableDeclaration[] = [
  { id: 'title', type: 'string', label: 'Title', default: 'Hello' },
  { id: 'size', type: 'number', default: 40 },
  { id: 'note', type: 'string' },
];

test('shows draft values instead of defaults, with their errors', () => {
  const fields = formFields(declarations, { title: 'Hi', size: '40', ghost: 1 });
  expect(fields.map(({ id, label, value, isChanged, problem }) => [id, label, value, isChanged, problem])).toEqual([
    ['title', 'Title', 'Hi', true, undefined],
    ['size', 'size', '40', true, 'Variable "size" must be a number (got "40"); write 40 without quotes'],
    ['note', 'note', undefined, false, undefined],
  ]);
});

test('removes a value that equals its default', () => {
  expect(withValue(declarations, { title: 'Hi' }, 'title', 'Hello')).toEqual({});
  expect(withValue(declarations, { title: 'Hi' }, 'title', undefined)).toEqual({});
  expect(withValue(declarations, {}, 'note', '')).toEqual({});
  expect(withValue(declarations, {}, 'title', '')).toEqual({ title: '' });
});

test('keeps undeclared values and lists them separately', () => {
  const values = withValue(declarations, { ghost: { a: 1 } }, 'size', 41);
  expect(values).toEqual({ ghost: { a: 1 }, size: 41 });
  expect(unknownValues(declarations, values)).toEqual([['ghost', { a: 1 }]]);
  expect(onlyChanged(declarations, { ...values, size: 40 })).toEqual({ ghost: { a: 1 } });
});

// What may be typed for a variable, and what becomes of it.
import { describe, expect, test } from 'vitest';
import {
  changedValues,
  checkColor,
  checkText,
  describeInput,
  type Value,
  type VariableDeclaration,
} from '../../client/form/valueText.ts';

/** The value, or the problem with a mark in front. */
function typed(text: string, declaration: Partial<VariableDeclaration>): Value {
  const checked = checkText(text, { id: 'x', type: 'number', ...declaration });
  return 'problem' in checked ? `✖ ${checked.problem}` : checked.value;
}

describe('a number', () => {
  test.each([
    ['12', {}, 12],
    [' 0.5 ', {}, 0.5],
    ['-3e2', {}, -300],
    ['', {}, '✖ Write a number, such as 12 or 0.5.'],
    ['0x10', {}, '✖ Write a number, such as 12 or 0.5.'],
    ['1,5', {}, '✖ Write a number, such as 12 or 0.5.'],
    ['1e999', {}, '✖ This number is too large.'],
    ['9', { min: 10 }, '✖ At least 10.'],
    ['91', { max: 90 }, '✖ At most 90.'],
    ['42', { min: 10, max: 90, step: 5 }, '✖ In steps of 5 from 10: 40 or 45.'],
    ['89', { min: 10, max: 89.5, step: 5 }, '✖ In steps of 5 from 10: 85.'],
    ['0.3', { step: 0.1 }, 0.3],
    ['0.35', { step: 0.1 }, '✖ In steps of 0.1: 0.3 or 0.4.'],
  ] as const)('%j with %j', (text, declaration, expected) => {
    expect(typed(text, declaration)).toBe(expected);
  });
});

test('a text keeps its white space and is held to its length', () => {
  expect(typed(' a ', { type: 'string' })).toBe(' a ');
  expect(typed('', { type: 'string' })).toBe('');
  expect(typed('abcd', { type: 'string', maxLength: 3 })).toBe('✖ At most 3 characters; these are 4.');
});

test.each([
  ['#FF5500', '#ff5500'],
  ['ff5500', '#ff5500'],
  ['#f50', '#ff5500'],
])('the colour %s', (text, value) => {
  expect(checkColor(text)).toEqual({ value });
});

test.each(['', 'red', '#ff55', '#ff550g', 'rgb(1,2,3)'])('no colour: %j', (text) => {
  expect(checkColor(text)).toEqual({ problem: 'Write a colour as #rrggbb, such as #ff5500.' });
});

test.each([
  [{ type: 'string', maxLength: 20, default: 'Hello' }, 'Text, at most 20 characters. Default: Hello.'],
  [{ type: 'string', default: '' }, 'Text. Default: empty.'],
  [
    { type: 'number', min: 10, max: 90, step: 5, unit: 'px', default: 40 },
    'Number, 10 to 90, in steps of 5, px. Default: 40.',
  ],
  [{ type: 'number', min: 1 }, 'Number, from 1.'],
  [{ type: 'boolean', default: false }, 'Yes or no. Default: false.'],
] as const)('%j is described', (declaration, expected) => {
  expect(describeInput({ id: 'x', ...declaration })).toBe(expected);
});

test('only values that differ from their defaults are passed on', () => {
  const variables: VariableDeclaration[] = [
    { id: 'same', type: 'string', default: 'a' },
    { id: 'other', type: 'number', default: 1 },
    { id: 'untouched', type: 'string' },
    { id: 'unasked', type: 'boolean', default: true },
  ];
  const values = new Map<string, Value>([
    ['same', 'a'],
    ['other', 2],
    ['untouched', ''],
  ]);
  expect(changedValues(variables, values)).toEqual({ other: 2 });
});

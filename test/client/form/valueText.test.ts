// Parsing the text that the user types for a variable.
import { describe, expect, test } from 'vitest';
import {
  checkColor,
  checkText,
  stepped,
  type Value,
  type VariableDeclaration,
} from '../../../client/form/valueText.ts';

/** The value, or `✖` with the problem. */
function typed(text: string, declaration: Partial<VariableDeclaration>): Value {
  const checked = checkText(text, { id: 'x', type: 'number', ...declaration });
  return 'problem' in checked ? `✖ ${[checked.problem.key, ...checked.problem.values].join(' ')}` : checked.value;
}

describe('a number', () => {
  test.each([
    ['12', {}, 12],
    [' 0.5 ', {}, 0.5],
    ['-3e2', {}, -300],
    ['', {}, '✖ noNumber'],
    ['0x10', {}, '✖ noNumber'],
    ['1,5', {}, '✖ noNumber'],
    ['1e999', {}, '✖ tooLarge'],
    ['9', { min: 10 }, '✖ atLeast 10'],
    ['91', { max: 90 }, '✖ atMost 90'],
    ['42', { min: 10, max: 90, step: 5 }, '✖ offStep 5 40, 45'],
    ['89', { min: 10, max: 89.5, step: 5 }, '✖ offStep 5 85'],
    ['0.3', { step: 0.1 }, 0.3],
    ['0.35', { step: 0.1 }, '✖ offStep 0.1 0.3, 0.4'],
  ] as const)('parses %j with %j', (text, declaration, expected) => {
    expect(typed(text, declaration)).toBe(expected);
  });
});

test('keeps the white space of a text and checks its length', () => {
  expect(typed(' a ', { type: 'string' })).toBe(' a ');
  expect(typed('', { type: 'string' })).toBe('');
  expect(typed('abcd', { type: 'string', maxLength: 3 })).toBe('✖ tooLong 3 4');
});

test.each([
  ['#FF5500', '#ff5500'],
  ['ff5500', '#ff5500'],
  ['#f50', '#ff5500'],
  ['f50', '#ff5500'],
  [' Tomato ', '#ff6347'],
  ['rgb(1, 2, 3)', '#010203'],
])('parses the color %s', (text, value) => {
  expect(checkColor(text)).toEqual({ value });
});

test.each(['', 'reddish', '#ff55', '#ff550g', '#ff550080', 'rgba(1, 2, 3, 0.5)'])('rejects the color %j', (text) => {
  expect(checkColor(text)).toEqual({ problem: { key: 'noColor', values: [] } });
});

test.each([
  [10, 1, {}, 11],
  [10.5, 1, {}, 11],
  [10.5, -1, {}, 10],
  [40, 1, { min: 10, max: 90, step: 5 }, 45],
  [42, -1, { min: 10, max: 90, step: 5 }, 40],
  [85, 10, { min: 10, max: 90, step: 5 }, 90],
  [88, 1, { min: 10, max: 89, step: 5 }, 85],
  [12, -10, { min: 10, step: 5 }, 10],
  [0.3, 1, { min: 0, max: 1 }, 0.31],
] as const)('moves %j by %j steps with %j', (value, count, declaration, expected) => {
  expect(stepped(value, count, { id: 'x', type: 'number', ...declaration })).toBe(expected);
});

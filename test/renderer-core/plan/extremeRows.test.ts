import { expect, test } from 'vitest';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { extremeRows } from '../../../renderer-core/plan/extremeRows.ts';

const rows = (...declarations: VariableDeclaration[]) => extremeRows(declarations, (id) => id === 'photo');

test('texts, with and without a limit', () => {
  const title: VariableDeclaration = { id: 'title', type: 'string', default: 'Big news' };
  const name: VariableDeclaration = { id: 'name', type: 'string', default: 'Ada', maxLength: 10 };
  expect(rows(title, name)).toEqual([
    { name: 'longest and largest', values: { title: 'Big news Big news Bi', name: 'Ada Ada Ad' } },
    { name: 'shortest and smallest', values: { title: 'A', name: 'A' } },
    { name: 'empty', values: { title: '', name: '' } },
  ]);
});

test('limits of numbers, colors, options and booleans', () => {
  expect(
    rows(
      { id: 'count', type: 'number', default: 5, min: 0, max: 100 },
      { id: 'ink', type: 'color', default: '#123456' },
      {
        id: 'plan',
        type: 'enum',
        default: 'free',
        options: [
          { value: 'free', label: 'Free' },
          { value: 'pro', label: 'Pro' },
        ],
      },
      { id: 'badge', type: 'boolean', default: true },
    ),
  ).toEqual([
    { name: 'longest and largest', values: { count: 100 } },
    { name: 'shortest and smallest', values: { count: 0 } },
    { name: 'white', values: { ink: '#ffffff' } },
    { name: 'black', values: { ink: '#000000' } },
    { name: 'plan: pro', values: { plan: 'pro' } },
    { name: 'badge: false', values: { badge: false } },
  ]);
});

test.each([
  'images/ada.jpg',
  'https://example.com',
  '12, 30, 45',
  '2026-11-30',
  '["a"]',
  'logo.svg',
])('keeps %s, which viewers do not read', (value) => {
  expect(rows({ id: 'value', type: 'string', default: value })).toEqual([]);
});

test('the source of an image stays', () => {
  expect(rows({ id: 'photo', type: 'string', default: 'Ada' })).toEqual([]);
});

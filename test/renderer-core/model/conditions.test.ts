import { describe, expect, test } from 'vitest';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { holds } from '../../../renderer-core/model/conditions.ts';
import { textOf } from '../../../renderer-core/model/text/spans.ts';

const parse = (condition: string) =>
  parseComposition(`<div data-composition-id="main"><p data-var-if="${condition}"></p></div>`);

describe('reads', () => {
  test.each([
    ['badge', { id: 'badge', isNegated: false, value: null }],
    [' ! badge ', { id: 'badge', isNegated: true, value: null }],
    ['plan=pro', { id: 'plan', isNegated: false, value: 'pro' }],
    ['plan != pro plus ', { id: 'plan', isNegated: true, value: 'pro plus' }],
    ['plan=a&amp;b', { id: 'plan', isNegated: false, value: 'a&b' }],
    ['url=a=b', { id: 'url', isNegated: false, value: 'a=b' }],
    ['größe=2', { id: 'größe', isNegated: false, value: '2' }],
  ])('%s', (text, expected) => {
    const { conditions } = parse(text);
    expect(conditions).toMatchObject([{ isNegated: expected.isNegated, id: { text: expected.id } }]);
    expect(conditions[0]?.value?.text ?? null).toBe(expected.value);
  });

  test('the places of the variable and of its value', () => {
    const composition = parse(' plan = pro&amp;co ');
    const [condition] = composition.conditions;
    const written = (span?: { start: number; end: number }) => span && textOf(composition.text, span);
    expect([written(condition?.id.span), written(condition?.value?.span)]).toEqual(['plan', 'pro&amp;co']);
  });

  test.each(['', '!', '=pro', 'plan=', '!plan=pro', 'plan pro', '!!plan'])('no condition in "%s"', (text) => {
    const { conditions, problems } = parse(text);
    expect(conditions).toEqual([]);
    expect(problems).toMatchObject([{ code: 'invalid-condition', severity: 'error' }]);
  });
});

describe('holds', () => {
  const values = { badge: true, price: 0, title: '', name: 'Ada', count: 3, plan: 'pro', none: null };
  test.each([
    ['badge', true],
    ['!badge', false],
    ['price', false],
    ['!title', true],
    ['name', true],
    ['missing', false],
    ['!missing', true],
    ['none', false],
    ['count=3', true],
    ['badge=true', true],
    ['plan=pro', true],
    ['plan=free', false],
    ['plan!=free', true],
    ['missing!=x', true],
    ['constructor', false],
  ])('%s is %s', (text, expected) => {
    const [condition] = parse(text).conditions;
    expect(condition && holds(condition, values)).toBe(expected);
  });
});

// Comments that ignore, levels that settings give, and fixes applied together.
import { expect, test } from 'vitest';
import { applyFixes } from '../../renderer-core/lint/applyFixes.ts';
import { readLintConfig } from '../../renderer-core/lint/settings.ts';
import { check } from './lint.ts';

const root = (inside: string) => `<div data-composition-id="m">${inside}</div>`;
const image = '<img src="nowhere.png">';
const missing = 'error missing-asset: The file nowhere.png does not exist';
const marked = '<img src="«nowhere.png»">';
const rules = 'missing-asset unused-ignore unknown-rule';

test('the next line, and only that', () => {
  const comment = '<!-- framework-ignore-next-line missing-asset, wall-clock: made by the build -->';
  check(root(`${comment}\n${image}\n${marked}`), rules, { findings: [missing] });
  check(root(`${comment}\r\n<img\r\n  class="a"\r\n  src="nowhere.png">`), rules, { findings: [] });
});

test('the whole file', () => {
  check(root(`${image}${image}<!-- framework-ignore-file missing-asset -->`), rules, { findings: [] });
});

test('in scripts and styles', () => {
  check(
    root('<script>\n// framework-ignore-next-line wall-clock: shown nowhere\nDate.now()\n</script>'),
    'wall-clock unused-ignore',
    { findings: [] },
  );
  check(root('<style>\n/* framework-ignore-next-line missing-asset */\np{background:url(x.png)}</style>'), rules, {
    findings: [],
  });
});

test('comments that are wrong themselves', () => {
  check(root('<!-- framework-ignore-next-line «mising-asset» -->'), rules, {
    findings: ['warning unknown-rule: There is no rule "mising-asset"; did you mean "missing-asset"?'],
    fixes: { 'Change to "missing-asset"': root('<!-- framework-ignore-next-line missing-asset -->') },
  });
  check(root('«<!-- framework-ignore-file missing-asset -->»'), rules, {
    findings: ['info unused-ignore: There is nothing to ignore in this file; the comment can go'],
    fixes: { 'Remove the comment': root('') },
  });
  check(root('«<!-- framework-ignore-next-line: because -->»'), rules, {
    findings: ['info unused-ignore: This comment names no rule, so it ignores nothing'],
  });
});

test('levels', () => {
  check(root(marked), rules, { findings: [missing.replace('error', 'hint')] }, { rules: { 'missing-asset': 'hint' } });
  check(root(image), rules, { findings: [] }, { rules: { 'missing-asset': 'off' } });
  // What a rule that is off would have said is not known.
  check(
    root('<!-- framework-ignore-file missing-asset -->'),
    rules,
    { findings: [] },
    { rules: { 'missing-asset': 'off' } },
  );
});

test('a configuration file', () => {
  expect(readLintConfig('\uFEFF{"lint":{"rules":{"a":"off","b":"error"}},"other":1}')).toEqual({
    settings: { rules: { a: 'off', b: 'error' } },
    problems: [],
  });
  expect(readLintConfig('{}')).toEqual({ settings: { rules: {} }, problems: [] });
});

test.each([
  [
    '{"lint":\n {"rules":{"a":"of","b":"info"}}}',
    'The level of "a" must be one of off, hint, info, warning, error',
    2,
    16,
  ],
  ['{"lint":{"rules":{"aa":"off","b":"info"}}}', 'There is no rule "aa"; did you mean "a"?', 1, 19],
  ['{"lint":{"rules":{"b":"info"},}}', 'Nothing follows this comma; remove it before }', 1, 31],
  ['{"lint":[]}', '"lint" must be a JSON object, {…}', 1, 9],
  ['[]', 'framework.json must hold a JSON object, {…}', 1, 1],
])('a configuration file that is wrong: %s', (text, message, line, column) => {
  expect(readLintConfig(text, ['a', 'b']).problems).toMatchObject([{ message, line, column }]);
});

test('fixes that do not fit together: the first stands, and every fix is whole or not there at all', () => {
  const edit = (file: string, start: number, end: number, text: string) => ({
    file,
    edits: [{ span: { start, end }, text }],
  });
  const fix = (title: string, ...edits: ReturnType<typeof edit>[]) => ({ title, edits, isSafe: true });
  const texts = new Map([
    ['a', 'abcdef'],
    ['b', 'xyz'],
  ]);
  const first = fix('first', edit('a', 4, 5, 'E'));
  const second = fix('second', edit('a', 0, 1, 'A'), edit('b', 0, 0, '>'));
  const overlapping = fix('overlapping', edit('b', 2, 3, 'Z'), edit('a', 1, 5, ''));
  const touching = fix('touching', edit('a', 5, 6, 'F'));
  const unknown = fix('unknown', edit('c', 0, 0, ''));
  const { texts: after, applied, skipped } = applyFixes(texts, [first, second, overlapping, touching, unknown]);
  expect([...after]).toEqual([
    ['a', 'AbcdEf'],
    ['b', '>xyz'],
  ]);
  expect(applied).toEqual([first, second]);
  expect(skipped).toEqual([overlapping, touching, unknown]);
});

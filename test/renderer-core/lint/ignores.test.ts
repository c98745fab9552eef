// Comments that ignore, levels that settings give, and fixes applied together.
import { expect, test } from 'vitest';
import { applyFixes } from '../../../renderer-core/lint/applyFixes.ts';
import { readLintConfig } from '../../../renderer-core/lint/settings.ts';
import { check } from './lint.ts';

const root = (inside: string) => `<div data-composition-id="m">${inside}</div>`;
const image = '<img src="nowhere.png">';
const missing = 'error missing-asset: The file nowhere.png does not exist';
const marked = '<img src="«nowhere.png»">';
const rules = 'missing-asset unused-ignore unknown-rule';

test('ignores findings in the next line only', () => {
  const comment = '<!-- framework-ignore-next-line missing-asset, wall-clock: made by the build -->';
  check(root(`${comment}\n${image}\n${marked}`), rules, { findings: [missing] });
  check(root(`${comment}\r\n<img\r\n  class="a"\r\n  src="nowhere.png">`), rules, { findings: [] });
});

test('ignores findings in the whole file', () => {
  check(root(`${image}${image}<!-- framework-ignore-file missing-asset -->`), rules, { findings: [] });
});

test('works in scripts and styles', () => {
  check(
    root('<script>\n// framework-ignore-next-line wall-clock: shown nowhere\nDate.now()\n</script>'),
    'wall-clock unused-ignore',
    { findings: [] },
  );
  check(root('<style>\n/* framework-ignore-next-line missing-asset */\np{background:url(x.png)}</style>'), rules, {
    findings: [],
  });
});

test('reports invalid ignore comments', () => {
  check(root('<!-- framework-ignore-next-line «mising-asset» -->'), rules, {
    findings: ['warning unknown-rule: Unknown rule "mising-asset"; did you mean "missing-asset"?'],
    fixes: { 'Change to "missing-asset"': root('<!-- framework-ignore-next-line missing-asset -->') },
  });
  check(root('«<!-- framework-ignore-file missing-asset -->»'), rules, {
    findings: ['info unused-ignore: The ignore comment has no effect: there is nothing to ignore in this file'],
    fixes: { 'Remove the comment': root('') },
  });
  check(root('«<!-- framework-ignore-next-line: because -->»'), rules, {
    findings: ['info unused-ignore: The ignore comment names no rule; add a rule id or remove the comment'],
  });
});

test('applies the severities of the configuration', () => {
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

test('reads a configuration file', () => {
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
  ['{"lint":{"rules":{"aa":"off","b":"info"}}}', 'Unknown rule "aa"; did you mean "a"?', 1, 19],
  ['{"lint":{"rules":{"b":"info"},}}', 'Trailing comma in framework.json; remove the comma before }', 1, 31],
  ['{"lint":[]}', '"lint" must be a JSON object', 1, 9],
  ['[]', 'framework.json must contain a JSON object', 1, 1],
])('reports an invalid configuration file: %s', (text, message, line, column) => {
  expect(readLintConfig(text, ['a', 'b']).problems).toMatchObject([{ message, line, column }]);
});

test('applies the first of overlapping fixes, and each fix completely or not at all', () => {
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

// Problems of declarations, and of values that the caller and hosts give at every level of a project.
import { expect, test } from 'vitest';
import { buildGraph } from '../../../renderer-core/model/graph.ts';
import { assemblePage } from '../../../renderer-core/page/assemble/assemble.ts';
import { compositionProblems } from '../../../renderer-core/plan/batchValues.ts';
import { assertValidProject } from '../../../renderer-core/plan/projectErrors.ts';
import { assertNoValueProblems, findValueProblems, locatedMessage } from '../../../renderer-core/plan/valueProblems.ts';

type Files = Record<string, string>;

/** A composition with one line for its declarations and one for its body. */
const file = (declarations: string, body = ''): string =>
  `<html data-composition-variables='${declarations}'>\n<div data-composition-id="m">${body}</div></html>`;
const variable = (id: string, type: string, more = ''): string => `{"id":"${id}","type":"${type}"${more}}`;
const host = (src: string, values: string): string =>
  `<p data-composition-src="${src}" data-variable-values='${values}'></p>`;

const graphOf = (files: Files) => buildGraph('index.html', (path) => files[path]);
const problems = (files: Files, given: Record<string, unknown> = {}) =>
  findValueProblems(graphOf(files), given).map(locatedMessage);

function valuesIn(files: Files, given: Record<string, unknown> = {}): Record<string, unknown>[] {
  const port = { exists: (path: string) => path in files, read: (path: string) => files[path] };
  const { config } = assemblePage(graphOf(files), given, port, { seed: 1, epochMs: 0, fps: { num: 30, den: 1 } });
  return config.instances.map(({ values }) => values);
}

const nested: Files = {
  'index.html': file(
    `[${variable('title', 'string', ',"default":"top"')},${variable('n', 'number', ',"default":1')}]`,
    host('scene.html', '{"head":"$title","n":" ${n} "}'),
  ),
  'scene.html': file(
    `[${variable('head', 'string')},${variable('n', 'number')}]`,
    host('card.html', '{"name":"${head}","n":"$n","fixed":"a $n"}'),
  ),
  'card.html': file(`[${variable('name', 'string')},${variable('n', 'number')},${variable('fixed', 'string')}]`),
};

test('locates the problems of values that were read from a file in that file', () => {
  const text = '{\n  "n": "many", "n": "x",\n  "nmae": "Ada"\n}';
  const files = { 'index.html': file(`[${variable('n', 'number')}]`) };
  const found = findValueProblems(graphOf(files), JSON.parse(text), { file: 'my/values.json', text });
  expect(found.map(locatedMessage)).toEqual([
    'my/values.json:2:21: Variable "n" must be a number (got "x")',
    'my/values.json:3:3: Variable "nmae" is not declared by index.html; declared variables: "n"',
  ]);
});

test('passes values through every level, and keeps their type', () => {
  expect(valuesIn(nested)).toEqual([
    { title: 'top', n: 1 },
    { head: 'top', n: 1 },
    { name: 'top', n: 1, fixed: 'a $n' },
  ]);
  expect(valuesIn(nested, { title: '$n', n: 5 })[2]).toEqual({ name: '$n', n: 5, fixed: 'a $n' });
  expect(problems(nested)).toEqual([]);
});

test('reports the value of a row at each host that cannot use it', () => {
  expect(problems(nested, { n: 'many' })).toEqual([
    'index.html:1:89: Variable "n" must be a number (got "many")',
    'index.html:2:110: Variable "n" must be a number (got "many")',
    'scene.html:2:110: Variable "n" must be a number (got "many")',
  ]);
});

test('treats an unresolved reference as a missing key, with a warning, also with strict checking', () => {
  const files = {
    'index.html': file(`[${variable('empty', 'string')}]`, host('a.html', '{"a":"$nope","b":"$empty"}')),
    'a.html': file(`[${variable('a', 'string', ',"default":"own"')},${variable('b', 'string')}]`),
  };
  expect(valuesIn(files)).toEqual([{}, { a: 'own' }]);
  expect(problems(files)).toEqual([
    'index.html:2:90: Variable "nope" of the embedding composition has no value, so "a" is not passed on',
    'index.html:2:102: Variable "empty" of the embedding composition has no value, so "b" is not passed on',
  ]);
  expect(() => assertNoValueProblems(findValueProblems(graphOf(files), {}))).not.toThrow();
});

test('reports values of hosts that do not fit the embedded file', () => {
  const files = {
    'index.html': file('[]', host('a.html', '{"b":1,"n":"x"}')),
    'a.html': file(`[${variable('n', 'number')}]`),
  };
  expect(problems(files)).toEqual([
    'index.html:2:86: Variable "b" is not declared by a.html; declared variables: "n"',
    'index.html:2:96: Variable "n" must be a number (got "x")',
  ]);
});

test('reports an invalid declaration once, and never its values as not declared', () => {
  const files = {
    'index.html': file(`[${variable('data', 'object')}]`, host('a.html', '{"n":1}') + host('a.html', '{"n":2}')),
    'a.html': file(`[${variable('n', 'number', ',"default":"x"')}]`),
  };
  expect(problems(files, { data: 1 })).toEqual([
    'index.html:1:56: Invalid declaration: Unknown variable type "object"; use one of string, number, color, boolean, enum',
    'a.html:1:72: Invalid declaration: The default of "n" must be a number (got "x")',
  ]);
});

test('strict checking turns every problem into an error with its location', () => {
  const files = { ...nested, 'card.html': file(`[${variable('name', 'color')},${variable('n', 'number')}]`) };
  expect(() => assertNoValueProblems(findValueProblems(graphOf(files), {}))).toThrow(
    expect.objectContaining({
      code: 'variables_invalid',
      message: [
        'Variable "name" must be a color as #rrggbb (got "top")',
        'scene.html:2:115: Variable "fixed" is not declared by card.html; declared variables: "name", "n"',
      ].join('\n'),
      place: { file: 'scene.html', line: 2, column: 96 },
      problems: [expect.anything(), expect.anything()],
    }),
  );
});

test('malformed declarations of any file end the render', () => {
  const files = { 'index.html': file('[]', host('a.html', '{}')), 'a.html': file('[{"id":}]') };
  expect(() => assertValidProject(graphOf(files), () => false)).toThrow(
    expect.objectContaining({
      code: 'composition_invalid',
      message: 'Expected a value for "id" in data-composition-variables (got })',
      place: { file: 'a.html', line: 1, column: 42 },
    }),
  );
});

test('lists a problem of all rows once, and a problem of some rows for each of them', () => {
  const files = {
    'index.html': file(`[${variable('n', 'number')}]`, host('a.html', '{"n":"$n","b":1}')),
    'a.html': file(`[${variable('n', 'number')}]`),
  };
  const rows = [{ n: 1 }, { n: 'x' }, {}].map((variables, index) => ({ index, variables }));
  expect(compositionProblems(graphOf(files), rows).map(({ message, row }) => [row, message])).toEqual([
    [undefined, 'Variable "b" is not declared by a.html; declared variables: "n"'],
    [1, 'Variable "n" must be a number (got "x")'],
    [2, 'Variable "n" of the embedding composition has no value, so "n" is not passed on'],
  ]);
});

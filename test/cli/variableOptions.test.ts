// Reading variable values, and the messages for invalid ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readVariables } from '../../cli/options/variableOptions.ts';
import { errorToJson, UserError } from '../../renderer-core/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
const file = join(folder, 'values.json');
afterAll(() => rmSync(folder, { recursive: true }));

async function* stdin(text: string) {
  yield Buffer.from(text);
}

async function errorOf(sources: { inline?: string; file?: string }, input = '') {
  const error = await readVariables(sources, stdin(input)).catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return errorToJson(error);
  throw new Error(`expected a UserError, got ${JSON.stringify(error)}`);
}

const objectHint = 'Write an object of values by variable id: {"title": "Hello"}';

test('reads values inline, from a file and from stdin', async () => {
  expect(await readVariables({}, stdin(''))).toEqual({});
  const inline = ' {"a":1,"b":[null]} ';
  expect(await readVariables({ inline }, stdin(''))).toEqual({ variables: { a: 1, b: [null] } });
  expect(await readVariables({ inline: '{}' }, stdin(''))).toEqual({ variables: {} });
  writeFileSync(file, '\uFEFF{"a":"ü"}\r\n');
  expect(await readVariables({ file }, stdin(''))).toEqual({
    variables: { a: 'ü' },
    variablesSource: { file, text: '{"a":"ü"}\r\n' },
  });
  expect(await readVariables({ file: '-' }, stdin('\uFEFF{"a":true}'))).toEqual({
    variables: { a: true },
  });
});

test('keeps a __proto__ key as an ordinary key', async () => {
  const { variables = {} } = await readVariables({ inline: '{"__proto__":{"polluted":1}}' }, stdin(''));
  expect(Object.keys(variables)).toEqual(['__proto__']);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('shows the position of a JSON error on the command line', async () => {
  expect(await errorOf({ inline: '{"a": 1 "b": 2}' })).toEqual({
    code: 'variables_invalid',
    message:
      '--variables, line 1, column 9: Expected , or } after the value of "a" (got "b")\n\n{"a": 1 "b": 2}\n        ^',
    hint: objectHint,
  });
  expect(await errorOf({ inline: '{title: Hello}' })).toEqual({
    code: 'variables_invalid',
    message: '--variables, line 1, column 2: Expected a key in double quotes (got title)\n\n{title: Hello}\n ^',
    hint: 'The shell may have removed the double quotes: put the JSON in single quotes, or use --variables-file.',
  });
  expect(await errorOf({ inline: '{"a": "b' })).toMatchObject({
    message: expect.stringContaining('Unexpected end of the JSON\n\n{"a": "b\n'),
  });
  expect(await errorOf({ inline: ' ' })).toMatchObject({
    message: expect.stringMatching(/^--variables, line 1, column 1: The value must be JSON \(got an empty value\)/),
  });
});

test('shows the position of a JSON error in a file, with an excerpt of the line', async () => {
  writeFileSync(file, '{\r\n\t"a": "x",\r\n\t"b": tru\r\n}');
  expect(await errorOf({ file })).toEqual({
    code: 'variables_invalid',
    message: 'Expected a value for "b" (got tru)\n\n "b": tru\n      ^',
    place: { file, line: 3, column: 7 },
  });
  const long = `{"a":"${'x'.repeat(200)}", oops, "b":"${'y'.repeat(200)}"}`;
  writeFileSync(file, long);
  const { message, place } = await errorOf({ file });
  expect(place).toEqual({ file, line: 1, column: 210 });
  const [, , excerpt = '', caret = ''] = message.split('\n');
  expect(excerpt).toBe(`…${'x'.repeat(37)}", oops, "b":"${'y'.repeat(19)}…`);
  expect(excerpt[caret.length - 1]).toBe('o');
});

test('rejects JSON that is not an object', async () => {
  const kinds = { '[1]': 'an array', null: 'null', '"x"': 'a string', '3': 'a number', true: 'a boolean' };
  for (const [text, kind] of Object.entries(kinds)) {
    expect(await errorOf({ inline: text })).toEqual({
      code: 'variables_invalid',
      message: `--variables must contain a JSON object (got ${kind})`,
      hint: objectHint,
    });
  }
  expect(await errorOf({ file: '-' }, '[]')).toEqual({
    code: 'variables_invalid',
    message: 'The file must contain a JSON object (got an array)',
    hint: objectHint,
    place: { file: 'standard input', line: 1, column: 1 },
  });
});

test('rejects an unreadable file', async () => {
  const hint = '--variables-file takes the path of a file that contains a JSON object.';
  const code = 'variables_file_unreadable';
  const absent = join(folder, 'absent.json');
  expect(await errorOf({ file: absent })).toEqual({
    code,
    hint,
    message: `Cannot read the variables file ${absent}: the file does not exist`,
  });
  expect(await errorOf({ file: folder })).toEqual({
    code,
    hint,
    message: `Cannot read the variables file ${folder}: it is a folder`,
  });
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
  expect(await errorOf({ file })).toEqual({
    code,
    hint: 'Save it as UTF-8.',
    message: `The variables file ${file} is not UTF-8 text (line 1)`,
  });
});

test('rejects --variables together with --variables-file', async () => {
  expect(await errorOf({ inline: '{}', file })).toEqual({
    code: 'usage',
    message: '--variables and --variables-file cannot be used together',
    hint: 'Put all values in one of them.',
  });
});

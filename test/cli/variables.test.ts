// Reading variables: what is accepted, and what each fault says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readVariables } from '../../renderer-core/cli/variables.ts';
import { errorToJson, UserError } from '../../renderer-core/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
const file = join(folder, 'values.json');
afterAll(() => rmSync(folder, { recursive: true }));

async function* stdin(text: string) {
  yield Buffer.from(text);
}

async function fault(sources: { inline?: string; file?: string }, input = '') {
  const error = await readVariables(sources, stdin(input)).catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return errorToJson(error);
  throw new Error(`expected a UserError, got ${JSON.stringify(error)}`);
}

const objectHint = 'Write an object from variable ids to values: {"title": "Hello"}';

test('values inline, from a file, from standard input, none', async () => {
  expect(await readVariables({}, stdin(''))).toBeUndefined();
  expect(await readVariables({ inline: ' {"a":1,"b":[null]} ' }, stdin(''))).toEqual({ a: 1, b: [null] });
  expect(await readVariables({ inline: '{}' }, stdin(''))).toEqual({});
  writeFileSync(file, '\uFEFF{"a":"ü"}\r\n');
  expect(await readVariables({ file }, stdin(''))).toEqual({ a: 'ü' });
  expect(await readVariables({ file: '-' }, stdin('\uFEFF{"a":true}'))).toEqual({ a: true });
});

test('a __proto__ key is a key like any other', async () => {
  const values = await readVariables({ inline: '{"__proto__":{"polluted":1}}' }, stdin(''));
  expect(Object.keys(values ?? {})).toEqual(['__proto__']);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('broken JSON on the command line', async () => {
  expect(await fault({ inline: '{"a": 1 "b": 2}' })).toEqual({
    code: 'variables_invalid',
    message: '--variables, line 1, column 9: A comma is missing in front of this\n\n{"a": 1 "b": 2}\n        ^',
    hint: objectHint,
  });
  expect(await fault({ inline: '{title: Hello}' })).toEqual({
    code: 'variables_invalid',
    message: '--variables, line 1, column 2: A key in double quotes is expected here, not title\n\n{title: Hello}\n ^',
    hint: 'The shell may have taken the double quotes away: put the JSON in single quotes, or use --variables-file.',
  });
  expect(await fault({ inline: '{"a": "b' })).toMatchObject({
    message: expect.stringContaining('The JSON ends too early\n\n{"a": "b\n'),
  });
  expect(await fault({ inline: ' ' })).toMatchObject({
    message: expect.stringMatching(/^--variables, line 1, column 1: The value is empty/),
  });
});

test('broken JSON in a file: its place, and the piece of the line around it', async () => {
  writeFileSync(file, '{\r\n\t"a": "x",\r\n\t"b": tru\r\n}');
  expect(await fault({ file })).toEqual({
    code: 'variables_invalid',
    message: 'A JSON value is expected here, not tru\n\n "b": tru\n      ^',
    place: { file, line: 3, column: 7 },
  });
  const long = `{"a":"${'x'.repeat(200)}", oops, "b":"${'y'.repeat(200)}"}`;
  writeFileSync(file, long);
  const { message, place } = await fault({ file });
  expect(place).toEqual({ file, line: 1, column: 210 });
  const [, , excerpt = '', caret = ''] = message.split('\n');
  expect(excerpt).toBe(`…${'x'.repeat(37)}", oops, "b":"${'y'.repeat(19)}…`);
  expect(excerpt[caret.length - 1]).toBe('o');
});

test('JSON that is no object', async () => {
  const kinds = { '[1]': 'an array', null: 'null', '"x"': 'a string', '3': 'a number', true: 'a boolean' };
  for (const [text, kind] of Object.entries(kinds)) {
    expect(await fault({ inline: text })).toEqual({
      code: 'variables_invalid',
      message: `--variables holds ${kind}, not an object`,
      hint: objectHint,
    });
  }
  expect(await fault({ file: '-' }, '[]')).toEqual({
    code: 'variables_invalid',
    message: 'The file holds an array, not an object',
    hint: objectHint,
    place: { file: 'standard input', line: 1, column: 1 },
  });
});

test('a file that cannot be read', async () => {
  const hint = 'Name a file that holds a JSON object with --variables-file.';
  const code = 'variables_file_unreadable';
  const absent = join(folder, 'absent.json');
  expect(await fault({ file: absent })).toEqual({
    code,
    hint,
    message: `Cannot read the variables file ${absent}: it does not exist`,
  });
  expect(await fault({ file: folder })).toEqual({
    code,
    hint,
    message: `Cannot read the variables file ${folder}: it is a folder`,
  });
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
  expect(await fault({ file })).toEqual({
    code,
    hint: 'Save it as UTF-8.',
    message: `The variables file ${file} is not UTF-8 text`,
  });
});

test('both at once', async () => {
  expect(await fault({ inline: '{}', file })).toEqual({
    code: 'usage',
    message: '--variables and --variables-file cannot be used together',
    hint: 'Put all values into one of them.',
  });
});

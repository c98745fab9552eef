// Lines of a serverless batch: everything that is wrong is told with its line before anything starts.
import { describe, expect, test } from 'vitest';
import type { VariableDeclaration } from '../../renderer-core/model/variables.ts';
import { readEntries } from '../../renderer-core/serverless/batch.ts';

const declarations = [{ id: 'title', type: 'string', label: 'Title', default: '' }] as unknown as VariableDeclaration[];
const options = { strict: true, config: {}, chunks: {} };

const check = (text: string, strict = true) => readEntries(text, declarations, { ...options, strict });
const problems = (text: string) => check(text).problems.map(({ line, message }) => `${line}: ${message}`);

describe('lines', () => {
  test('are numbered as in the file; blank ones are skipped', () => {
    expect(check('\n{"outputKey":"a.mp4","variables":{"title":"A"}}\r\n  \n{"outputKey":"b.mp4"}\n').entries).toEqual([
      { line: 2, outputKey: 'a.mp4', variables: { title: 'A' } },
      { line: 4, outputKey: 'b.mp4', variables: {} },
    ]);
  });

  test('everything that is wrong is listed', () => {
    const text = [
      '{"outputKey":"a.mp4","variables":{"titel":"A"}}',
      'nonsense',
      '[]',
      '{"variables":{}}',
      '{"outputKey":"../x.mp4"}',
      '{"outputKey":"a.mp4"}',
      '{"outputKey":"b.mp4","variables":[]}',
      '{"outputKey":"c.mp4","variable":{}}',
    ].join('\n');
    expect(problems(text).map((one) => one.replace(/is not JSON:.*/, 'is not JSON'))).toEqual([
      expect.stringMatching(/^1: .*titel.*title/),
      '2: is not JSON',
      '3: is not a JSON object with outputKey and variables',
      '4: has no outputKey',
      '5: outputKey "../x.mp4" has "." or ".." in its path',
      '6: outputKey "a.mp4" is that of line 1 already',
      '7: variables is not a JSON object',
      '8: has an unknown key "variable"; a line has outputKey and variables',
    ]);
  });

  test('values that do not fit are warnings unless asked otherwise', () => {
    const line = '{"outputKey":"a.mp4","variables":{"title":1}}';
    expect(check(line, false).problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(check(line, true).problems.map(({ severity }) => severity)).toEqual(['error']);
  });

  test('a line that is too large for an execution is told', () => {
    const line = JSON.stringify({ outputKey: 'a.mp4', variables: { title: 'x'.repeat(262_144) } });
    expect(problems(line)[0]).toMatch(
      /^1: \[validateConfig\] config: .* has \d+ bytes, and at most 262144 are allowed$/,
    );
  });

  test('a file without lines is told', () => {
    expect(problems('\n\n')).toEqual(['1: the file has no lines']);
  });
});

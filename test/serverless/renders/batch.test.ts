// Lines of a serverless batch: all errors are reported with their line before anything starts.
import { describe, expect, test } from 'vitest';
import { checkValues } from '../../../renderer-core/model/variables/values.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { readEntries } from '../../../serverless/renders/batch.ts';

const declarations = [{ id: 'title', type: 'string', label: 'Title', default: '' }] as unknown as VariableDeclaration[];
const options = { strict: true, config: {}, chunks: {} };

const issuesOf = (values: Record<string, unknown>) => checkValues(declarations, values).map(({ message }) => message);
const check = (text: string, strict = true) => readEntries(text, issuesOf, { ...options, strict });
const problems = (text: string) => check(text).problems.map(({ line, message }) => `${line}: ${message}`);

describe('readEntries', () => {
  test('numbers lines as in the file, and skips blank ones', () => {
    expect(check('\n{"outputKey":"a.mp4","variables":{"title":"A"}}\r\n  \n{"outputKey":"b.mp4"}\n').entries).toEqual([
      { line: 2, outputKey: 'a.mp4', variables: { title: 'A' } },
      { line: 4, outputKey: 'b.mp4', variables: {} },
    ]);
  });

  test('lists all errors', () => {
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
    expect(problems(text).map((one) => one.replace(/must be JSON:.*/, 'must be JSON'))).toEqual([
      expect.stringMatching(/^1: .*titel.*title/),
      '2: the line must be JSON',
      '3: the line must be a JSON object with outputKey and variables',
      '4: outputKey is missing',
      '5: outputKey "../x.mp4" must not contain "." or ".." as a folder',
      '6: outputKey "a.mp4" is already used in line 1',
      '7: variables must be a JSON object',
      '8: the key "variable" is unknown; use outputKey, variables, executionName, callback_url and callback_id',
    ]);
  });

  test('accepts names of executions, each once', () => {
    const line = (outputKey: string, executionName: unknown) => JSON.stringify({ outputKey, executionName });
    const text = [
      line('a.mp4', 'ad-2026_1'),
      line('b.mp4', 'ad-2026_1'),
      line('c.mp4', 'a/b'),
      line('d.mp4', 7),
      line('e.mp4', 'x'.repeat(81)),
    ].join('\n');
    const rule = 'executionName must have 1 to 80 letters, digits, hyphens and underscores';
    expect(check(text).entries[0]).toEqual({
      line: 1,
      outputKey: 'a.mp4',
      variables: {},
      executionName: 'ad-2026_1',
    });
    expect(problems(text)).toEqual([
      '2: executionName "ad-2026_1" is already used in line 1',
      `3: ${rule}`,
      `4: ${rule}`,
      `5: ${rule}`,
    ]);
  });

  test('reports invalid values as warnings, or as errors with strict checking', () => {
    const line = '{"outputKey":"a.mp4","variables":{"title":1}}';
    expect(check(line, false).problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(check(line, true).problems.map(({ severity }) => severity)).toEqual(['error']);
  });

  test('lists keys whose extension contradicts the format', () => {
    const text = '{"outputKey":"a.mp4"}\n{"outputKey":"b.webm"}';
    const found = readEntries(text, issuesOf, { ...options, config: { format: 'webm' } }).problems;
    expect(found).toEqual([{ line: 1, message: 'outputKey "a.mp4" contradicts the format webm', severity: 'error' }]);
  });

  test('rejects a line that is too large for an execution', () => {
    const line = JSON.stringify({ outputKey: 'a.mp4', variables: { title: 'x'.repeat(262_144) } });
    expect(problems(line)[0]).toMatch(/^1: \[validateConfig\] config: .* must have at most 262144 bytes \(got \d+\)$/);
  });

  test('rejects an empty file', () => {
    expect(problems('\n\n')).toEqual(['1: the file is empty']);
  });
});

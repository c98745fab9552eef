// Lines of a serverless batch with values that do not fit.
import { expect, test } from 'vitest';
import { invalidRowsMode, treatInvalidLines } from '../../cli/commands/serverless/invalidLines.ts';
import { parseComposition } from '../../renderer-core/model/composition.ts';
import { readEntries } from '../../serverless/renders/batch.ts';

const composition = parseComposition(`<html data-composition-variables='[
{"id":"n","type":"number","label":"N","default":1}]'><body><div data-composition-id="main"></div></body></html>`);
const text = '{"outputKey":"a.mp4","variables":{"n":"x","m":1}}\n{"outputKey":"b.mp4","variables":{"n":2}}\n';
const message = 'Variable "n" must be a number (got "x")';
const read = () => readEntries(text, () => [], { strict: false, config: {}, chunks: {} });
const check = (mode: 'defaults' | 'skip' | 'fail') =>
  treatInvalidLines({ ...read(), problems: [{ line: 1, message, severity: 'warning' }] }, composition, mode);

test('renders invalid lines with defaults, skips them, or makes them errors', () => {
  const defaults = check('defaults');
  expect(defaults.entries.map(({ variables }) => variables)).toEqual([{ m: 1 }, { n: 2 }]);
  expect([...defaults.usedDefaults]).toEqual([[1, ['n']]]);
  const skip = check('skip');
  expect(skip.entries.map(({ line }) => line)).toEqual([2]);
  expect(skip.skipped).toEqual([{ line: 1, outputKey: 'a.mp4', status: 'skipped' }]);
  expect(check('fail').problems).toEqual([{ line: 1, message, severity: 'error' }]);
});

test('fails with --strict-variables', () => {
  expect([invalidRowsMode(undefined, false), invalidRowsMode(undefined, true)]).toEqual(['defaults', 'fail']);
  expect(() => invalidRowsMode('skip', true)).toThrow(
    '--strict-variables and --invalid-rows skip contradict each other',
  );
});

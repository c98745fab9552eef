// Options that several commands share.
import type { OptionSpec } from './command.ts';

export const progressModes = ['auto', 'plain', 'ndjson', 'none'] as const;
export const lintFormats = ['text', 'json', 'github', 'sarif'] as const;

/** The composition and the values of its variables. */
export const valueOptions: readonly OptionSpec[] = [
  {
    name: 'composition',
    short: 'c',
    summary: 'Composition file in the project (default: index.html)',
    value: { label: 'path', complete: 'file' },
  },
  { name: 'variables', summary: 'Variable values, as a JSON object', value: { label: 'json' } },
  {
    name: 'variables-file',
    summary: 'JSON file with variable values; - reads stdin',
    value: { label: 'path', complete: 'file' },
  },
  { name: 'strict-variables', summary: 'Fail instead of warning if a value does not match its declaration' },
];

/** Progress and output format. */
export const reportOptions: readonly OptionSpec[] = [
  {
    name: 'progress',
    summary: 'Progress on stderr: auto, plain, ndjson or none (default: auto)',
    value: { label: 'mode', choices: progressModes },
  },
  { name: 'json', summary: 'Print one JSON document to stdout: the report, or the error' },
];

/** A TCP port; 0 stands for any free one. */
export const portValue = { label: 'n', wholeNumberFrom: 0, wholeNumberTo: 65_535 };

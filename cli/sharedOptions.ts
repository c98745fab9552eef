// Options that several commands take in the same form.
import type { OptionSpec } from './command.ts';

export const progressModes = ['auto', 'plain', 'ndjson', 'none'] as const;

/** What is rendered, and with which values. */
export const valueOptions: readonly OptionSpec[] = [
  {
    name: 'composition',
    short: 'c',
    summary: 'Composition inside the project (default: index.html)',
    value: { label: 'path', complete: 'file' },
  },
  { name: 'variables', summary: 'Values of variables, a JSON object', value: { label: 'json' } },
  {
    name: 'variables-file',
    summary: 'File with such an object; - reads standard input',
    value: { label: 'path', complete: 'file' },
  },
  { name: 'strict-variables', summary: 'Fail on a value that no declaration fits, instead of warning' },
];

/** How a command tells what it does and what came of it. */
export const reportOptions: readonly OptionSpec[] = [
  {
    name: 'progress',
    summary: 'Progress on standard error: auto, plain, ndjson or none (default: auto)',
    value: { label: 'how', choices: progressModes },
  },
  { name: 'json', summary: 'Print one JSON document on standard output: the report, or the error' },
];

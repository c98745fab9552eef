// Options that several commands share.

import type { OptionSpec } from '../command.ts';
import { choice, flag, valueOption } from './optionSpecs.ts';

export const progressModes = ['auto', 'plain', 'ndjson', 'none'] as const;
export const lintFormats = ['text', 'json', 'github', 'sarif'] as const;

/** The composition and the values of its variables. */
export const valueOptions: readonly OptionSpec[] = [
  valueOption('composition', 'Composition file in the project (default: index.html)', 'path', 'file', 'c'),
  valueOption('variables', 'Variable values, as a JSON object', 'json'),
  valueOption('variables-file', 'JSON file with variable values; - reads stdin', 'path', 'file'),
  flag('strict-variables', 'Fail instead of warning if a value does not match its declaration'),
];

/** Progress and output format. */
export const reportOptions: readonly OptionSpec[] = [
  choice('progress', 'Progress on stderr: auto, plain, ndjson or none (default: auto)', 'mode', progressModes),
  flag('json', 'Print one JSON document to stdout: the report, or the error'),
];

/** A TCP port; 0 stands for any free one. */
export const portValue = { label: 'n', wholeNumberFrom: 0, wholeNumberTo: 65_535 };

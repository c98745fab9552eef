// The lines in the terminal of a task. Lines of errors have the format of the problem matcher `$framework`.
import type { SourceLocation } from '../../../renderer-core/reports/errorJson.ts';
import type { CliError } from '../../cli/cliEvents.ts';
import { editorError } from '../../errorMessages.ts';

/** `error: <path>:<line>:<column>: <message>`, one line per location, followed by the rest of the message and the hint. */
export function failureLines(failure: CliError, folder: string): string[] {
  const { message, hint } = editorError(failure);
  const [first = '', ...rest] = message.split('\n');
  const problems = (failure.problems ?? []).filter(({ place }) => place !== undefined);
  const isListed = problems.length > 0 && !(problems.length === 1 && failure.place !== undefined);
  return [
    isListed ? `error: ${first}` : `error: ${locationPrefix(failure.place, folder)}${first}`,
    ...(isListed
      ? problems.map((problem) => `error: ${locationPrefix(problem.place, folder)}${problem.message.split('\n')[0]}`)
      : rest.map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
}

/** The path is absolute, so that the terminal links it from any folder. */
function locationPrefix(location: SourceLocation | undefined, folder: string): string {
  if (location === undefined) return '';
  const { file, line, column } = location;
  const path = /^(?:[\\/]|[a-z]:)/i.test(file) ? file : `${folder}/${file}`;
  return `${[path, ...(line === undefined ? [] : [line, column ?? 1])].join(':')}: `;
}

/** `[========            ]  42 %  12 of 30 frames`, which replaces the previous line. */
export function barLine(message: string, percent: number | undefined): string {
  const width = 24;
  const full = Math.round(((percent ?? 0) / 100) * width);
  const bar = `[${'='.repeat(full)}${' '.repeat(width - full)}]`;
  return percent === undefined ? message : `${bar} ${String(Math.floor(percent)).padStart(3)} %  ${message}`;
}

// What a task writes into its terminal. Lines of errors have the form that the problem matcher `$framework` reads.
import type { CliError, SourcePlace } from '../cli/cliEvents.ts';
import { editorError } from '../editorWords.ts';

/** `error: <path>:<line>:<column>: <message>`, one line for each place; below it what else is known. */
export function failureLines(failure: CliError, folder: string): string[] {
  const { message, hint } = editorError(failure);
  const [first = '', ...rest] = message.split('\n');
  const problems = (failure.problems ?? []).filter(({ place }) => place !== undefined);
  const isListed = problems.length > 0 && !(problems.length === 1 && failure.place !== undefined);
  return [
    isListed ? `error: ${first}` : `error: ${placed(failure.place, folder)}${first}`,
    ...(isListed
      ? problems.map((problem) => `error: ${placed(problem.place, folder)}${problem.message.split('\n')[0]}`)
      : rest.map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
}

/** Absolute, so that terminals make a link of it wherever they stand. */
function placed(place: SourcePlace | undefined, folder: string): string {
  if (place === undefined) return '';
  const { file, line, column } = place;
  const path = /^(?:[\\/]|[a-z]:)/i.test(file) ? file : `${folder}/${file}`;
  return `${[path, ...(line === undefined ? [] : [line, column ?? 1])].join(':')}: `;
}

/** `[========            ]  42 % 12 of 30 frames`, to be drawn over the line before. */
export function barLine(message: string, percent: number | undefined): string {
  const width = 24;
  const full = Math.round(((percent ?? 0) / 100) * width);
  const bar = `[${'='.repeat(full)}${' '.repeat(width - full)}]`;
  return percent === undefined ? message : `${bar} ${String(Math.floor(percent)).padStart(3)} %  ${message}`;
}

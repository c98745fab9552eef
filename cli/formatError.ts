// Errors put into words for people, and into JSON for programs.
import { type ErrorJson, errorToJson, type SourcePlace, UserError } from '../errors.ts';
import type { Colors } from './colors.ts';

/** The exit status an error ends the program with. */
export function exitStatusOf(error: unknown): number {
  return error instanceof UserError ? error.exitStatus : 1;
}

/** The form inside `{"error": ...}`. */
export function errorJson(error: unknown): ErrorJson {
  if (error instanceof UserError) return errorToJson(error);
  return { code: 'internal_error', message: messageOf(error), hint: debugHint };
}

/** Several lines, the last one ended. `debug` adds where an error came from. */
export function errorText(error: unknown, colors: Colors, debug: boolean): string {
  const lines = error instanceof UserError ? userErrorLines(error, colors) : internalLines(error, colors, debug);
  if (debug) lines.push('', ...stacks(error));
  return `${lines.join('\n')}\n`;
}

function userErrorLines(error: UserError, colors: Colors): string[] {
  if (error.code === 'cancelled') return [colors.yellow(error.message)];
  const [first = '', ...rest] = error.message.split('\n');
  const place = error.place ? `${colors.bold(placeText(error.place))}: ` : '';
  return [
    `${colors.red('error:')} ${place}${first}`,
    ...rest.map((line) => (line === '' ? '' : `  ${line}`)),
    ...(error.hint === undefined ? [] : [`${colors.cyan('hint:')} ${error.hint}`]),
  ];
}

const debugHint = 'This is a fault of framework itself. Run again with FRAMEWORK_DEBUG=1 to see where it happened.';

function internalLines(error: unknown, colors: Colors, debug: boolean): string[] {
  return [
    `${colors.red('internal error:')} ${messageOf(error)}`,
    ...(debug ? [] : [`${colors.cyan('hint:')} ${debugHint}`]),
  ];
}

/** `file:line:column`, which terminals and editors make a link of. */
export function placeText({ file, line, column }: SourcePlace): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The stack of the error and of what caused it. */
function stacks(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const causes =
    error.cause === undefined
      ? []
      : ['caused by:', ...(stacks(error.cause).length > 0 ? stacks(error.cause) : [String(error.cause)])];
  return [error.stack ?? String(error), ...causes];
}

// Formats errors as text for people and as JSON for programs.
import { errorToJson, UserError } from '../../renderer-core/errors.ts';
import type { ErrorJson, SourceLocation } from '../../renderer-core/reports/errorJson.ts';
import type { Colors } from './colors.ts';

/** The exit status for an error. */
export function exitStatusOf(error: unknown): number {
  return error instanceof UserError ? error.exitStatus : 1;
}

/** The value of `error` in JSON output. */
export function errorJson(error: unknown): ErrorJson {
  if (error instanceof UserError) return errorToJson(error);
  return { code: 'internal_error', message: messageOf(error), hint: debugHint };
}

/** Several lines with a final newline. `debug` adds stack traces. */
export function errorText(error: unknown, colors: Colors, debug: boolean): string {
  const lines = error instanceof UserError ? userErrorLines(error, colors) : internalLines(error, colors, debug);
  if (debug) lines.push('', ...stacks(error));
  return `${lines.join('\n')}\n`;
}

function userErrorLines(error: UserError, colors: Colors): string[] {
  if (error.code === 'cancelled') return [colors.yellow(error.message)];
  const [first = '', ...rest] = error.message.split('\n');
  const location = error.place ? `${colors.bold(locationText(error.place))}: ` : '';
  return [
    `${colors.red('error:')} ${location}${first}`,
    ...rest.map((line) => (line === '' ? '' : `  ${line}`)),
    ...(error.hint === undefined ? [] : [`${colors.cyan('hint:')} ${error.hint}`]),
  ];
}

const debugHint = 'This is a bug in framework. Run the command again with FRAMEWORK_DEBUG=1 for a stack trace.';

function internalLines(error: unknown, colors: Colors, debug: boolean): string[] {
  return [
    `${colors.red('internal error:')} ${messageOf(error)}`,
    ...(debug ? [] : [`${colors.cyan('hint:')} ${debugHint}`]),
  ];
}

/** `file:line:column`, which terminals and editors turn into a link. */
export function locationText({ file, line, column }: SourceLocation): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The stack traces of an error and its causes. */
function stacks(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const causes =
    error.cause === undefined
      ? []
      : ['caused by:', ...(stacks(error.cause).length > 0 ? stacks(error.cause) : [String(error.cause)])];
  return [error.stack ?? String(error), ...causes];
}

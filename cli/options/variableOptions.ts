// Reads variable values from --variables or --variables-file, and shows the position of a JSON error.
import { readFile } from 'node:fs/promises';
import { UserError } from '../../renderer-core/errors.ts';
import { readJson } from '../../renderer-core/model/text/jsonText.ts';
import { type LineAndColumn, lineAndColumn } from '../../renderer-core/model/text/spans.ts';
import { decodeText } from '../../renderer-core/model/text/textEncoding.ts';
import type { ValuesSource } from '../../renderer-core/plan/valueProblems.ts';

export type VariableSources = { inline?: string | undefined; file?: string | undefined };

type Stdin = AsyncIterable<Uint8Array | string>;

/** `variablesSource` is the text of the file, if they were read from one. */
export type GivenVariables = { variables?: Record<string, unknown>; variablesSource?: ValuesSource };

/** Empty if neither option was given. Throws UserError `usage`, `variables_invalid` or `variables_file_unreadable`. */
export async function readVariables(sources: VariableSources, stdin: Stdin): Promise<GivenVariables> {
  const { inline, file } = sources;
  if (inline !== undefined && file !== undefined) {
    throw new UserError('usage', '--variables and --variables-file cannot be used together', {
      hint: 'Put all values in one of them.',
    });
  }
  if (inline !== undefined) return { variables: parseVariables(withoutMark(inline), undefined) };
  if (file === undefined) return {};
  const text = withoutMark(await readText(file, stdin));
  // A location in standard input would lead nowhere; that of the declaration does.
  if (file === '-') return { variables: parseVariables(text, 'standard input') };
  return { variables: parseVariables(text, file), variablesSource: { file, text } };
}

async function readText(file: string, stdin: Stdin): Promise<string> {
  if (file === '-') return readAll(stdin);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const reason = {
      ENOENT: 'the file does not exist',
      EISDIR: 'it is a folder',
      EACCES: 'permission denied',
      ENOTDIR: 'the file does not exist',
    }[code];
    throw new UserError('variables_file_unreadable', `Cannot read the variables file ${file}: ${reason ?? code}`, {
      hint: '--variables-file takes the path of a file that contains a JSON object.',
      cause: error,
    });
  }
  return decode(bytes, file);
}

async function readAll(stdin: Stdin): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
  return decode(Buffer.concat(chunks), 'standard input');
}

function decode(bytes: Uint8Array, file: string): string {
  const { text, invalidAt } = decodeText(bytes, file);
  if (invalidAt === null) return text;
  const { line } = lineAndColumn(text, invalidAt);
  throw new UserError('variables_file_unreadable', `The variables file ${file} is not UTF-8 text (line ${line})`, {
    hint: 'Save it as UTF-8.',
  });
}

/** Removes a byte order mark. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** `file` is undefined for text from the command line. */
function parseVariables(text: string, file: string | undefined): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidJson(text, file, error);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new UserError(
    'variables_invalid',
    `${file === undefined ? '--variables' : 'The file'} must contain a JSON object (got ${kind})`,
    {
      hint: objectHint,
      ...(file === undefined ? {} : { place: { file, line: 1, column: 1 } }),
    },
  );
}

const objectHint = 'Write an object of values by variable id: {"title": "Hello"}';

function invalidJson(text: string, file: string | undefined, cause: unknown): UserError {
  const { message, offset } = syntaxError(text, cause);
  const place = lineAndColumn(text, offset);
  const shown = `${message}\n\n${excerpt(text, place).join('\n')}`;
  const hasLostQuotes = text.trim() !== '' && !text.includes('"');
  if (file !== undefined) return new UserError('variables_invalid', shown, { place: { file, ...place }, cause });
  return new UserError('variables_invalid', `--variables, line ${place.line}, column ${place.column}: ${shown}`, {
    hint: hasLostQuotes
      ? `The shell may have removed the double quotes: put the JSON in single quotes, or use --variables-file.`
      : objectHint,
    cause,
  });
}

function syntaxError(text: string, cause: unknown): { message: string; offset: number } {
  // The model's reader has the better messages. It reads attributes, so its advice about apostrophes is removed.
  const span = { start: 0, end: text.length };
  const { problem } = readJson({ text, span, quote: "'", steps: [0, 0] }, { isFile: true });
  if (problem) return { message: problem.message, offset: problem.span.start };
  return { message: (cause as Error).message, offset: 0 };
}

const charactersBefore = 40;
const charactersAfter = 30;

/** The line, shortened around the error, with a caret below. */
function excerpt(text: string, { line, column }: LineAndColumn): string[] {
  const whole = text.split(/\r\n|\r|\n/)[line - 1] ?? '';
  const from = Math.max(0, column - 1 - charactersBefore);
  const to = Math.min(whole.length, column - 1 + charactersAfter);
  // Tabs and control characters become one column wide, so that the caret is aligned.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replaces control characters
  const piece = whole.slice(from, to).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  const shown = `${from > 0 ? '…' : ''}${piece}${to < whole.length ? '…' : ''}`;
  return [shown, `${' '.repeat(column - 1 - from + (from > 0 ? 1 : 0))}^`];
}

// Reads the values of variables from the command line or from a file, and shows where broken JSON is broken.
import { readFile } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { readJson } from '../model/jsonText.ts';
import { type LineAndColumn, lineAndColumn } from '../model/spans.ts';

export type VariableSources = { inline?: string | undefined; file?: string | undefined };

type Stdin = AsyncIterable<Uint8Array | string>;

/** The values given, or undefined when none are. Throws UserError. */
export async function readVariables(
  sources: VariableSources,
  stdin: Stdin,
): Promise<Record<string, unknown> | undefined> {
  const { inline, file } = sources;
  if (inline !== undefined && file !== undefined) {
    throw new UserError('usage', '--variables and --variables-file cannot be used together', {
      hint: 'Put all values into one of them.',
    });
  }
  if (inline !== undefined) return parseVariables(inline, undefined);
  if (file === undefined) return undefined;
  return parseVariables(await readText(file, stdin), file === '-' ? 'standard input' : file);
}

async function readText(file: string, stdin: Stdin): Promise<string> {
  if (file === '-') return readAll(stdin);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const reason = {
      ENOENT: 'it does not exist',
      EISDIR: 'it is a folder',
      EACCES: 'permission denied',
      ENOTDIR: 'it does not exist',
    }[code];
    throw new UserError('variables_file_unreadable', `Cannot read the variables file ${file}: ${reason ?? code}`, {
      hint: 'Name a file that holds a JSON object with --variables-file.',
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
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UserError('variables_file_unreadable', `The variables file ${file} is not UTF-8 text`, {
      hint: 'Save it as UTF-8.',
      cause: error,
    });
  }
}

/** `file` undefined: the text stood on the command line. */
function parseVariables(given: string, file: string | undefined): Record<string, unknown> {
  const text = given.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw brokenJson(text, file, error);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new UserError(
    'variables_invalid',
    `${file === undefined ? '--variables' : 'The file'} holds ${kind}, not an object`,
    {
      hint: objectHint,
      ...(file === undefined ? {} : { place: { file, line: 1, column: 1 } }),
    },
  );
}

const objectHint = 'Write an object from variable ids to values: {"title": "Hello"}';

function brokenJson(text: string, file: string | undefined, cause: unknown): UserError {
  const { what, offset } = fault(text, cause);
  const place = lineAndColumn(text, offset);
  const shown = `${what}\n\n${excerpt(text, place).join('\n')}`;
  const quotes = text.trim() !== '' && !text.includes('"');
  if (file !== undefined) return new UserError('variables_invalid', shown, { place: { file, ...place }, cause });
  return new UserError('variables_invalid', `--variables, line ${place.line}, column ${place.column}: ${shown}`, {
    hint: quotes
      ? `The shell may have taken the double quotes away: put the JSON in single quotes, or use --variables-file.`
      : objectHint,
    cause,
  });
}

function fault(text: string, cause: unknown): { what: string; offset: number } {
  // Read as an attribute in single quotes, whose only advice of its own is about apostrophes; that is cut off.
  const span = { start: 0, end: text.length };
  const { problem } = readJson({ text, span, quote: "'", steps: [0, 0] });
  if (problem) return { what: problem.message.replace(/; write an apostrophe .*$/, ''), offset: problem.span.start };
  return { what: (cause as Error).message, offset: 0 };
}

const before = 40;
const after = 30;

/** The line, or as much of it as fits around the place, with a caret below. */
function excerpt(text: string, { line, column }: LineAndColumn): string[] {
  const whole = text.split(/\r\n|\r|\n/)[line - 1] ?? '';
  const from = Math.max(0, column - 1 - before);
  const to = Math.min(whole.length, column - 1 + after);
  // A tab or control character is one column wide here, so that the caret stands where it should.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const piece = whole.slice(from, to).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  const shown = `${from > 0 ? '…' : ''}${piece}${to < whole.length ? '…' : ''}`;
  return [shown, `${' '.repeat(column - 1 - from + (from > 0 ? 1 : 0))}^`];
}

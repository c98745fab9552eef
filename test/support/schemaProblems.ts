// Checks the JSON output of a command against its documented schema.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { commands } from '../../cli/commandTable.ts';
import { findCommand } from '../../cli/findCommand.ts';

const folder = new URL('../../docs/schemas/', import.meta.url);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const validators = new Map<string, ValidateFunction>();

/** The ways in which a value violates the schema of that name; empty for a valid value. */
export function schemaProblems(name: string, value: unknown): string[] {
  const known = validators.get(name);
  const validate = known ?? ajv.compile(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')));
  validators.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}.json: ${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

/** Throws if the output of a command does not match its schema. */
export function checkOutput(argv: readonly string[], printed: { stdout: string; stderr: string }): void {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (words.includes('--help') || words.includes('-h') || words[0] === 'help') return;
  const name = commandName(words);
  const isJson = words.includes('--json') || words.join(' ').includes('--format json');
  const outputs = isJson && printed.stdout.trim() !== '' ? [JSON.parse(printed.stdout)] : [];
  // An unknown command prints an error, which every schema describes.
  const problems = outputs.flatMap((output) => schemaProblems(name ?? 'render', output));
  const isNdjson = /--progress[ =]ndjson/.test(words.join(' '));
  const lines = isNdjson ? printed.stderr.split('\n').filter((line) => line.startsWith('{')) : [];
  problems.push(...lines.flatMap((line) => schemaProblems(`${name ?? 'render'}-events`, JSON.parse(line))));
  if (problems.length > 0)
    throw new Error(`${argv.join(' ')}\n${problems.slice(0, 12).join('\n')}\n${printed.stdout.slice(0, 2000)}`);
}

function commandName(words: readonly string[]): string | undefined {
  try {
    const { command } = findCommand(commands, words);
    return command?.options.some(({ name }) => name === 'json') ? command.name.replaceAll(' ', '-') : undefined;
  } catch {
    return undefined;
  }
}

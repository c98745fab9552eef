// Holds what a command prints for programs against the schema that is documented for it.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { commands } from '../../renderer-core/cli/commands.ts';
import { findCommand } from '../../renderer-core/cli/findCommand.ts';

const folder = new URL('../../docs/schemas/', import.meta.url);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const validators = new Map<string, ValidateFunction>();

/** What keeps a value from being what the schema of that name describes; empty when it is. */
export function schemaFaults(name: string, value: unknown): string[] {
  const known = validators.get(name);
  const validate = known ?? ajv.compile(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')));
  validators.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}.json: ${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

/** Throws where something that a command has printed is not what is documented of it. */
export function checkAnswer(argv: readonly string[], printed: { stdout: string; stderr: string }): void {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (words.includes('--help') || words.includes('-h') || words[0] === 'help') return;
  const name = commandName(words);
  const isJson = words.includes('--json') || words.join(' ').includes('--format json');
  const answers = isJson && printed.stdout.trim() !== '' ? [JSON.parse(printed.stdout)] : [];
  // What cannot be read as a command has failed; any command's schema describes that.
  const faults = answers.flatMap((answer) => schemaFaults(name ?? 'render', answer));
  const isNdjson = /--progress[ =]ndjson/.test(words.join(' '));
  const lines = isNdjson ? printed.stderr.split('\n').filter((line) => line.startsWith('{')) : [];
  faults.push(...lines.flatMap((line) => schemaFaults(`${name ?? 'render'}-events`, JSON.parse(line))));
  if (faults.length > 0)
    throw new Error(`${argv.join(' ')}\n${faults.slice(0, 12).join('\n')}\n${printed.stdout.slice(0, 2000)}`);
}

function commandName(words: readonly string[]): string | undefined {
  try {
    const { command } = findCommand(commands, words);
    return command?.options.some(({ name }) => name === 'json') ? command.name.replaceAll(' ', '-') : undefined;
  } catch {
    return undefined;
  }
}

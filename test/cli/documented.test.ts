// Every option of the command line is in the documentation.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../cli/commandTable.ts';

const folder = new URL('../../docs/', import.meta.url);
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const files = ['../README.md', ...pages];
const docs = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');

test.each(
  commands.map((command) => [command.name, command] as const),
)('documents %s and its options', (name, command) => {
  expect(docs.includes(`framework ${name}`), name).toBe(true);
  const missing = command.options.filter((option) => !new RegExp(`--${option.name}\\b`).test(docs));
  expect(missing.map((option) => option.name)).toEqual([]);
});

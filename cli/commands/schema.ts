// `framework schema`: the JSON Schema of what a command prints with --json, or of a file of a project.
import { readdir, readFile } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { didYouMean } from '../model/suggest.ts';
import { docFile } from '../project/packageDocs.ts';
import type { CliIo, CommandInput } from './command.ts';

/** Without a name it lists what there is. The words of a command may stand apart. Throws UserError `usage`. */
export async function runSchema({ positionals }: CommandInput, io: CliIo): Promise<number> {
  const name = positionals.join('-');
  if (name === '') {
    io.stdout.write(await listText());
    return 0;
  }
  const names = await schemaNames();
  if (!names.includes(name)) {
    throw new UserError('usage', `There is no schema "${name}"${didYouMean(name, names)}`, {
      hint: 'framework schema lists all of them.',
    });
  }
  io.stdout.write(await schemaText(name));
  return 0;
}

async function schemaNames(): Promise<string[]> {
  const files = await readdir(docFile('schemas')).catch(() => []);
  return files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : [])).sort();
}

const schemaText = (name: string): Promise<string> => readFile(docFile(`schemas/${name}.json`), 'utf8');

async function listText(): Promise<string> {
  const names = await schemaNames();
  const width = Math.max(...names.map((name) => name.length));
  const titles = await Promise.all(names.map(async (name) => String(JSON.parse(await schemaText(name)).title)));
  return names.map((name, index) => `${name.padEnd(width)}  ${titles[index]}\n`).join('');
}

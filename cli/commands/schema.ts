// `framework schema`: prints the JSON Schema of a command's --json output, or of a project file.
import { readFile } from 'node:fs/promises';
import { UserError } from '../../renderer-core/errors.ts';
import { didYouMean } from '../../renderer-core/model/text/suggest.ts';
import { docFile, docNames } from '../../renderer-core/project/packageDocs.ts';
import type { CliIo, CommandInput } from '../command.ts';

/** Without a name it lists all schemas. The name may have several words, as in `cloud render`. Throws UserError `usage`. */
export async function runSchema({ positionals }: CommandInput, io: CliIo): Promise<number> {
  const name = positionals.join('-');
  if (name === '') {
    io.stdout.write(await listText());
    return 0;
  }
  const names = await schemaNames();
  if (!names.includes(name)) {
    throw new UserError('usage', `unknown schema "${name}"${didYouMean(name, names)}`, {
      hint: 'Run framework schema to list all schemas.',
    });
  }
  io.stdout.write(await schemaText(name));
  return 0;
}

async function schemaNames(): Promise<string[]> {
  const files = await docNames(docFile('schemas'), '.json');
  return files.map((file) => file.slice(0, -'.json'.length));
}

const schemaText = (name: string): Promise<string> => readFile(docFile(`schemas/${name}.json`), 'utf8');

async function listText(): Promise<string> {
  const names = await schemaNames();
  const width = Math.max(...names.map((name) => name.length));
  const titles = await Promise.all(names.map(async (name) => String(JSON.parse(await schemaText(name)).title)));
  return names.map((name, index) => `${name.padEnd(width)}  ${titles[index]}\n`).join('');
}

// `framework new`: creates a project from an example.
import { relative } from 'node:path';
import { shellWord } from '../../cloud/client/shellCommands.ts';
import type { Example } from '../../renderer-core/project/exampleIndex.ts';
import { newProject, readExamples } from '../../renderer-core/project/newProject.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { type Colors, colorsFor } from '../output/colors.ts';

/** Returns 0; throws UserError. */
export async function runNew({ positionals, values, flags }: CommandInput, io: CliIo): Promise<number> {
  const isJson = flags.has('json');
  const { examples } = await readExamples();
  if (flags.has('list')) {
    const listed = examples.map(({ name, title, description, shape }) => ({ name, title, description, shape }));
    io.stdout.write(
      isJson ? `${JSON.stringify({ examples: listed })}\n` : listText(examples, colorsFor(io.stdout, io.env)),
    );
    return 0;
  }
  const name = values.get('example') ?? examples[0]?.name ?? '';
  const project = await newProject(positionals[0] ?? '.', name, io.signal);
  if (isJson) io.stdout.write(`${JSON.stringify(project)}\n`);
  else {
    const folder = relative(process.cwd(), project.folder) || '.';
    const quotedFolder = process.platform === 'win32' ? `"${folder}"` : shellWord(folder);
    io.stdout.write(
      `Created ${folder} from ${name}. Next:\n\n  framework render ${quotedFolder}\n  framework lint ${quotedFolder}\n`,
    );
  }
  return 0;
}

function listText(examples: readonly Example[], colors: Colors): string {
  const width = Math.max(...examples.map(({ name }) => name.length));
  const lines = examples.map(
    ({ name, description, shape }) => `${colors.bold(name.padEnd(width))}  ${description} ${colors.dim(`(${shape})`)}`,
  );
  return `${lines.join('\n')}\n`;
}

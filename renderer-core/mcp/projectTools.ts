// The tools `list_compositions` and `list_variables`: what there is to show, and what it can be given.
import { join } from 'node:path';
import { type DescribedComposition, describeProject, type ProjectDescription } from '../describeProject.ts';
import { UserError } from '../errors.ts';
import type { VariableDeclaration } from '../model/variables.ts';
import { composition, project } from './inputs.ts';
import { answer, tool, type Workplace } from './tool.ts';

export const compositionsTool = tool({
  name: 'list_compositions',
  title: 'List compositions',
  description:
    'Lists the compositions of a folder of one project or many: file, project folder, size, duration, how many variables, and which other compositions each embeds.',
  input: { project },
  writes: false,
  async run(input, workplace, { signal }) {
    const { root, compositions } = await describe(input.project, workplace, signal);
    const shown = compositions.map(({ variables, rejected, ...rest }) => ({ ...rest, variables: variables.length }));
    return answer([`In ${root}:`, ...compositions.map(lineOf)].join('\n'), { root, compositions: shown });
  },
});

export const variablesTool = tool({
  name: 'list_variables',
  title: 'List variables',
  description:
    'Lists the variables that compositions declare: id, type, label, default, and range, length or options. Their ids are the keys of the variables of snapshot and render.',
  input: { project, composition: composition.describe('Only this one, relative to its project folder.') },
  writes: false,
  async run(input, workplace, { signal }) {
    const found = await describe(input.project, workplace, signal);
    const compositions = found.compositions.filter(
      (one) => input.composition === undefined || one.composition === input.composition,
    );
    if (compositions.length === 0) {
      throw new UserError('composition_not_found', `There is no composition ${input.composition} in ${found.root}`, {
        hint: `There are: ${found.compositions.map((one) => one.file).join(', ')}`,
      });
    }
    const data = {
      root: found.root,
      compositions: compositions.map(({ file, variables, rejected }) => ({ file, variables, rejected })),
    };
    return answer(compositions.map(variablesText).join('\n\n'), data);
  },
});

/** Without files that are links out of the allowed folders. */
export async function describe(
  dir: string | undefined,
  { folders }: Workplace,
  signal: AbortSignal,
): Promise<ProjectDescription> {
  const { root, compositions } = await describeProject(await folders.inside(dir ?? '.'), signal);
  const inside = await Promise.all(compositions.map(({ file }) => folders.isInside(join(root, file))));
  return { root, compositions: compositions.filter((_, index) => inside[index]) };
}

function lineOf({ file, width, height, duration, fps, variables, embeds }: DescribedComposition): string {
  const facts = [
    `${width ?? '?'}x${height ?? '?'}`,
    duration === null ? 'no declared duration' : `${duration} s`,
    `${fps ?? 30} fps`,
    `${variables.length} variables`,
    ...(embeds.length > 0 ? [`embeds ${[...new Set(embeds.map((one) => one.file ?? one.source))].join(', ')}`] : []),
  ];
  return `${file}: ${facts.join(', ')}`;
}

function variablesText({ file, variables, rejected }: DescribedComposition): string {
  return [
    `${file}:`,
    ...(variables.length === 0 ? ['  declares no variables'] : variables.map((one) => `  ${variableText(one)}`)),
    ...rejected.map(({ line, column, message }) => `  not usable, ${file}:${line}:${column}: ${message}`),
  ].join('\n');
}

/** `price (number, "Price"): default 149, min 0, max 9999, unit "$"` */
function variableText({ id, type, label, ...rest }: VariableDeclaration): string {
  const { default: value, options, ...limits } = rest;
  const facts = [
    value === undefined ? 'no default' : `default ${JSON.stringify(value)}`,
    ...Object.entries(limits).map(([name, limit]) => `${name} ${JSON.stringify(limit)}`),
    ...(options ? [`one of ${options.map((option) => JSON.stringify(option.value)).join(', ')}`] : []),
  ];
  return `${id} (${type}${label === undefined ? '' : `, ${JSON.stringify(label)}`}): ${facts.join(', ')}`;
}

// The tools `list_compositions` and `list_variables`.
import { join } from 'node:path';
import { describeProject } from '../../renderer-core/describeProject.ts';
import { UserError } from '../../renderer-core/errors.ts';
import type { ProjectDescription } from '../../renderer-core/reports/projectDescription.ts';
import { result, type ToolContext, tool } from './tool.ts';
import { compositionsDefinition, variablesDefinition } from './toolDefinitions.ts';
import { compositionText, variablesText } from './toolText.ts';

export const compositionsTool = tool(compositionsDefinition, async (input, context, { signal }) => {
  const { root, compositions } = await describe(input.project, context, signal);
  const shown = compositions.map(({ variables, rejected, ...rest }) => ({ ...rest, variables: variables.length }));
  return result([`In ${root}:`, ...compositions.map(compositionText)].join('\n'), { root, compositions: shown });
});

export const variablesTool = tool(variablesDefinition, async (input, context, { signal }) => {
  const found = await describe(input.project, context, signal);
  const compositions = found.compositions.filter(
    (one) => input.composition === undefined || one.composition === input.composition,
  );
  if (compositions.length === 0) {
    throw new UserError('composition_not_found', `There is no composition ${input.composition} in ${found.root}`, {
      hint: `Compositions: ${found.compositions.map((one) => one.file).join(', ')}`,
    });
  }
  const data = {
    root: found.root,
    compositions: compositions.map(({ file, variables, rejected }) => ({ file, variables, rejected })),
  };
  return result(variablesText({ compositions }), data);
});

/** Leaves out compositions that are links to files outside the allowed folders. */
async function describe(
  dir: string | undefined,
  { folders }: ToolContext,
  signal: AbortSignal,
): Promise<ProjectDescription> {
  const { root, compositions } = await describeProject(await folders.inside(dir ?? '.'), signal);
  const inside = await Promise.all(compositions.map(({ file }) => folders.isInside(join(root, file))));
  return { root, compositions: compositions.filter((_, index) => inside[index]) };
}

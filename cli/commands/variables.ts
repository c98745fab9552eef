// `framework variables`: lists the variables of compositions, and which compositions they embed.
import { describeProject } from '../../renderer-core/describeProject.ts';
import type { VariableDeclaration } from '../../renderer-core/model/variables/variables.ts';
import type { DescribedComposition } from '../../renderer-core/reports/projectDescription.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { type Colors, colorsFor } from '../output/colors.ts';
import { table } from '../output/format.ts';

/** Returns 0; throws UserError. */
export async function runVariables({ positionals, flags }: CommandInput, io: CliIo): Promise<number> {
  const description = await describeProject(positionals[0] ?? '.', io.signal);
  const colors = colorsFor(io.stdout, io.env);
  io.stdout.write(
    flags.has('json')
      ? `${JSON.stringify(description)}\n`
      : description.compositions.map((one) => compositionText(one, colors)).join('\n'),
  );
  return 0;
}

function compositionText(composition: DescribedComposition, colors: Colors): string {
  const { file, variables, embeds, rejected } = composition;
  const rows = variables.map((one) => [one.id, one.type, valueText(one), one.label ?? '', limitsText(one)]);
  const lines = [
    `${colors.bold(file)}${colors.dim(factsText(composition))}`,
    ...(rows.length > 0 ? table(rows).map((line) => `  ${line}`) : ['  no variables']),
    ...rejected.map(({ message, line, column }) => `  ${colors.yellow('warning:')} ${line}:${column} ${message}`),
    ...embeds.map(({ file: target, source, line }) => `  embeds ${target ?? `${source} (missing)`}, line ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

function factsText({ width, height, duration, fps }: DescribedComposition): string {
  const size = width === null || height === null ? [] : [`${width}x${height}`];
  const facts = [...size, ...(duration === null ? [] : [`${duration} s`]), ...(fps === null ? [] : [`${fps} fps`])];
  return facts.length === 0 ? '' : `  ${facts.join(', ')}`;
}

/** Longer values are shortened; `--json` prints them in full. */
const maxCharacters = 48;

function valueText({ default: value }: VariableDeclaration): string {
  const text = value === undefined ? '-' : JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}

/** `0 to 100 by 5 px`, `at most 40 characters`, `left | right`. */
function limitsText({ min, max, step, unit, maxLength, options }: VariableDeclaration): string {
  const range = min === undefined ? (max === undefined ? '' : `to ${max}`) : `${min} to ${max ?? '…'}`;
  const steps = step === undefined ? '' : `by ${step}`;
  const length = maxLength === undefined ? '' : `at most ${maxLength} characters`;
  const choice = options?.map(({ value }) => value).join(' | ') ?? '';
  return [range, steps, unit ?? '', length, choice].filter((part) => part !== '').join(' ');
}

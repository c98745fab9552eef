// `framework fonts`: lists the font families of a project and where each of them comes from.
import type { ListedFont } from '../../../renderer-core/fonts/fontList.ts';
import { listFonts } from '../../../renderer-core/fonts/listFonts.ts';
import { addFontCommand } from '../../../renderer-core/model/fonts/addFontCommand.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { type Colors, colorsFor } from '../../output/colors.ts';
import { table } from '../../output/format.ts';

/** Returns 0; throws UserError. */
export async function runFonts({ positionals, flags }: CommandInput, io: CliIo): Promise<number> {
  const list = await listFonts(positionals[0] ?? '.', io.signal);
  const colors = colorsFor(io.stdout, io.env);
  io.stdout.write(flags.has('json') ? `${JSON.stringify(list)}\n` : listText(list.fonts, colors));
  return 0;
}

const addHint = 'Fonts with the source "system" differ between machines. To add them to the project:';

function listText(fonts: readonly ListedFont[], colors: Colors): string {
  if (fonts.length === 0) return 'The compositions name no font.\n';
  const rows = fonts.map((font) => [font.family, font.source, weightsText(font), originText(font), usesText(font)]);
  const [header = '', ...lines] = table([['Family', 'Source', 'Weights', 'From', 'Used in'], ...rows]);
  const missing = fonts.filter(({ source }) => source === 'system');
  const commands = [...new Set(missing.flatMap(({ family }) => addFontCommand(family) ?? []))];
  const notes = commands.length === 0 ? [] : ['', addHint, ...commands.map((command) => `  ${command}`)];
  return `${[colors.bold(header), ...lines, ...notes].join('\n')}\n`;
}

const weightsText = ({ weights }: ListedFont): string =>
  weights.map((weight) => weight.replace(' ', '-')).join(', ') || '-';

const originText = ({ file, substitute }: ListedFont): string => file ?? substitute ?? 'this machine, if installed';

function usesText({ uses }: ListedFont): string {
  const [first, ...others] = uses;
  if (!first) return 'not used';
  return `${first.file}:${first.line}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

// The commands `framework fonts …`.

import type { CommandSpec } from '../../command.ts';
import { flag, valueOption } from '../../options/optionSpecs.ts';

const fonts: CommandSpec = {
  name: 'fonts',
  summary: 'List the font families of a project and where each of them comes from',
  positionals: [{ name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' }],
  options: [{ name: 'json', summary: 'Print one JSON document to stdout: the list, or the error' }],
  examples: ['framework fonts my-video', 'framework fonts my-video --json'],
  run: async (input, io) => (await import('./fonts.ts')).runFonts(input, io),
};

const add: CommandSpec = {
  name: 'fonts add',
  summary: 'Add a free font family to a project: its files, a style sheet that declares them, and the license',
  positionals: [
    flag('family', 'Name of the family, such as "DM Sans"'),
    { name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' },
  ],
  options: [
    valueOption('weights', 'Weights, separated by commas (default: 400,700, if the family has them)', 'list'),
    flag('force', 'Replace existing files that differ'),
    flag('dry-run', 'Print what would be written, without writing files'),
    flag('json', 'Print one JSON document to stdout: what was added, or the error'),
  ],
  examples: ['framework fonts add "DM Sans" my-video --weights 400,700', 'framework fonts add Fraunces --dry-run'],
  run: async (input, io) => (await import('./fontsAdd.ts')).runFontsAdd(input, io),
};

export const fontCommands: readonly CommandSpec[] = [fonts, add];

// `framework add`: adds a block of the catalog to a composition, or lists the catalog.

import { relative } from 'node:path';
import { addBlock, readBlocks } from '../../renderer-core/blocks/addBlock.ts';
import type { AddedBlock } from '../../renderer-core/blocks/addBlockReport.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { colorsFor } from '../output/colors.ts';

/** Returns 0; throws UserError. */
export async function runAdd({ positionals, values, flags }: CommandInput, io: CliIo): Promise<number> {
  const [name, dir = '.'] = positionals;
  if (name === undefined || flags.has('list')) return listBlocks(flags.has('json'), io);
  const duration = readSeconds('duration', values.get('duration'));
  if (duration === 0) throw new UserError('usage', '--duration must be greater than 0');
  const added = await addBlock(
    {
      name,
      dir,
      at: readSeconds('at', values.get('at')) ?? 0,
      ...given({ composition: values.get('composition'), duration }),
    },
    io.signal,
  );
  io.stdout.write(flags.has('json') ? `${JSON.stringify(added)}\n` : addedText(added));
  return 0;
}

async function listBlocks(isJson: boolean, io: CliIo): Promise<number> {
  const { blocks } = await readBlocks();
  if (isJson) {
    const listed = blocks.map(({ name, title, description }) => ({ name, title, description }));
    io.stdout.write(`${JSON.stringify({ blocks: listed })}\n`);
    return 0;
  }
  const colors = colorsFor(io.stdout, io.env);
  const width = Math.max(...blocks.map(({ name }) => name.length));
  const lines = blocks.map(({ name, description }) => `${colors.bold(name.padEnd(width))}  ${description}`);
  io.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

function readSeconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d*\.?\d+$|^\d+\.$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw new UserError('usage', `--${option} must be a number of seconds from 0 up (got "${text}")`, {
    hint: `For example: --${option} 2.5`,
  });
}

function addedText(added: AddedBlock): string {
  const { block, composition, file, created, id, start, duration, track, compositionDuration } = added;
  const shown = (path: string): string => relative(process.cwd(), path) || path;
  const end = Math.round((start + duration) * 1000) / 1000;
  const lines = [
    `Added ${block} to ${shown(composition)}: "${id}" from ${start} s to ${end} s on track ${track}`,
    created ? `Created ${shown(file)}` : `Used ${shown(file)}, which is the same block`,
    ...(compositionDuration === null ? [] : [`The composition is now ${compositionDuration} s long`]),
  ];
  return `${lines.join('\n')}\n`;
}

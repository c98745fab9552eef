// `framework fonts add`: copies a font family into a project, and prints what was written.
import { UserError } from '../../../renderer-core/errors.ts';
import { type AddFontResult, addFont } from '../../../renderer-core/fonts/addFont.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { type Colors, colorsFor } from '../../output/colors.ts';
import { bytesText, table } from '../../output/format.ts';
import { patchText } from '../../output/patchText.ts';

/** Returns 0; throws UserError. */
export async function runFontsAdd({ positionals, values, flags }: CommandInput, io: CliIo): Promise<number> {
  const [family, dir = '.'] = positionals;
  if (family === undefined) {
    throw new UserError('usage', 'A font family is needed', { hint: 'For example: framework fonts add "DM Sans"' });
  }
  const weights = readWeights(values.get('weights'));
  const result = await addFont({
    dir,
    family,
    ...(weights ? { weights } : {}),
    force: flags.has('force'),
    dryRun: flags.has('dry-run'),
    env: io.env,
    signal: io.signal,
    ...(io.fontService ? { service: io.fontService } : {}),
  });
  io.stdout.write(
    flags.has('json') ? `${JSON.stringify(result.report)}\n` : resultText(result, colorsFor(io.stdout, io.env)),
  );
  return 0;
}

/** Values such as `400,700`. */
function readWeights(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const weights = text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  if (weights.every((weight) => weight >= 1 && weight <= 1000)) return [...new Set(weights)];
  throw new UserError('usage', `--weights must be weights from 1 to 1000, separated by commas (got "${text}")`, {
    hint: 'For example: --weights 400,700',
  });
}

function resultText({ report, source, before, after }: AddFontResult, colors: Colors): string {
  const { family, weights, styles, files, sheet, dryRun } = report;
  const facts = `${weights.map((weight) => weight.replace(' ', '-')).join(', ')}, ${styles.join(' and ')}`;
  const rows = files.map(({ path, status, bytes }) => [status, path, bytesText(bytes)]);
  const lines = [
    `${colors.bold(family)} (${facts}), from ${source}`,
    ...(dryRun ? ['Without --dry-run, these files are written:'] : []),
    ...table(rows).map((line) => `  ${line}`),
  ];
  const isNew = files.some(({ path, status }) => path === sheet && status === 'new');
  const patch = before === after ? '' : `\n${patchText(sheet, before, after, isNew)}`;
  return `${lines.join('\n')}\n${patch}`;
}

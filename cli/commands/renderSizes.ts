// `framework render --all-sizes`: renders one video for each size of the composition, or prints their plans.
import { resolve } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import type { RenderRequest } from '../../renderer-core/render/types.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { clock, engine } from '../engine.ts';
import { colorsFor } from '../output/colors.ts';
import { planText, reportText } from '../output/renderReport.ts';

/** Throws UserError `usage` for options that are about one size. */
export function rejectWithAllSizes({ values, flags }: CommandInput): void {
  const other = ['watch', ...(values.has('batch') ? [] : ['resume'])].find((name) => flags.has(name));
  if (other === undefined) return;
  throw new UserError('usage', `--all-sizes and --${other} cannot be used together`, {
    hint: 'Run the command once for each size, with --aspect-ratio.',
  });
}

/** `clear` removes the progress. Returns 0; throws UserError. */
export async function runSizes(
  { values, flags }: CommandInput,
  request: RenderRequest,
  clear: () => void,
  io: CliIo,
): Promise<number> {
  const surroundings = { ...clock, env: io.env };
  const { renderSizes, planSizes } = io.engine ?? engine;
  const print = (videos: readonly object[], outputs: readonly string[], texts: readonly string[]) => {
    clear();
    if (flags.has('json')) io.stdout.write(`${JSON.stringify({ videos })}\n`);
    else io.stdout.write(flags.has('quiet') ? outputs.map((output) => `${output}\n`).join('') : texts.join('\n'));
  };
  if (flags.has('dry-run')) {
    const plans = await planSizes(request, surroundings);
    const outputs = plans.map(({ plan }) => resolve(plan.output));
    // Most warnings are about all sizes.
    const warnings = values.get('progress') === 'ndjson' ? [] : new Set(plans.flatMap(({ warnings }) => warnings));
    for (const message of warnings) io.stderr.write(`warning: ${message}\n`);
    print(
      plans,
      outputs,
      plans.map(({ plan }, at) => planText(plan, outputs[at] ?? '')),
    );
    return 0;
  }
  const reports = await renderSizes(request, surroundings);
  const colors = colorsFor(io.stdout, io.env);
  print(
    reports,
    reports.map(({ output }) => output),
    reports.map((report) => reportText(report, colors)),
  );
  return 0;
}

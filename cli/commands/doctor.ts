// `framework doctor`: checks what a render needs on this machine.
import type { Diagnosis, DiagnosisRow } from '../../renderer-core/doctor/diagnosis.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { engine } from '../engine.ts';
import { importOptional } from '../importOptional.ts';
import { type Colors, colorsFor } from '../output/colors.ts';

/** The exit status is 1 if this machine cannot render. */
export async function runDoctor({ values, flags }: CommandInput, io: CliIo): Promise<number> {
  const { diagnose } = io.engine ?? engine;
  const browserPath = values.get('browser');
  const ffmpegPath = values.get('ffmpeg');
  const machine = await diagnose({
    env: io.env,
    // The service takes the latest browser rather than the pinned one.
    anyBrowser: flags.has('service'),
    ...(browserPath === undefined ? {} : { browserPath }),
    ...(ffmpegPath === undefined ? {} : { ffmpegPath }),
  });
  const more = flags.has('service') ? await diagnoseService(io) : [];
  const diagnosis = withRows(machine, more);
  // A cancelled check may have missed the browser, so print nothing.
  if (io.signal.aborted) return 130;
  if (flags.has('json')) io.stdout.write(`${JSON.stringify(diagnosis)}\n`);
  else io.stdout.write(diagnosisText(diagnosis.rows, diagnosis.ok, colorsFor(io.stdout, io.env)));
  return diagnosis.ok ? 0 : 1;
}

/** The extension packs this command without the hosted service. */
async function diagnoseService({ env }: CliIo): Promise<DiagnosisRow[]> {
  const service = await importOptional(() => import('./doctorService.ts'));
  return service.diagnoseService(env);
}

function withRows(diagnosis: Diagnosis, more: readonly DiagnosisRow[]): Diagnosis {
  const rows = [...diagnosis.rows, ...more];
  return { ok: rows.every(({ status }) => status !== 'missing'), rows };
}

export function diagnosisText(rows: readonly DiagnosisRow[], ok: boolean, colors: Colors): string {
  const marks = { ok: colors.green('✔'), warning: colors.yellow('!'), missing: colors.red('✖') };
  const width = Math.max(...rows.map(({ name }) => name.length));
  const table = rows.map(({ name, status, value }) => `${marks[status]} ${name.padEnd(width)}  ${value}`);
  const fixes = rows.flatMap(({ name, status, fix }) =>
    fix === undefined ? [] : [`${marks[status]} ${name}: ${fix}`],
  );
  const verdict = ok ? 'This machine can render.' : 'This machine cannot render yet.';
  return `${[...table, '', ...(fixes.length > 0 ? ['To fix:', ...fixes, ''] : []), verdict].join('\n')}\n`;
}

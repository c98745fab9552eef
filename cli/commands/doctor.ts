// `framework doctor`: what a render needs of this machine, as a table or as JSON.
import type { DiagnosisRow } from '../render/diagnose.ts';
import { type Colors, colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { loadEngine } from './engine.ts';

/** The status is 1 when a render could not work. */
export async function runDoctor({ values, switches }: CommandInput, io: CliIo): Promise<number> {
  const { diagnose } = io.engine ?? (await loadEngine());
  const browserPath = values.get('browser');
  const ffmpegPath = values.get('ffmpeg');
  const diagnosis = await diagnose({
    ...(browserPath === undefined ? {} : { browserPath }),
    ...(ffmpegPath === undefined ? {} : { ffmpegPath }),
  });
  // Nothing is told half: a cancelled look may have missed the browser because it was being ended.
  if (io.signal.aborted) return 130;
  if (switches.has('json')) io.stdout.write(`${JSON.stringify(diagnosis)}\n`);
  else io.stdout.write(diagnosisText(diagnosis.rows, diagnosis.ok, colorsFor(io.stdout, io.env)));
  return diagnosis.ok ? 0 : 1;
}

export function diagnosisText(rows: readonly DiagnosisRow[], ok: boolean, colors: Colors): string {
  const marks = { ok: colors.green('✔'), warning: colors.yellow('!'), missing: colors.red('✖') };
  const width = Math.max(...rows.map(({ name }) => name.length));
  const table = rows.map(({ name, status, value }) => `${marks[status]} ${name.padEnd(width)}  ${value}`);
  const fixes = rows.flatMap(({ name, status, fix }) =>
    fix === undefined ? [] : [`${marks[status]} ${name}: ${fix}`],
  );
  const verdict = ok ? 'This machine can render.' : 'This machine cannot render yet.';
  return `${[...table, '', ...(fixes.length > 0 ? ['What to do:', ...fixes, ''] : []), verdict].join('\n')}\n`;
}

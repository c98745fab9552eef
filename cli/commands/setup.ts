// `framework setup`: downloads the browser, ffmpeg and fonts that this machine lacks, or deletes the downloads.
import { resolve } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { removeFonts } from '../../renderer-core/fonts/installedFonts.ts';
import { programs, type SetupPart, setupParts } from '../../renderer-core/setup/builds.ts';
import { programsFolder, removeSetupPrograms } from '../../renderer-core/setup/programsFolder.ts';
import type { SetUpReport, SetUpRow } from '../../renderer-core/setup/setupReport.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { engine } from '../engine.ts';
import { type Colors, colorsFor } from '../output/colors.ts';
import { bytesText } from '../output/format.ts';
import type { ProgressMode } from '../output/renderProgress.ts';
import { createSetUpProgress } from '../output/setUpProgress.ts';

/** Returns 0; throws UserError. */
export async function runSetup(input: CommandInput, io: CliIo): Promise<number> {
  const which = readParts(input.positionals);
  const into = input.values.get('dir');
  const json = input.flags.has('json');
  const colors = colorsFor(io.stdout, io.env);
  if (input.flags.has('remove')) {
    const folder = into === undefined ? programsFolder(io.env) : resolve(into);
    const removed: Removed[] = await removeSetupPrograms(
      folder,
      programs.filter((program) => which.includes(program)),
      io,
    );
    if (which.includes('fonts')) removed.push(...(await removeFonts(io.env)));
    io.stdout.write(
      json ? `${JSON.stringify(removalReport(folder, removed))}\n` : removalText(folder, removed, colors),
    );
    return 0;
  }
  const { setUp } = io.engine ?? engine;
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const progress = createSetUpProgress(mode, io);
  try {
    const report = await setUp({
      which,
      ...(into === undefined ? {} : { into }),
      force: input.flags.has('force'),
      dryRun: input.flags.has('dry-run'),
      env: io.env,
      now: Date.now,
      signal: io.signal,
      onEvent: progress.show,
    });
    progress.clear();
    io.stdout.write(json ? `${JSON.stringify(report)}\n` : reportText(report, colors));
    return 0;
  } catch (error) {
    if (io.signal.aborted && !(error instanceof UserError && error.code === 'cancelled'))
      throw new UserError('cancelled', 'The setup was cancelled; partial downloads were deleted.', { cause: error });
    throw error;
  } finally {
    progress.clear();
  }
}

function readParts(names: readonly string[]): readonly SetupPart[] {
  const isPart = (name: string): name is SetupPart => (setupParts as readonly string[]).includes(name);
  const unknown = names.find((name) => !isPart(name));
  if (unknown !== undefined) {
    throw new UserError('usage', `unknown program "${unknown}"`, {
      hint: `Programs: ${setupParts.join(', ')}.`,
    });
  }
  return names.length === 0 ? setupParts : setupParts.filter((part) => names.includes(part));
}

export function reportText({ folder, programs: rows }: SetUpReport, colors: Colors): string {
  const planned = rows.filter(({ status }) => status === 'planned');
  const note =
    planned.length > 0
      ? `Without --dry-run, they are installed in ${folder}.`
      : 'To delete the downloads: framework setup --remove';
  const isUnchanged = rows.every(({ source }) => source !== 'set-up');
  return `${[...rows.map((row) => rowText(row, colors)), ...(isUnchanged && planned.length === 0 ? [] : ['', note])].join('\n')}\n`;
}

function rowText({ program, status, name, path, source, bytes, diskBytes }: SetUpRow, colors: Colors): string {
  const title = program.padEnd(7);
  if (status === 'planned')
    return `${colors.yellow('↓')} ${title}  ${name}: ${bytesText(bytes)} to download, ${bytesText(diskBytes)} on disk`;
  const how = status === 'downloaded' ? `downloaded, ${bytesText(diskBytes)} on disk` : `already installed (${source})`;
  return `${colors.green('✔')} ${title}  ${name}, ${path}: ${how}`;
}

type Removed = { program: SetupPart; version: string; bytes: number };
type Removal = { folder: string; removed: Removed[]; bytes: number };

function removalReport(folder: string, removed: readonly Removed[]): Removal {
  const rows = removed.map(({ program, version, bytes }) => ({ program, version, bytes }));
  return { folder, removed: rows, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function removalText(folder: string, removed: readonly Removed[], colors: Colors): string {
  if (removed.length === 0) return `No downloads in ${folder}.\n`;
  const lines = removed.map(
    ({ program, version, bytes }) => `${colors.green('✔')} ${program} ${version} removed, ${bytesText(bytes)}`,
  );
  return `${lines.join('\n')}\n`;
}

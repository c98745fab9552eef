// `framework setup`: downloads what a render needs and this machine lacks, or takes away again what was downloaded.
import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { SetUpReport, SetUpRow } from '../render/setUp.ts';
import { type Program, programs } from '../setup/builds.ts';
import type { SetUpEvent } from '../setup/install.ts';
import { programsFolder, removeSetUp, type SetUpProgram } from '../setup/programsFolder.ts';
import { bytesText, secondsText } from './amounts.ts';
import { type Colors, colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { loadEngine } from './engine.ts';
import { barText, createLiveLine } from './liveLine.ts';
import type { ProgressMode } from './progress.ts';

/** Throws UserError; the status is 0 otherwise. */
export async function runSetup(input: CommandInput, io: CliIo): Promise<number> {
  const which = askedFor(input.positionals);
  const into = input.values.get('into');
  const json = input.switches.has('json');
  const colors = colorsFor(io.stdout, io.env);
  if (input.switches.has('remove')) {
    const folder = into === undefined ? programsFolder(io.env) : resolve(into);
    const removed = await removeSetUp(folder, which);
    io.stdout.write(
      json ? `${JSON.stringify(removalReport(folder, removed))}\n` : removalText(folder, removed, colors),
    );
    return 0;
  }
  const { setUp } = io.engine ?? (await loadEngine());
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const progress = createSetUpProgress(mode, io);
  try {
    const report = await setUp({
      which,
      ...(into === undefined ? {} : { into }),
      force: input.switches.has('force'),
      dryRun: input.switches.has('dry-run'),
      env: io.env,
      signal: io.signal,
      onEvent: progress.show,
    });
    progress.clear();
    io.stdout.write(json ? `${JSON.stringify(report)}\n` : reportText(report, colors));
    return 0;
  } catch (error) {
    if (io.signal.aborted && !(error instanceof UserError && error.code === 'cancelled'))
      throw new UserError('cancelled', 'The setup was cancelled; nothing of it was kept.', { cause: error });
    throw error;
  } finally {
    progress.clear();
  }
}

function askedFor(names: readonly string[]): readonly Program[] {
  const isProgram = (name: string): name is Program => (programs as readonly string[]).includes(name);
  const unknown = names.find((name) => !isProgram(name));
  if (unknown !== undefined) {
    throw new UserError('usage', `There is no program "${unknown}" to set up`, {
      hint: `It takes ${programs.join(', ')}.`,
    });
  }
  return names.length === 0 ? programs : programs.filter((program) => names.includes(program));
}

type SetUpProgress = { show(event: SetUpEvent): void; clear(): void };

function createSetUpProgress(mode: ProgressMode, { stderr, env }: CliIo): SetUpProgress {
  const live = createLiveLine(stderr, colorsFor(stderr, env));
  if (mode === 'none') return { show: () => undefined, clear: () => undefined };
  if (mode === 'ndjson')
    return { show: (event) => void stderr.write(`${JSON.stringify(event)}\n`), clear: () => undefined };
  if (mode === 'auto' && stderr.isTTY) return { show: (event) => live.draw(lineText(event)), clear: live.clear };
  let named = '';
  return {
    show(event) {
      // Without a terminal one line for each download is enough.
      if (event.type === 'stage') stderr.write(`${event.message}\n`);
      else if (event.name !== named) {
        named = event.name;
        stderr.write(`Downloading ${named}${event.totalBytes === null ? '' : ` (${bytesText(event.totalBytes)})`}\n`);
      }
    },
    clear: () => undefined,
  };
}

function lineText(event: SetUpEvent): string {
  if (event.type === 'stage') return event.message;
  const { name, doneBytes, totalBytes, remainingSeconds } = event;
  if (totalBytes === null) return `Downloading ${name}, ${bytesText(doneBytes)}`;
  const left = remainingSeconds === null ? '' : `, ${secondsText(Math.ceil(remainingSeconds))} left`;
  return `${barText(doneBytes / totalBytes)} ${name}, ${bytesText(doneBytes)} of ${bytesText(totalBytes)}${left}`;
}

export function reportText({ folder, programs: rows }: SetUpReport, colors: Colors): string {
  const planned = rows.filter(({ status }) => status === 'planned');
  const last =
    planned.length > 0
      ? `Without --dry-run they are put into ${folder}.`
      : 'To take away again what was downloaded: framework setup --remove';
  const isKept = rows.every(({ source }) => source !== 'set-up');
  return `${[...rows.map((row) => rowText(row, colors)), ...(isKept && planned.length === 0 ? [] : ['', last])].join('\n')}\n`;
}

function rowText({ program, status, name, path, source, bytes, diskBytes }: SetUpRow, colors: Colors): string {
  const title = program.padEnd(7);
  if (status === 'planned')
    return `${colors.yellow('↓')} ${title}  ${name}: ${bytesText(bytes)} to download, ${bytesText(diskBytes)} on the disk`;
  const how = status === 'downloaded' ? `downloaded, ${bytesText(diskBytes)} on the disk` : `there already (${source})`;
  return `${colors.green('✔')} ${title}  ${name}, ${path}: ${how}`;
}

type Removal = { folder: string; removed: { program: Program; version: string; bytes: number }[]; bytes: number };

function removalReport(folder: string, removed: readonly SetUpProgram[]): Removal {
  const rows = removed.map(({ program, version, bytes }) => ({ program, version, bytes }));
  return { folder, removed: rows, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function removalText(folder: string, removed: readonly SetUpProgram[], colors: Colors): string {
  if (removed.length === 0) return `Nothing was set up in ${folder}.\n`;
  const lines = removed.map(
    ({ program, version, bytes }) => `${colors.green('✔')} ${program} ${version} removed, ${bytesText(bytes)}`,
  );
  return `${lines.join('\n')}\n`;
}

// Runs `framework doctor` with the programs of the settings.
import { workspace } from 'vscode';
import { cannotStartText, endedText } from '../cli/runCliJson.ts';
import { settingOfOption } from '../errorMessages.ts';
import type { Host } from '../host.ts';
import type { Diagnosis } from './doctorPage.ts';

type CliServices = { extensionPath: string; host: Host };

/** Never throws. VS Code ignores the paths of programs in the settings of an untrusted workspace. */
export async function runDoctor(
  { extensionPath, host }: CliServices,
  signal?: AbortSignal,
): Promise<Diagnosis | { problem: string }> {
  let output = '';
  const messages: string[] = [];
  const run = host.startCli?.(extensionPath, {
    args: ['doctor', '--json', ...programOptions()],
    cwd: extensionPath,
    stdin: '',
    onEvent: () => undefined,
    onText: (line) => messages.push(line),
    onOutput: (text) => {
      output += text;
    },
  });
  if (!run) return { problem: cannotStartText() };
  signal?.addEventListener('abort', run.cancel, { once: true });
  try {
    // The status is 1 when something is missing; the document is printed in both cases.
    const status = await run.status;
    const printed = JSON.parse(output || '{}');
    if (Array.isArray(printed.rows)) return printed as Diagnosis;
    return { problem: printed.error?.message ?? (messages.join('\n') || endedText(status)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    signal?.removeEventListener('abort', run.cancel);
  }
}

/** The programs (`browser`, `ffmpeg`) whose paths are set. A path in the settings takes precedence over a download. */
export function namedPrograms(): string[] {
  return Object.keys(settingOfOption).filter((option) => settingOf(option) !== '');
}

function programOptions(): string[] {
  return namedPrograms().map((option) => `--${option}=${settingOf(option)}`);
}

function settingOf(option: string): string {
  return (
    workspace
      .getConfiguration('framework')
      .get<string>(settingOfOption[option] ?? '')
      ?.trim() ?? ''
  );
}

// Asks `framework doctor` about this machine, with the programs that the settings name.
import { l10n, workspace } from 'vscode';
import { endedText } from '../cli/askCli.ts';
import { inSettings } from '../editorWords.ts';
import type { Host } from '../host.ts';
import type { Diagnosis } from './doctorPage.ts';

type Asking = { extensionPath: string; host: Host };

/** Never throws. What a workspace names that is not trusted, the editor itself leaves out of the settings. */
export async function askDoctor(
  { extensionPath, host }: Asking,
  signal?: AbortSignal,
): Promise<Diagnosis | { problem: string }> {
  let output = '';
  const said: string[] = [];
  const run = host.startCli?.(extensionPath, {
    args: ['doctor', '--json', ...programOptions()],
    // It reads no file of a project.
    cwd: extensionPath,
    stdin: '',
    onEvent: () => undefined,
    onText: (line) => said.push(line),
    onOutput: (text) => {
      output += text;
    },
  });
  if (!run) return { problem: l10n.t('No program can be started here.') };
  signal?.addEventListener('abort', run.cancel, { once: true });
  try {
    // The status is 1 where something is missing, and the answer is the same document.
    const status = await run.status;
    const answer = JSON.parse(output || '{}');
    if (Array.isArray(answer.rows)) return answer as Diagnosis;
    return { problem: answer.error?.message ?? (said.join('\n') || endedText(status)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    signal?.removeEventListener('abort', run.cancel);
  }
}

/** Names of settings that have a value, and so go before what is downloaded. */
export function namedPrograms(): string[] {
  return Object.keys(inSettings).filter((option) => settingOf(option) !== '');
}

function programOptions(): string[] {
  return namedPrograms().map((option) => `--${option}=${settingOf(option)}`);
}

function settingOf(option: string): string {
  return (
    workspace
      .getConfiguration('framework')
      .get<string>(inSettings[option] ?? '')
      ?.trim() ?? ''
  );
}
